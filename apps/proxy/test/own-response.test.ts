import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startProgram } from './support/program.ts';
import { type Behavior, responseWith, startRawUpstream } from './support/servers.ts';
import { requestLines } from './support/set-up.ts';
import { RawClient, valuesOf } from './support/wire.ts';

// Every request carries its own token and VIN, and the upstream responds with a mark made of both. One request in ten meets
// an upstream fault, and one client in ten leaves. `pnpm run prove:requests` sends twenty times as many.
const requests = Number(process.env['VDS_MODEL_RUNS'] ?? 1500);
const connections = 32;
// The order in which clients take their turns is not the seed's. `SEED` plays another one.
const seed = Number(process.env['SEED'] ?? 20261129);
let state = seed % 2 ** 31;
const random = (below: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((state / 2 ** 31) * below);
};

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

const respond: Behavior = (socket, request) => {
  const mark = `${valuesOf(request, 'authorization')}/${/vehicles\/(\w{17})\//.exec(request.start)?.[1]}`;
  const body = `{"data":{"location":{"mark":"${mark}"}},"meta":{"filler":"${'x'.repeat(random(400))}"}}`;
  const response = responseWith(body).toString();
  if (valuesOf(request, 'x-request-id')[0]?.startsWith('fault')) faults[random(faults.length)]?.(socket, response);
  else socket.write(response);
};

const counts = { sent: 0, own: 0, rejected: 0, broken: 0, left: 0, mixed: 0 };

/** Sends requests, some of them two at once, until the connection or the supply ends. */
async function runConnection(port: number, number: number): Promise<void> {
  const client = new RawClient(port);
  for (let count = 0; client.ending === 'open' && counts.sent < requests; ) {
    const leaving = random(10) === 0;
    const sent = Array.from({ length: random(4) === 0 ? 2 : 1 }, () => {
      const serial = counts.sent++;
      const [token, vin] = [`t${number}-${serial}`, `MARK${String(serial).padStart(13, '0')}`];
      const kind = random(10) === 0 ? 'fault' : 'plain';
      const lines = requestLines(`GET /v1/vehicles/${vin}/locations`, `X-Request-Id: ${kind}-${serial}-x`);
      return { lines: lines.replace('Bearer t', `Bearer ${token}`), mark: `Bearer ${token}/${vin}` };
    });
    client.send(sent.map(({ lines }) => lines).join(''));
    if (leaving) setTimeout(() => client.close(), random(3));
    for (const { mark } of sent) {
      // By its number, so that a response too many is noticed.
      const response = (await client.responses(++count))[count - 1];
      const found = /"mark":"([^"]*)"/.exec(response?.body.toString() ?? '')?.[1];
      if (response === undefined) counts[leaving ? 'left' : 'broken']++;
      else if (found === undefined) counts.rejected++;
      else if (found === mark && (mark !== sent.at(-1)?.mark || client.reading().rest.length === 0)) counts.own++;
      else counts.mixed++;
    }
    if (leaving) break;
  }
  client.close();
}

it('every client gets its own response, also when upstreams fail and clients leave', async () => {
  const { url } = await startRawUpstream(respond);
  const proxy = await startProgram({ VDS_UPSTREAM_URL: url, VDS_LOG_LEVEL: 'silent' });
  const clients = Array.from({ length: connections }, async (_, number) => {
    while (counts.sent < requests) await runConnection(proxy.port, number);
  });
  await Promise.all(clients);
  expect(counts.mixed, `seed ${seed}`).toBe(0);
  expect(counts.own).toBeGreaterThan(requests / 2);
  expect(counts.rejected + counts.broken).toBeGreaterThan(0);
  expect(counts.left).toBeGreaterThan(0);
  expect(proxy.process.exitCode).toBeNull();
});
