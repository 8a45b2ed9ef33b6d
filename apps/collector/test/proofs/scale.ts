// prove:scale: processor time a window beside a plain loop, with one and two processes, from recorded bodies behind nginx; and what a window
// costs the database, with tiny bodies.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { startPostgres } from '../support/databases.ts';
import { startFleetService } from './fleet-service.ts';
import { endWithChildren, numbersOf, runCollector, runProgram } from './processes.ts';
import { measure, type Row, startRecorded } from './recorded.ts';

endWithChildren();
const options = numbersOf({ vehicles: 10_000, tiny: 1_000_000, rounds: 1 });
const loopProgram = fileURLToPath(new URL('plain-loop.ts', import.meta.url));
const today = new Date().toISOString().slice(0, 10);

const folder = await mkdtemp(join(tmpdir(), 'vds-scale-'));
const postgres = await startPostgres();
const rows: Row[] = [];
try {
  const nginx = await startRecorded(folder, options.vehicles);
  const common = {
    VDS_BASE_URL: nginx.url,
    VDS_BRAND: 'brand_a',
    VDS_SINCE: today,
    VDS_MAX_RATE: '1000',
    VDS_EVERY: '1440',
  };
  const windows = options.vehicles * 2;
  const lakes = new Map<string, ReadonlyMap<string, string>>();
  for (let round = 0; round < options.rounds; round += 1) {
    const loop = join(folder, `loop-${round}`);
    await mkdir(loop);
    rows.push(await measure('plain loop', windows, [runProgram([loopProgram, nginx.url, loop], {})]));
    for (const processes of [1, 2]) {
      const name = `p${processes}_${round}`;
      const lake = join(folder, name);
      await mkdir(lake);
      await writeFile(join(lake, 'archive.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
      const env = { ...common, VDS_LAKE: lake, VDS_DATABASE_URL: await postgres.create(name) };
      const running = Array.from({ length: processes }, () => runCollector(['start', '--once'], env));
      rows.push(await measure(`${processes} process${processes > 1 ? 'es' : ''}`, windows, running));
      lakes.set(name, await hashesOf(lake));
    }
    lakes.set('loop', await hashesOf(loop));
  }
  nginx.stop();
  const [first, ...others] = [...lakes.values()].map((lake) => JSON.stringify([...lake].sort()));
  const isSame = others.every((other) => other === first);

  const service = await startFleetService(Math.ceil(options.tiny / 2));
  const url = await postgres.create('tiny');
  const lake = join(folder, 'tiny');
  const tiny = await measure('tiny bodies', options.tiny, [
    runCollector(['start', '--once'], {
      ...common,
      VDS_BASE_URL: service.url,
      VDS_LAKE: lake,
      VDS_DATABASE_URL: url,
      VDS_CONCURRENCY: '8',
    }),
  ]);
  rows.push(tiny);
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
  const [database] = found;
  console.log(
    JSON.stringify(
      {
        ...options,
        cpu: cpus()[0]?.model,
        rows,
        sameBytes: isSame,
        databaseMsAWindow: Math.round((100 * (database?.ms ?? 0)) / (database?.windows ?? 1)) / 100,
        ledgerBytesAWindow: Math.round((database?.bytes ?? 0) / (database?.windows ?? 1)),
      },
      null,
      2,
    ),
  );
  if (!isSame) throw new Error('the lakes are not the same');
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
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
