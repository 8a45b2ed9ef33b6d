// prove:scale: processor time a window beside a plain loop, with one and two processes, from recorded bodies behind nginx; and what a window
// costs the database, with tiny bodies. With `vehicles=0` or `tiny=0` only the other half.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { startPostgres } from '../support/postgres.ts';
import { startFleetService } from './fleet-service.ts';
import { endWithChildren, numbersOf, printRow, runCollector, runProgram } from './processes.ts';
import { measure, type Row, startRecorded } from './recorded.ts';

endWithChildren();
const options = numbersOf({ vehicles: 10_000, tiny: 1_000_000, rounds: 1 });
const loopProgram = fileURLToPath(new URL('plain-loop.ts', import.meta.url));
const today = new Date().toISOString().slice(0, 10);

const folder = await mkdtemp(join(tmpdir(), 'vds-scale-'));
const postgres = await startPostgres();
const common = { VDS_BRAND: 'brand_a', VDS_SINCE: today, VDS_MAX_RATE: '1000', VDS_EVERY: '1440' };
try {
  if (options.vehicles > 0) await proveProcessorTime();
  if (options.tiny > 0) await proveDatabase();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}

/** Processes beside a plain loop: the same files, and what a window of each costs. */
async function proveProcessorTime(): Promise<void> {
  const nginx = await startRecorded(folder, options.vehicles);
  const windows = options.vehicles * 2;
  const rows: Row[] = [];
  const lakes: ReadonlyMap<string, string>[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const loop = join(folder, `loop-${round}`);
    await mkdir(loop);
    rows.push(await measure('plain loop', windows, [runProgram([loopProgram, nginx.url, loop], {})]));
    lakes.push(await hashesOf(loop));
    for (const processes of [1, 2]) {
      const name = `p${processes}_${round}`;
      const lake = join(folder, name);
      await mkdir(lake);
      await writeFile(join(lake, 'archive.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
      const database = await postgres.create(name);
      const env = { ...common, VDS_BASE_URL: nginx.url, VDS_LAKE: lake, VDS_DATABASE_URL: database };
      const running = Array.from({ length: processes }, () => runCollector(['start', '--once'], env));
      rows.push(await measure(`${processes} process${processes > 1 ? 'es' : ''}`, windows, running));
      lakes.push(await hashesOf(lake));
    }
  }
  nginx.stop();
  const [first, ...others] = lakes.map((lake) => JSON.stringify([...lake].sort()));
  const isSame = others.every((other) => other === first);
  console.log(JSON.stringify({ ...options, cpu: cpus()[0]?.model, rows, sameBytes: isSame }, null, 2));
  const medianOf = (what: string, number: (row: Row) => number) => {
    const numbers = rows.filter((row) => row.what === what).map(number);
    return numbers.sort((one, other) => one - other)[numbers.length >> 1] ?? 0;
  };
  const ratio = (one: number, other: number) => (other === 0 ? '-' : (one / other).toFixed(2));
  const [loop, single, pair] = ['plain loop', '1 process', '2 processes'].map((what) => ({
    cpu: medianOf(what, ({ cpuMsAWindow }) => cpuMsAWindow),
    rate: medianOf(what, ({ windowsASecond }) => windowsASecond),
    memory: medianOf(what, ({ memoryMb }) => memoryMb),
  }));
  if (loop && single && pair)
    printRow(
      'scale: processor',
      { vehicles: options.vehicles, rounds: options.rounds },
      `loop ${loop.cpu} ms a window; 1 process ${ratio(single.cpu, loop.cpu)} x (goal 1.3), 2 processes ${ratio(pair.cpu, loop.cpu)} x, ${ratio(pair.rate, single.rate)} x the rate (goal 1.5), ${pair.memory} MB; ${isSame ? 'same bytes' : 'OTHER BYTES'}`,
    );
  if (!isSame) throw new Error('the lakes are not the same');
}

/** What a window costs the database. */
async function proveDatabase(): Promise<void> {
  const service = await startFleetService(Math.ceil(options.tiny / 2));
  const url = await postgres.create('tiny');
  const env = { ...common, VDS_BASE_URL: service.url, VDS_LAKE: join(folder, 'tiny'), VDS_DATABASE_URL: url };
  const row = await measure('tiny bodies', options.tiny, [
    runCollector(['start', '--once'], { ...env, VDS_CONCURRENCY: '8' }),
  ]);
  await service.close();
  const pool = new Pool({ connectionString: url });
  pool.on('error', () => {});
  // Numbers of a backend are sent when it is idle for a second or ends.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { rows: found } = await pool.query<{ ms: number; bytes: number; windows: number }>(
    `select active_time as ms, (select count(*)::int from vds.windows) as windows,
       (pg_total_relation_size('vds.windows'))::float8 as bytes from pg_stat_database where datname = 'tiny'`,
  );
  await pool.end();
  const [{ ms, bytes, windows } = { ms: 0, bytes: 0, windows: 1 }] = found;
  const [msAWindow, bytesAWindow] = [Math.round((100 * ms) / windows) / 100, Math.round(bytes / windows)];
  console.log(JSON.stringify({ ...options, cpu: cpus()[0]?.model, row, msAWindow, bytesAWindow }, null, 2));
  printRow(
    'scale: database',
    { tiny: options.tiny },
    `${msAWindow} ms of database time a window (goal 5), ${bytesAWindow} bytes of the ledger (goal 600), ${row.cpuMsAWindow} ms of processor time, ${row.memoryMb} MB`,
  );
}

async function hashesOf(lake: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(lake, { recursive: true })).filter((name) => name.endsWith('.parquet'));
  const hashes = new Map<string, string>();
  for (const name of names)
    hashes.set(
      name,
      createHash('sha256')
        .update(await readFile(join(lake, name)))
        .digest('hex'),
    );
  return hashes;
}
