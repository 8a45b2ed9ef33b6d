// Measures small responses against a bare Hono application, interleaved, with wrk (https://github.com/wg/wrk); start-up and memory too.
//   node bench/small-responses.ts
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { operations } from '@vehicle-data/openapi';

const brand = operations.listVehicles.parameters[0].rule.enum[0];
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Server {
  readonly child: ChildProcess;
  readonly base: string;
  readonly startMs: number;
}

function start(path: string): Promise<Server> {
  const begin = performance.now();
  const child = spawn(process.execPath, [file(path)], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) => {
    child.stdout.once('data', (text: Buffer) => {
      const base = String(text).split(' ').at(-1)?.trim() ?? '';
      resolve({ child, base, startMs: performance.now() - begin });
    });
  });
}

/** Seconds of processor time that a process has used (Linux). */
function cpuSeconds({ child }: Server): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

const memoryMb = ({ child }: Server): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1000;

function load(server: Server, path: string): { readonly perSecond: number; readonly cpuUs: number } {
  const before = cpuSeconds(server);
  const headers = ['-H', `Brand: ${brand}`, '-H', 'Authorization: Bearer demo-access-token'];
  const text = execFileSync('wrk', ['-t1', '-c32', '-d1s', ...headers, server.base + path], { encoding: 'utf8' });
  if (/Non-2xx/.test(text)) throw new Error(text);
  const requests = Number(/(\d+) requests in/.exec(text)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
  return { perSecond, cpuUs: ((cpuSeconds(server) - before) / requests) * 1e6 };
}

const median = (values: readonly number[]) => values.toSorted((one, two) => one - two)[values.length >> 1] as number;

const hello = await start('hello.ts');
const sandbox = await start('../dist/node.js');
const idleMb = memoryMb(sandbox);
const targets = {
  'hono hello, 200 B': [hello, '/'],
  'current status': [sandbox, '/v1/vehicles/SANDB0XA000000001/batteries'],
  location: [sandbox, '/v1/vehicles/SANDB0XA000000001/locations'],
  'vehicle list': [sandbox, '/v1/vehicles/consent'],
} as const;
const results = Object.keys(targets).map((name) => ({ name, perSecond: [] as number[], cpuUs: [] as number[] }));
for (let round = 0; round < 9; round++) {
  for (const result of results) {
    const [server, path] = targets[result.name as keyof typeof targets];
    const { perSecond, cpuUs } = load(server, path);
    if (round < 2) continue;
    result.perSecond.push(perSecond);
    result.cpuUs.push(cpuUs);
  }
}
console.log(
  `node ${process.version}, ${cpus()[0]?.model}, ${cpus().length} cores shared with wrk; medians of 7 rounds, 32 connections`,
);
const peer = results[0] as (typeof results)[number];
for (const { name, perSecond, cpuUs } of results) {
  const ratios = `${(median(perSecond) / median(peer.perSecond)).toFixed(2)} of hello's requests, ${(median(cpuUs) / median(peer.cpuUs)).toFixed(2)} of its CPU each`;
  console.log(
    `${name.padEnd(18)} ${median(perSecond).toFixed(0).padStart(7)}/s ${median(cpuUs).toFixed(1).padStart(6)} µs  ${ratios}`,
  );
}
console.log(`idle memory ${idleMb.toFixed(0)} MB; after the load ${memoryMb(sandbox).toFixed(0)} MB`);
const starts: number[] = [];
for (let round = 0; round < 5; round++) {
  const server = await start('../dist/node.js');
  starts.push(server.startMs);
  server.child.kill();
}
console.log(`from the start of the process to its first line: ${median(starts).toFixed(0)} ms (median of 5)`);
hello.child.kill();
sandbox.child.kill();
