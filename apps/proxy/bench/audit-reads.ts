// What VDS_AUDIT_READS costs: processor time of the program for a request, with and without, in one run. `node bench/audit-reads.ts`, after a
// build. Both programs serve the same requests in turns, so that what disturbs the machine disturbs both.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const rounds = Number(process.env['ROUNDS'] ?? 8);
const perRound = Number(process.env['REQUESTS'] ?? 16_000);
const body = JSON.stringify({ meta: { requestId: 'one' }, data: { vin: 'TESTVEHCLE0000001', location: {} } });
const head = { 'content-type': 'application/json', 'content-length': body.length };
const upstream = createServer((_, response) => response.writeHead(200, head).end(body));
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
const address = upstream.address();
const upstreamPort = typeof address === 'object' && address !== null ? address.port : 0;

async function start(more: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'vds-bench-'));
  const child = spawn(process.execPath, [new URL('../dist/node.js', import.meta.url).pathname], {
    env: {
      VDS_UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}`,
      VDS_PORT: '0',
      VDS_LOG_LEVEL: 'silent',
      VDS_AUDIT_FILE: join(folder, 'audit.ndjson'),
      VDS_VIN_HASH_KEY: 'k'.repeat(32),
      VDS_VALIDATE_RESPONSES: 'off',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) => {
    child.stdout.on('data', (text: Buffer) => {
      const found = /listening on \S+:(\d+)/.exec(text.toString());
      if (found !== null) resolve(Number(found[1]));
    });
  });
  return { child, port };
}

/** Processor time of all threads of a process until now, in microseconds. */
function processorTime({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
}

/** Sends requests of 500 vehicles over 8 connections. */
async function load(port: number): Promise<void> {
  const one = (first: number) =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let left = perRound / 8;
      const send = () => {
        const vin = `TESTVEHCLE${String((first + left) % 500).padStart(7, '0')}`;
        socket.write(
          `GET /v1/vehicles/${vin}/locations HTTP/1.1\r\nHost: localhost\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n\r\n`,
        );
      };
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes.toString('latin1');
        if (!text.endsWith('}')) return;
        text = '';
        if (--left > 0) send();
        else {
          socket.end();
          resolve();
        }
      });
      send();
    });
  await Promise.all(Array.from({ length: 8 }, (_, index) => one(index * 60)));
}

const programs = [await start({ VDS_AUDIT_READS: 'off' }), await start({ VDS_AUDIT_READS: 'on' })];
for (const { port } of programs) for (let round = 0; round < 3; round++) await load(port);
const used: number[][] = programs.map(() => []);
for (let round = 0; round < rounds; round++) {
  for (const turn of [0, 1]) {
    const index = (round + turn) % 2;
    const program = programs[index];
    if (program === undefined) continue;
    const before = processorTime(program.child);
    await load(program.port);
    // The last reads are written within a second.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    used[index]?.push((processorTime(program.child) - before) / perRound);
  }
}
const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
const [without = [], withReads = []] = used;
const more = withReads.map((value, round) => value - (without[round] ?? 0));
console.log(
  `processor time a request, medians of ${rounds} rounds: ${median(without).toFixed(1)} µs without, ${median(withReads).toFixed(1)} µs with VDS_AUDIT_READS; ${median(more).toFixed(1)} µs more`,
);
for (const { child } of programs) child.kill('SIGTERM');
upstream.close();
