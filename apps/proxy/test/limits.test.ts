import { expect, it, onTestFinished, vi } from 'vitest';
import { CountedLimits, type LimitRates, WindowCounter } from '../src/limits/rate-limits.js';
import { startUpstream, successBody } from './support/servers.ts';
import { byName, clientOf, consent, fakeClocks, locationOf, startProxy, vin, withdrawal } from './support/set-up.ts';

async function start(rates: LimitRates) {
  const headers = { 'x-ratelimit-remaining': '7', ratelimit: '"upstream";r=9;t=1' };
  const upstream = await startUpstream(() => ({ headers, body: successBody({ trips: [], vehicles: [{ vin }] }) }));
  const limits = new CountedLimits(null, rates);
  const upstreamAuth = { kind: 'static', accessToken: 'own' } as const;
  const proxy = await startProxy({ upstreamUrl: upstream.url, upstreamAuth, clientAuth: byName, limits });
  const request = clientOf(proxy.url, {});
  const call = (client: string, path = consent, brand = 'brand_a', method = 'GET') =>
    request(path, { brand, 'x-api-key': client }, method);
  return { ...proxy, call, upstream };
}

it('a limit for clients counts each client, says what is left, and rejects with Retry-After', async () => {
  const { call, upstream, records } = await start({ perClient: { calls: 2, seconds: 60 } });
  // A request that breaks the contract is not counted.
  expect((await call('ada', `${consent}?zebra=1`)).status).toBe(400);
  const first = await call('ada');
  expect(first.status).toBe(200);
  expect(first.headers.get('ratelimit-policy')).toBe('"client";q=2;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"client";r=1;t=(?:60|59)$/);
  expect(first.headers.get('x-ratelimit-remaining')).toBe('7');
  expect((await call('ada')).headers.get('ratelimit')).toMatch(/^"client";r=0;/);
  const rejected = await call('ada');
  expect([rejected.status, rejected.code]).toEqual([429, 'rate-limited']);
  expect(rejected.headers.get('ratelimit')).toMatch(/^"client";r=0;/);
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(58);
  expect((await call('bob')).status).toBe(200);
  // That of a key wins over that of the settings.
  const statuses = [];
  for (let round = 0; round < 6; round++) statuses.push((await call('fast')).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(upstream.seen).toHaveLength(8);
  expect(records.slice(0, 5).map(({ code }) => code)).toEqual(['4002', '', '', 'rate-limited', '']);
});

it('a limit for vehicles counts each vehicle of a brand for each client, whatever the case of its letters', async () => {
  const rates = {
    perClient: { calls: 100, seconds: 10 },
    perVehicle: { calls: 2, seconds: 60 },
  };
  const { call, records } = await start(rates);
  const one = locationOf('TESTVEHCLE000000A');
  expect((await call('ada', one)).headers.get('ratelimit')).toMatch(/^"client";r=99;t=\d+, "vehicle";r=1;t=\d+$/);
  expect((await call('ada', locationOf('testVEHCLE000000a'))).status).toBe(200);
  expect((await call('ada', locationOf('TESTVEHCLE000000a'))).status).toBe(429);
  expect((await call('bob', one)).status).toBe(200);
  expect((await call('ada', one, 'brand_b')).status).toBe(200);
  expect((await call('ada', locationOf('TESTVEHCLE0000002'))).status).toBe(200);
  expect((await call('ada')).headers.get('ratelimit')).not.toContain('vehicle');
  expect(JSON.stringify(records)).not.toContain('TESTVEHCLE');
});

it('a limit for vehicles neither counts nor stops a withdrawal', async () => {
  const { call } = await start({ perVehicle: { calls: 1, seconds: 60 } });
  // What no limit of the proxy is about keeps the headers of the upstream.
  expect((await call('ada')).headers.get('ratelimit')).toBe('"upstream";r=9;t=1');
  const withdraw = async () => (await call('ada', withdrawal, 'brand_a', 'DELETE')).status;
  const read = async () => (await call('ada', locationOf())).status;
  expect(await withdraw()).toBe(200);
  // The list shows that the owner consents again.
  expect((await call('ada')).status).toBe(200);
  expect([await read(), await read(), await withdraw()]).toEqual([200, 429, 200]);
});

it('a window never ends later than its rate says, however the clock rounds', () => {
  const clock = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + 100_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const counter = new WindowCounter({ calls: 1, seconds: 60 });
  const ends = Array.from({ length: 5000 }, (_, key) => counter.take(String(key)).resetSeconds);
  expect(new Set(ends)).toEqual(new Set([60]));
});

it('a window begins with the first request of its key and ends after its time, whatever other keys do', () => {
  fakeClocks({});
  const counter = new WindowCounter({ calls: 2, seconds: 10 });
  counter.take('early');
  vi.advanceTimersByTime(7000);
  expect(counter.take('late')).toEqual({ allowed: true, left: 1, resetSeconds: 10 });
  vi.advanceTimersByTime(2000);
  expect(counter.take('early')).toEqual({ allowed: true, left: 0, resetSeconds: 1 });
  expect(counter.take('early').allowed).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(counter.take('early')).toEqual({ allowed: true, left: 1, resetSeconds: 10 });
  vi.advanceTimersByTime(6000);
  expect(counter.take('late')).toEqual({ allowed: true, left: 0, resetSeconds: 1 });
});

it('100,000 keys are counted at a time, and the oldest make room for further ones', () => {
  const counter = new WindowCounter({ calls: 1, seconds: 3600 });
  for (let key = 0; key < 100_000; key++) counter.take(`key-${key}`);
  expect(counter.take('key-0').allowed).toBe(false);
  for (let key = 0; key < 100_001; key++) counter.take(`more-${key}`);
  expect(counter.take('more-100000').allowed).toBe(false);
  expect(counter.take('key-0').allowed).toBe(true);
});
