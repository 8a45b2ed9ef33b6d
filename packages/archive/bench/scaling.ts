// What an archive of many windows costs: node bench/scaling.ts [vehicles …], 13 windows of two series for each. Manifests only; files
// are not needed to open and to list. With --before MODULE, a package that kept one manifest for all vehicles is measured in the same
// run: version 1, bundled into one file. Each step is a process of its own; processor time says more than time on a busy machine.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const months = ['2026-01', '2026-02', '2026-03', '2026-04'];
const firstDays = ['01', '09', '17', '25'];
const lastDays = ['08', '16', '24', '28'];
const series = ['driving', 'powertrain'];
const purged = 60;

const vehicleOf = (number: number) => createHash('sha256').update(`${number}`).digest('hex').slice(0, 32);

/** The manifest of a vehicle with 13 windows of each series. @param more of each line in the manifest of all vehicles */
function manifestOf(vehicle: string, more: object = {}, folder = ''): string {
  const windows = months.flatMap((month) =>
    firstDays.map((first, index) => [`${month}-${first}`, `${month}-${lastDays[index]}`]),
  );
  return series
    .flatMap((name) =>
      windows.slice(0, 13).map(([from = '', to = '']) => {
        const path = `${folder}series=${name}/month=${from.slice(0, 7)}/${from}_${to}.parquet`;
        const sha256 = createHash('sha256')
          .update(vehicle + path)
          .digest('hex');
        const counts = { bytes: 122_000, sha256, rows: 40, trips: 40 };
        const at = '2026-06-01T00:00:00.000Z';
        return `${JSON.stringify({ kind: 'window', ...more, series: name, from, to, ...counts, fetchedAt: at, settled: true, contract: '0123456789abcdef', firstSeenAt: at, path })}\n`;
      }),
    )
    .join('');
}

type Package = typeof import('@vehicle-data/archive');
const now = '@vehicle-data/archive';

/** Runs in a process of its own, so that its memory is that of the step alone. */
async function step(module: string, folder: string, name: string): Promise<void> {
  const { openArchive }: Package = await import(module);
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  {
    await using archive = await openArchive({ folder, readOnly: name !== 'purge' });
    if (name === 'list') await archive.vehicles();
    if (name === 'purge') {
      for (let number = 0; number < purged; number += 1) await archive.purge({ vehicle: vehicleOf(number) });
    }
  }
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1000);
  const { user, system } = process.cpuUsage(before);
  const [wall, cpu] = [performance.now() - startedAt, (user + system) / 1000];
  console.log(
    `  ${name.padEnd(6)} ${wall.toFixed(0).padStart(6)} ms, ${cpu.toFixed(0).padStart(6)} ms of processor time, ${peakMb} MB at most`,
  );
}

/** An archive of so many vehicles, with a manifest for each or, as version 1 had it, for all. */
async function makeArchive(module: string, vehicles: number): Promise<string> {
  const at = await mkdtemp(join(tmpdir(), 'scaling-'));
  const { createArchive }: Package = await import(module);
  await (await createArchive({ folder: at, source: 'http://127.0.0.1:8787' })).close();
  for (let number = 0; number < vehicles; number += 1) {
    const vehicle = vehicleOf(number);
    const folder = `brand=brand_a/vehicle=${vehicle}/`;
    if (module === now) {
      mkdirSync(join(at, folder), { recursive: true });
      writeFileSync(join(at, folder, '_manifest.ndjson'), manifestOf(vehicle));
    } else appendFileSync(join(at, 'manifest.ndjson'), manifestOf(vehicle, { brand: 'brand_a', vehicle }, folder));
  }
  return at;
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { before: { type: 'string' } } });
if (positionals[0] === 'step') await step(positionals[1] ?? '', positionals[2] ?? '', positionals[3] ?? '');
else {
  const before = values.before === undefined ? [] : [pathToFileURL(values.before).href];
  for (const vehicles of positionals.length > 0 ? positionals.map(Number) : [39, 3_846, 50_000]) {
    for (const module of [...before, now]) {
      const at = await makeArchive(module, vehicles);
      const windows = vehicles * 26;
      console.log(
        `${module === now ? 'now' : 'before'}: ${vehicles} vehicles, ${windows} windows; purge: ${Math.min(purged, vehicles)} vehicles`,
      );
      for (const name of ['open', 'list', 'purge'])
        spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'step', module, at, name], { stdio: 'inherit' });
      rmSync(at, { recursive: true, force: true });
    }
  }
}
