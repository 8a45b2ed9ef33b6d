// Two promises in seconds, for a machine that does nothing else: node bench/limits.ts [vehicles] (1,666; 25 files each). 60 withdrawals take at
// most a second, and `vds query` for one vehicle at most five. Each is tried five times in processes of their own; the medians count, and the
// program fails where one of them is too long. --only purge, or query, leaves the other out. Build the packages archive and cli first.
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createArchive, openArchive } from '@vehicle-data/archive';
import { syntheticWindow } from '../test/synthetic-source.ts';

const tries = 5;
const withdrawn = 60;
const limitsMs = { purge: 1_000, query: 5_000 };
const vds = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));
const program = fileURLToPath(import.meta.url);
const vinOf = (number: number) => `BENCHVEHICLE${`${number}`.padStart(5, '0')}`;

/** An archive in which every vehicle has the files of the first one, as links. */
async function makeArchive(vehicles: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'limits-'));
  await using archive = await createArchive({ folder, source: 'http://127.0.0.1:8787' });
  const first = { vehicles: [{ brand: 'brand_a', vin: vinOf(0) }], readWindow: syntheticWindow };
  await archive.export({ ...first, series: ['driving'], from: '2026-01-01', to: '2026-04-01' });
  await archive.export({ ...first, series: ['powertrain'], from: '2026-01-01', to: '2026-03-31' });
  const folderOf = (number: number) => join(folder, 'brand=brand_a', `vehicle=${archive.pseudonymOf(vinOf(number))}`);
  const from = folderOf(0);
  const names = readdirSync(from, { recursive: true }).map(String);
  const files = names.filter((name) => statSync(join(from, name)).isFile());
  for (let number = 1; number < vehicles; number += 1) {
    const to = folderOf(number);
    for (const name of new Set(files.map((file) => dirname(file)))) mkdirSync(join(to, name), { recursive: true });
    for (const name of files)
      if (name.endsWith('.parquet')) linkSync(join(from, name), join(to, name));
      else writeFileSync(join(to, name), readFileSync(join(from, name)));
  }
  const count = files.filter((name) => name.endsWith('.parquet')).length * vehicles;
  console.log(`${vehicles} vehicles, ${count} files`);
  return folder;
}

/** Purges the next vehicles of an archive, as a sync does. Prints milliseconds: of the clock, and of the processor. */
async function purgeNext(folder: string, vehicles: number, purgedBefore: number): Promise<void> {
  const vins = Array.from({ length: vehicles }, (_, number) => vinOf(number)).slice(purgedBefore + withdrawn);
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  {
    await using archive = await openArchive({ folder });
    const { receipts } = await archive.reconcile({ brand: 'brand_a', vins });
    if (receipts.length !== withdrawn) throw new Error(`${receipts.length} receipts`);
  }
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify([performance.now() - startedAt, (user + system) / 1000]));
}

/** Runs a program. @returns milliseconds of the clock, and what it printed */
function run(...args: readonly string[]): readonly [number, string] {
  const startedAt = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return [performance.now() - startedAt, stdout];
}

function report(name: keyof typeof limitsMs, wall: readonly number[], more = ''): void {
  const median = wall.toSorted((one, other) => one - other)[wall.length >> 1] ?? Number.NaN;
  const isKept = median <= limitsMs[name];
  if (!isKept) process.exitCode = 1;
  const all = wall.map((ms) => ms.toFixed(0)).join(', ');
  console.log(`${name}: ${median.toFixed(0)} of ${limitsMs[name]} ms${isKept ? '' : ', TOO LONG'} (${all}${more})`);
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
if (positionals[0] === 'purge') await purgeNext(positionals[1] ?? '', Number(positionals[2]), Number(positionals[3]));
else {
  const vehicles = Number(positionals[0] ?? 1_666);
  const folder = await makeArchive(vehicles);
  try {
    if (values.only !== 'purge') {
      const archive = await openArchive({ folder, readOnly: true });
      const times = Array.from({ length: tries }, (_, number) => {
        const sql = `SELECT count(*) AS trips FROM driving_trips WHERE vehicle = '${archive.pseudonymOf(vinOf(vehicles - 1 - number))}'`;
        const [ms, text] = run(vds, 'query', '--json', '--out', folder, sql);
        if (!/"trips":[1-9]/.test(text)) throw new Error(text);
        return ms;
      });
      report('query', times);
    }
    if (values.only !== 'query') {
      const times = Array.from({ length: Math.min(tries, Math.floor(vehicles / 3 / withdrawn)) }, (_, index) => {
        const [, text] = run(program, 'purge', folder, `${vehicles}`, `${index * withdrawn}`);
        const [wall = 0, processor = 0]: number[] = JSON.parse(text);
        return { wall, processor };
      });
      const processor = times.map((one) => one.processor.toFixed(0)).join(', ');
      report(
        'purge',
        times.map(({ wall }) => wall),
        `; processor ${processor}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
