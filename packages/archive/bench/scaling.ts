// What an archive of many windows costs: node bench/scaling.ts [vehicles …], 13 windows of two series for each. Manifests only; files
// are not needed to open and to list.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createArchive, openArchive } from '@vehicle-data/archive';

const months = ['2026-01', '2026-02', '2026-03', '2026-04'];
const firstDays = ['01', '09', '17', '25'];
const lastDays = ['08', '16', '24', '28'];
const series = ['driving', 'powertrain'];
const purged = 60;

const vehicleOf = (number: number) => createHash('sha256').update(`${number}`).digest('hex').slice(0, 32);

/** The manifest of a vehicle with 13 windows of each series. */
function manifestOf(vehicle: string): string {
  const windows = months.flatMap((month) =>
    firstDays.map((first, index) => [`${month}-${first}`, `${month}-${lastDays[index]}`]),
  );
  return series
    .flatMap((name) =>
      windows.slice(0, 13).map(([from = '', to = '']) => {
        const path = `series=${name}/month=${from.slice(0, 7)}/${from}_${to}.parquet`;
        const sha256 = createHash('sha256')
          .update(vehicle + path)
          .digest('hex');
        const counts = { bytes: 122_000, sha256, rows: 40, trips: 40 };
        const at = '2026-06-01T00:00:00.000Z';
        return `${JSON.stringify({ kind: 'window', series: name, from, to, ...counts, fetchedAt: at, settled: true, contract: '0123456789abcdef', firstSeenAt: at, path })}\n`;
      }),
    )
    .join('');
}

/** Runs in a process of its own, so that its memory is that of the step alone. */
async function step(name: string, folder: string): Promise<void> {
  const startedAt = performance.now();
  {
    await using archive = await openArchive({ folder, readOnly: name !== 'purge' });
    if (name === 'list') await archive.vehicles();
    if (name === 'purge') {
      for (let number = 0; number < purged; number += 1) await archive.purge({ vehicle: vehicleOf(number) });
    }
  }
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1000);
  console.log(`  ${name.padEnd(6)} ${(performance.now() - startedAt).toFixed(0).padStart(6)} ms  ${peakMb} MB at most`);
}

const [first, folder, ...rest] = process.argv.slice(2);
if (first === 'step' && folder !== undefined) await step(rest[0] ?? '', folder);
else {
  const counts = [first, folder, ...rest].filter((text) => text !== undefined).map(Number);
  for (const vehicles of counts.length > 0 ? counts : [39, 1_666, 50_000]) {
    const at = await mkdtemp(join(tmpdir(), 'scaling-'));
    try {
      await (await createArchive({ folder: at, source: 'http://127.0.0.1:8787' })).close();
      for (let number = 0; number < vehicles; number += 1) {
        const inVehicle = join(at, 'brand=brand_a', `vehicle=${vehicleOf(number)}`);
        mkdirSync(inVehicle, { recursive: true });
        writeFileSync(join(inVehicle, '_manifest.ndjson'), manifestOf(vehicleOf(number)));
      }
      console.log(`${vehicles} vehicles, ${vehicles * 26} windows; purge: ${Math.min(purged, vehicles)} vehicles`);
      for (const name of ['open', 'list', 'purge'])
        spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'step', at, name], { stdio: 'inherit' });
    } finally {
      rmSync(at, { recursive: true, force: true });
    }
  }
}
