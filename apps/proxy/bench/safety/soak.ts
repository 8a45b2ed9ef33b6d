// Many callers with faults and aborts: is every answer its own caller's, and does memory stay flat?
//   node bench/safety/soak.ts [--count 1000000] [--connections 64]
// Every call carries its own token and VIN; the service answers with a mark made of both. One call in ten meets a fault of the
// service, one in ten is left by its caller.

import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { startProgram } from '../../test/support/program.ts';
import { randomFrom } from './mutate.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000000' }, connections: { type: 'string', default: '64' } },
});
const count = Number(values.count);
const random = randomFrom(7);

const faults: readonly ((socket: Socket, answer: string) => void)[] = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket, answer) => socket.end(answer.slice(0, answer.length >> 1)),
  (socket) => socket.end('SSH-2.0-x\r\n'),
  (socket, answer) => socket.write(answer + answer),
  (socket, answer) => socket.write(answer.replace('Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length')),
  (socket, answer) => socket.write(answer.replace('200 OK', '302 Found')),
  (socket, answer) => socket.write(answer.replace('application/json', 'text/html')),
  (socket, answer) => {
    socket.write(answer);
    setTimeout(() => socket.write('HTTP/1.1 200 OK\r\n'), 1);
  },
];

/** A service whose answer names the caller and the VIN it was asked for. */
const service = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  let tail = '';
  socket.on('data', (piece: Buffer) => {
    tail += piece.toString('latin1');
    for (let end = tail.indexOf('\r\n\r\n'); end !== -1; end = tail.indexOf('\r\n\r\n')) {
      const head = tail.slice(0, end);
      tail = tail.slice(end + 4);
      const mark = `${/bearer (\S+)/i.exec(head)?.[1]}/${/vehicles\/(\w{17})\//.exec(head)?.[1]}`;
      const body = `{"data":{"location":{"mark":"${mark}"}},"meta":{"filler":"${'x'.repeat(random(400))}"}}`;
      const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      if (head.includes('x-request-id: fault')) faults[random(faults.length)]?.(socket, answer);
      else socket.write(answer);
    }
  });
});
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
const proxy = await startProgram({
  VDS_UPSTREAM_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  VDS_LOG_LEVEL: 'silent',
});

const counts = { sent: 0, own: 0, refused: 0, broken: 0, left: 0, mixed: 0 };

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${proxy.process.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** Sends calls one after the other on a connection until it ends; a caller that leaves ends it itself. */
function runConnection(number: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(proxy.port, '127.0.0.1');
    socket.setNoDelay(true);
    let expected = '';
    let text = '';
    let leaving = false;
    const next = () => {
      if (counts.sent >= count) {
        socket.destroy();
        return;
      }
      const serial = counts.sent++;
      const token = `t${number}-${serial}`;
      const vin = `SOAK${String(serial).padStart(13, '0')}`;
      expected = `${token}/${vin}`;
      text = '';
      const kind = random(10) === 0 ? 'fault' : 'plain';
      leaving = random(10) === 0;
      socket.write(
        `GET /v1/vehicles/${vin}/locations HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer ${token}\r\nX-Request-Id: ${kind}-${serial}-x\r\n\r\n`,
      );
      if (leaving) setTimeout(() => socket.destroy(), random(3));
    };
    socket.on('connect', next);
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? -1);
      if (headEnd === -1 || length === -1 || text.length < headEnd + 4 + length) return;
      const mark = /"mark":"([^"]*)"/.exec(text)?.[1];
      if (mark === undefined) counts.refused++;
      else if (mark === expected && text.length === headEnd + 4 + length) counts.own++;
      else counts.mixed++;
      expected = '';
      if (!leaving) next();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (expected !== '') counts[leaving ? 'left' : 'broken']++;
      resolve();
    });
  });
}

const startedMs = performance.now();
const memory: number[] = [];
const sampler = setInterval(() => memory.push(residentMegabytes()), 2000);
await Promise.all(
  Array.from({ length: Number(values.connections) }, async (_, number) => {
    while (counts.sent < count) await runConnection(number);
  }),
);
clearInterval(sampler);
const seconds = (performance.now() - startedMs) / 1000;
const quarter = Math.max(1, Math.floor(memory.length / 4));
const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0;
console.log(`${count} calls over ${values.connections} connections in ${Math.round(seconds)} s`);
console.log(
  `  own answers ${counts.own}, refusals ${counts.refused}, broken off ${counts.broken}, left by the caller ${counts.left}`,
);
console.log(`  mix-ups: ${counts.mixed}`);
console.log(
  `  resident memory: median of the second quarter ${median(memory.slice(quarter, 2 * quarter))} MB, of the last ${median(memory.slice(-quarter))} MB`,
);
console.log(`  the process is ${proxy.process.exitCode === null ? 'alive' : 'dead'}`);
process.exitCode = counts.mixed === 0 && proxy.process.exitCode === null ? 0 : 1;
proxy.process.kill('SIGTERM');
await proxy.exit;
process.exit();
