import { expect, it } from 'vitest';
import { anonymous, type ClientAuth } from '../src/auth/client.js';
import { CountedLimits } from '../src/limits/rate-limits.js';
import { type Behavior, respondSuccess } from './support/servers.ts';
import { byName, consent, locationOf, requestLines, startPair } from './support/set-up.ts';
import { statusOf, valuesOf } from './support/wire.ts';

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{"a":"';
const piece = Buffer.alloc(65_536, 'a');

/** Responses without an end to calls of vehicles, and at once to others. */
const behave: Behavior = (socket, request) => {
  if (!request.start.includes('locations')) {
    respondSuccess(socket, request);
    return;
  }
  socket.write(head);
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};
const read = (name: string) => requestLines(`GET ${locationOf()}`, `X-Api-Key: ${name}`);
const ask = (name: string) => requestLines(`GET ${consent}`, `X-Api-Key: ${name}`);

it('a client that does not take its responses has an eighth of the requests in flight, and others are served', async () => {
  const { proxy, connect } = await startPair(behave, { maxInFlight: 160, clientAuth: byName });
  const readers = Array.from({ length: 200 }, connect);
  for (const reader of readers) {
    reader.socket.pause();
    reader.send(read('reader'));
  }
  await expect.poll(() => proxy.records.length).toBe(180);
  expect(proxy.pipeline.inFlight).toBe(20);
  expect(new Set(proxy.records.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['429 rate-limited']));
  for (let turn = 0; turn < 20; turn++) expect(statusOf(await connect().request(ask('honest')))).toBe(200);
  const shed = await connect().request(ask('reader'));
  expect([statusOf(shed), valuesOf(shed, 'retry-after')]).toEqual([429, ['1']]);
  // Those that end make room.
  for (const reader of readers) reader.socket.resetAndDestroy();
  await expect.poll(() => proxy.pipeline.inFlight).toBe(0);
  expect(statusOf(await connect().request(ask('reader')))).toBe(200);
  expect(proxy.pipeline.mostOfOneClient).toBe(0);
});

it('the share of a client is at least 16 requests, and what a setting says; without client authentication there is none', async () => {
  const countOf = async (options: Parameters<typeof startPair>[1], sent: number) => {
    const { proxy, upstream, connect } = await startPair(() => {}, options);
    const clients = Array.from({ length: sent }, connect);
    for (const client of clients) client.send(ask('one'));
    await expect.poll(() => upstream.requests().length + proxy.records.length).toBe(sent);
    const taken = upstream.requests().length;
    for (const client of clients) client.socket.resetAndDestroy();
    await expect.poll(() => proxy.pipeline.inFlight).toBe(0);
    return taken;
  };
  expect(await countOf({ clientAuth: byName, maxInFlight: 40 }, 20)).toBe(16);
  expect(await countOf({ clientAuth: byName, maxInFlight: 40, maxInFlightPerClient: 2 }, 5)).toBe(2);
  expect(await countOf({ maxInFlight: 18 }, 20)).toBe(18);
});

it('an address whose credentials fail too often waits, and good credentials of the same address pass', async () => {
  const clientAuth: ClientAuth = {
    challenge: 'Name',
    authenticate: (incoming) => (incoming.header('x-api-key') === 'good' ? { ...anonymous, id: 'good' } : null),
  };
  const limits = new CountedLimits(null, { unauthenticated: { calls: 3, seconds: 60 } });
  const options = { clientAuth, limits, trustedHops: 1 };
  const { proxy, connect } = await startPair(respondSuccess, options);
  const from = (address: string, key: string) =>
    connect().request(requestLines(`GET ${consent}`, `X-Api-Key: ${key}`, `X-Forwarded-For: ${address}`));
  const statuses = [];
  for (let turn = 0; turn < 5; turn++) statuses.push(statusOf(await from('192.0.2.7', 'bad')));
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect(Number(valuesOf(await from('192.0.2.7', 'bad'), 'retry-after')[0])).toBeGreaterThan(50);
  expect(statusOf(await from('192.0.2.7', 'good'))).toBe(200);
  expect(statusOf(await from('192.0.2.8', 'bad'))).toBe(401);
  // One network of IPv6 is one address.
  for (let turn = 0; turn < 3; turn++) await from(`2001:db8::${turn}`, 'bad');
  expect(statusOf(await from('2001:db8::9', 'bad'))).toBe(429);
  expect(proxy.unexpected).toEqual([]);
});
