import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { ApiKeys } from '../src/auth/api-keys.js';
import { startGuarded } from './support/guarded-proxy.ts';
import { startProgram } from './support/program.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** An address of this machine that is none of its loopback addresses. */
const outside = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
if (outside === undefined)
  console.warn('connections of one address are not tried: this machine has loopback addresses only');

async function open(port: number, host: string): Promise<Socket> {
  const socket = connect(port, host).on('error', () => {});
  cleanUp.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

it.skipIf(outside === undefined)(
  'one address cannot use up the connections of others, nor those of probes',
  async () => {
    const program = await startProgram({
      VDS_UPSTREAM_URL: 'http://127.0.0.1:9',
      VDS_HOST: '0.0.0.0',
      VDS_CLIENT_AUTH: 'jwt',
      VDS_JWKS_URL: 'http://127.0.0.1:9/keys',
      VDS_JWT_ISSUER: 'issuer',
      VDS_JWT_AUDIENCE: 'proxy',
      VDS_UPSTREAM_AUTH: 'static',
      VDS_ACCESS_TOKEN: 'own',
      VDS_MAX_CONNECTIONS_PER_ADDRESS: '5',
    });
    cleanUp.push(() => program.process.kill('SIGKILL'));
    const sockets = await Promise.all(Array.from({ length: 12 }, () => open(program.port, outside ?? '')));
    const closed = () => sockets.filter((socket) => socket.destroyed || socket.readableEnded || socket.closed).length;
    for (const socket of sockets) socket.resume();
    await expect.poll(closed).toBe(7);
    expect((await fetch(`http://127.0.0.1:${program.port}/healthz`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => (await fetch(`http://${outside}:${program.port}/healthz`).catch(() => null))?.status)
      .toBe(200);
  },
);

it('a client without good credentials does not keep its connection', async () => {
  const clientAuth = new ApiKeys(() => '', false);
  const proxy = await startGuarded(
    { upstreamUrl: 'http://127.0.0.1:9', upstreamAuth: { kind: 'static', accessToken: 'own' } },
    { clientAuth },
  );
  cleanUp.push(proxy.close);
  const socket = await open(Number(new URL(proxy.url).port), '127.0.0.1');
  socket.write('GET /v1/vehicles/consent HTTP/1.1\r\nHost: localhost\r\nBrand: brand_a\r\n\r\n');
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await once(socket, 'end');
  expect(text).toContain('HTTP/1.1 401');
  expect(text.toLowerCase()).toContain('connection: close');
});
