// Sends mutated requests and lets an independent strict reader judge whatever reaches the service.
//   node bench/safety/fuzz.ts [--count 100000] [--seed 1] [--peers]
// Needs python3 with h11; --peers also needs nginx and haproxy (Debian: python3-h11, nginx, haproxy).
import { spawnSync } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startProgram } from '../../test/support/program.ts';
import { mutatedRequest, randomFrom } from './mutate.ts';
import { startPeers } from './peers.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    peers: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const seed = Number(values.seed);
const judgeFile = fileURLToPath(new URL('requests-judge.py', import.meta.url));
const body =
  '{"data":{"vehicles":[]},"meta":{"code":200,"message":"ok","success":"true","timestamp":"2026-03-09T07:00:00Z","requestId":"r"}}';
const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** A service that keeps what each connection sent and answers every empty line. */
async function recordingService() {
  const connections: Buffer[][] = [];
  const server = createServer((socket) => {
    const pieces: Buffer[] = [];
    connections.push(pieces);
    let tail = '';
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      tail += piece.toString('latin1');
      const parts = tail.split('\r\n\r\n');
      tail = parts.pop() ?? '';
      for (const _ of parts) socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, connections, close: () => server.close() };
}

/** Sends one input on a connection of its own; gives the statuses that came back, or `silent`. */
function tryInput(port: number, input: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve([...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map((found) => found[1]).join(' ') || 'silent');
    };
    // An unfinished head is not waited for; an answer that may be followed by another is, a little.
    let timer = setTimeout(done, 100);
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(done, 15);
    });
    socket.on('end', done);
    socket.on('error', done);
    socket.write(input);
  });
}

async function run(name: string, port: number, service: Awaited<ReturnType<typeof recordingService>>): Promise<void> {
  const random = randomFrom(seed);
  const statuses = new Map<string, number>();
  const startedMs = performance.now();
  let sent = 0;
  const worker = async () => {
    while (sent < count) {
      sent++;
      const result = (await tryInput(port, mutatedRequest(random))).split(' ')[0] ?? '';
      statuses.set(result, (statuses.get(result) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 48 }, worker));
  const judge = spawnSync('/usr/bin/python3', [judgeFile], {
    input: service.connections.map((pieces) => Buffer.concat(pieces).toString('base64')).join('\n'),
    maxBuffer: 1e9,
  });
  const verdict = JSON.parse(judge.stdout.toString() || '{}') as {
    requests: number;
    violations: Record<string, number>;
  };
  const illegal = Object.values(verdict.violations).reduce((sum, each) => sum + each, 0);
  const first = [...statuses].sort((a, b) => b[1] - a[1]).map(([status, number]) => `${status}: ${number}`);
  console.log(`\n${name}: ${count} inputs (seed ${seed}) in ${Math.round((performance.now() - startedMs) / 1000)} s`);
  console.log(
    `  reached the service: ${verdict.requests} requests; illegal: ${illegal} ${JSON.stringify(verdict.violations)}`,
  );
  console.log(`  first answers: ${first.join(', ')}`);
  if (name === 'vds-proxy' && illegal > 0) process.exitCode = 1;
}

const own = await recordingService();
const proxy = await startProgram({ VDS_UPSTREAM_URL: `http://127.0.0.1:${own.port}`, VDS_LOG_LEVEL: 'silent' });
await run('vds-proxy', proxy.port, own);
const alive = await fetch(`http://127.0.0.1:${proxy.port}/healthz`)
  .then((answer) => answer.ok)
  .catch(() => false);
const crashed = !alive || proxy.process.exitCode !== null || proxy.process.signalCode !== null;
console.log(`  crashes: ${crashed ? 1 : 0}`);
if (crashed) process.exitCode = 1;
proxy.process.kill('SIGTERM');
await proxy.exit;
own.close();
if (values.peers) {
  for (const peer of ['nginx', 'haproxy'] as const) {
    const service = await recordingService();
    const started = await startPeers(peer, service.port);
    await run(peer, started.port, service);
    started.stop();
    service.close();
  }
}
process.exit();
