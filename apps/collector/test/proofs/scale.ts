// prove:scale: processor time a window beside a plain loop, with one and two processes, from recorded bodies behind nginx; and what a window
// costs the database, with tiny bodies.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { Pool } from 'pg';
import { startPostgres } from '../support/databases.ts';
import { startFleetService, vinOf } from './fleet-service.ts';
import { endWithChildren, numbersOf, type Running, runCollector, runProgram } from './processes.ts';

endWithChildren();
const options = numbersOf({ vehicles: 10_000, tiny: 1_000_000, rounds: 1 });
const sandboxProgram = fileURLToPath(new URL('../../../sandbox/dist/node.js', import.meta.url));
const loopProgram = fileURLToPath(new URL('plain-loop.ts', import.meta.url));
const day = 86_400_000;
const today = new Date().toISOString().slice(0, 10);

/** Bodies of a window of eight days of each series, as the sandbox sends them. */
async function recorded(folder: string): Promise<void> {
  const port = await getPort();
  const sandbox = spawn(process.execPath, [sandboxProgram, '--port', `${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(sandbox.stdout, 'data');
  const [startDate, endDate] = [9, 2].map((days) =>
    new Date(Date.now() - days * day).toISOString().slice(0, 10).replaceAll('-', ''),
  );
  for (const [series, name] of [
    ['driving', 'driving.json'],
    ['powertrains', 'powertrains.json'],
  ] as const) {
    const headers = { brand: 'brand_a', authorization: 'Bearer demo-access-token' };
    const url = `http://127.0.0.1:${port}/v1/vehicles/SANDB0XA000000001/${series}/data?startDate=${startDate}&endDate=${endDate}&zoneId=UTC`;
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error('the sandbox gave no body');
    await writeFile(join(folder, name), Buffer.from(await response.arrayBuffer()));
  }
  sandbox.kill();
  const vehicles = Array.from({ length: options.vehicles }, (_, at) => ({
    vin: vinOf(at),
    type: 'EV',
    nickname: 'x',
    name: 'NE1',
    sellname: 'M',
  }));
  await writeFile(
    join(folder, 'list.json'),
    JSON.stringify({ data: { vehicles }, meta: { code: 200, message: 'Success', success: 'true' } }),
  );
}

async function startNginx(folder: string) {
  const port = await getPort();
  const config = join(folder, 'nginx.conf');
  await writeFile(
    config,
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit; events {}
http { access_log off; default_type application/json; client_body_temp_path ${folder}/t; proxy_temp_path ${folder}/t; fastcgi_temp_path ${folder}/t; uwsgi_temp_path ${folder}/t; scgi_temp_path ${folder}/t;
server { listen 127.0.0.1:${port};
  location = /v1/vehicles/consent { alias ${folder}/list.json; }
  location ~ /driving/ { root ${folder}; try_files /driving.json =404; }
  location ~ /powertrains/ { root ${folder}; try_files /powertrains.json =404; } } }`,
  );
  const nginx = spawn('nginx', ['-c', config, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => void nginx.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  for (let look = 0; !(await fetch(`${url}/v1/vehicles/consent`).catch(() => undefined))?.ok; look += 1) {
    if (look > 600) throw new Error('nginx did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop: () => nginx.kill('SIGKILL') };
}

interface Row {
  readonly what: string;
  readonly cpuMsAWindow: number;
  readonly windowsASecond: number;
  readonly memoryMb: number;
}

async function measure(what: string, windows: number, running: readonly Running[]): Promise<Row> {
  console.error(`${what}: ${windows} windows`);
  const from = performance.now();
  const codes = await Promise.all(running.map(({ ended }) => ended));
  if (codes.some((code) => code !== 0))
    throw new Error(`${what} failed: ${running.map(({ printed }) => printed()).join()}`);
  const seconds = (performance.now() - from) / 1000;
  const cpu = running.reduce((sum, one) => sum + one.cpu(), 0);
  return {
    what,
    cpuMsAWindow: Math.round((cpu * 10_000) / windows) / 10,
    windowsASecond: Math.round((windows * 10) / seconds) / 10,
    memoryMb: Math.round(Math.max(...running.map(({ memory }) => memory()))),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'vds-scale-'));
const postgres = await startPostgres();
const rows: Row[] = [];
try {
  await recorded(folder);
  const nginx = await startNginx(folder);
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
