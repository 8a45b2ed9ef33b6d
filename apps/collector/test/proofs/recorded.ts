// A service that costs nothing: bodies as the sandbox sends them, recorded once, from nginx. And what a program costs beside it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reservedPort } from '../../../../scripts/reserved-port.ts';
import { vinOf } from './fleet-service.ts';
import type { Running } from './processes.ts';

const sandboxProgram = fileURLToPath(new URL('../../../sandbox/dist/node.js', import.meta.url));
const day = 86_400_000;

/** Records a window of each series in a folder, and serves it for so many vehicles. */
export async function startRecorded(folder: string, vehicles: number) {
  await record(folder, vehicles);
  return startNginx(folder);
}

/** Bodies of a window of eight days of each series, as the sandbox sends them. */
async function record(folder: string, count: number): Promise<void> {
  const port = await reservedPort();
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
  const vehicles = Array.from({ length: count }, (_, at) => ({
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
  const port = await reservedPort();
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
  process.once('exit', () => void nginx.kill('SIGTERM'));
  const url = `http://127.0.0.1:${port}`;
  for (let look = 0; !(await fetch(`${url}/v1/vehicles/consent`).catch(() => undefined))?.ok; look += 1) {
    if (look > 600) throw new Error('nginx did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop: () => nginx.kill('SIGTERM') };
}

/** What a program cost. */
export interface Row {
  readonly what: string;
  readonly cpuMsAWindow: number;
  readonly windowsASecond: number;
  readonly memoryMb: number;
}

/** Waits for programs, and says what a window cost them. */
export async function measure(what: string, windows: number, running: readonly Running[]): Promise<Row> {
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
