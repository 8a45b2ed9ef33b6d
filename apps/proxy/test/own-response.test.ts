import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { randomFrom } from './support/mutated-requests.ts';
import { startProgram } from './support/program.ts';

// Every request carries its own token and VIN, and the upstream responds with a mark made of both. One request in ten meets
// an upstream fault, and one client in ten leaves.
const requests = 5_000;
const connections = 32;
const random = randomFrom(7);

const faults: readonly ((socket: Socket, response: string) => void)[] = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket, response) => socket.end(response.slice(0, response.length >> 1)),
  (socket) => socket.end('SSH-2.0-x\r\n'),
  (socket, response) => socket.write(response + response),
  (socket, response) =>
    socket.write(response.replace('Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length')),
  (socket, response) => socket.write(response.replace('200 OK', '302 Found')),
  (socket, response) => socket.write(response.replace('application/json', 'text/html')),
  (socket, response) => {
    socket.write(response);
    setTimeout(() => socket.write('HTTP/1.1 200 OK\r\n'), 1);
  },
];

const upstream = createServer((socket) => {
  socket.on('error', () => {});
  let unread = '';
  socket.on('data', (piece: Buffer) => {
    unread += piece.toString('latin1');
    for (let end = unread.indexOf('\r\n\r\n'); end !== -1; end = unread.indexOf('\r\n\r\n')) {
      const head = unread.slice(0, end);
      unread = unread.slice(end + 4);
      const mark = `${/bearer (\S+)/i.exec(head)?.[1]}/${/vehicles\/(\w{17})\//.exec(head)?.[1]}`;
      const body = `{"data":{"location":{"mark":"${mark}"}},"meta":{"filler":"${'x'.repeat(random(400))}"}}`;
      const response = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      if (head.includes('x-request-id: fault')) faults[random(faults.length)]?.(socket, response);
      else socket.write(response);
    }
  });
});
const counts = { sent: 0, own: 0, rejected: 0, broken: 0, left: 0, mixed: 0 };

/** Sends one request after the other until the connection or the supply ends. */
function runConnection(port: number, number: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let expected = '';
    let text = '';
    let leaving = false;
    const next = () => {
      if (counts.sent >= requests) return void socket.destroy();
      const serial = counts.sent++;
      const [token, vin] = [`t${number}-${serial}`, `MARK${String(serial).padStart(13, '0')}`];
      const kind = random(10) === 0 ? 'fault' : 'plain';
      expected = `${token}/${vin}`;
      text = '';
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
      if (mark === undefined) counts.rejected++;
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

it('every client gets its own response, also when upstreams fail and clients leave', async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void upstream.close());
  const { port } = upstream.address() as AddressInfo;
  const proxy = await startProgram({ VDS_UPSTREAM_URL: `http://127.0.0.1:${port}`, VDS_LOG_LEVEL: 'silent' });
  const clients = Array.from({ length: connections }, async (_, number) => {
    while (counts.sent < requests) await runConnection(proxy.port, number);
  });
  await Promise.all(clients);
  expect(counts.mixed).toBe(0);
  expect(counts.own).toBeGreaterThan(requests / 2);
  expect(counts.rejected + counts.broken).toBeGreaterThan(0);
  expect(counts.left).toBeGreaterThan(0);
  expect(proxy.process.exitCode).toBeNull();
});
