import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startProgram } from './support/program.ts';
import { portOf, responseWith } from './support/servers.ts';
import { requestLines } from './support/set-up.ts';
import { RawClient } from './support/wire.ts';

// Every request carries its own token and VIN, and the upstream responds with a mark made of both. One request in ten meets
// an upstream fault, and one client in ten leaves.
const requests = 5_000;
const connections = 32;
const random = (below: number) => Math.floor(Math.random() * below);

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
    const heads = (unread + piece.toString('latin1')).split('\r\n\r\n');
    unread = heads.pop() ?? '';
    for (const head of heads) {
      const mark = `${/bearer (\S+)/i.exec(head)?.[1]}/${/vehicles\/(\w{17})\//.exec(head)?.[1]}`;
      const body = `{"data":{"location":{"mark":"${mark}"}},"meta":{"filler":"${'x'.repeat(random(400))}"}}`;
      const response = responseWith(body).toString();
      if (head.includes('x-request-id: fault')) faults[random(faults.length)]?.(socket, response);
      else socket.write(response);
    }
  });
});
const counts = { sent: 0, own: 0, rejected: 0, broken: 0, left: 0, mixed: 0 };

/** Sends one request after the other until the connection or the supply ends. */
async function runConnection(port: number, number: number): Promise<void> {
  const client = new RawClient(port);
  for (let count = 1; client.ending === 'open' && counts.sent < requests; count++) {
    const serial = counts.sent++;
    const [token, vin] = [`t${number}-${serial}`, `MARK${String(serial).padStart(13, '0')}`];
    const kind = random(10) === 0 ? 'fault' : 'plain';
    const leaving = random(10) === 0;
    const lines = requestLines(`GET /v1/vehicles/${vin}/locations`, `X-Request-Id: ${kind}-${serial}-x`);
    client.send(lines.replace('Bearer t', `Bearer ${token}`));
    if (leaving) setTimeout(() => client.close(), random(3));
    const response = (await client.responses(count))[count - 1];
    const mark = /"mark":"([^"]*)"/.exec(response?.body.toString() ?? '')?.[1];
    if (response === undefined) counts[leaving ? 'left' : 'broken']++;
    else if (mark === undefined) counts.rejected++;
    else if (mark === `${token}/${vin}` && client.reading().rest.length === 0) counts.own++;
    else counts.mixed++;
    if (leaving) break;
  }
  client.close();
}

it('every client gets its own response, also when upstreams fail and clients leave', async () => {
  const port = await portOf(upstream);
  onTestFinished(() => void upstream.close());
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
