import { afterEach, describe, expect, it } from 'vitest';
import type { Client, ClientAuth } from '../src/auth/client.js';
import { CountedLimits, type LimitRates } from '../src/limits/rate-limits.js';
import { WindowCounter } from '../src/limits/window-counter.js';
import { startGuarded } from './support/guarded-proxy.ts';
import { listen } from './support/listen.ts';
import { successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** Recognises every client by the name in a header of the contract that travels anyway. */
const byName: ClientAuth = {
  challenge: 'Name',
  authenticate: (incoming): Client => {
    const id = incoming.header('x-api-key') ?? 'nobody';
    return {
      id,
      brands: null,
      operations: null,
      vehicles: null,
      rate: id === 'fast' ? { calls: 5, seconds: 60 } : null,
    };
  },
};

async function proxyWith(rates: LimitRates) {
  let served = 0;
  const upstream = await listen((_, response) => {
    served++;
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'x-ratelimit-remaining': '7',
        ratelimit: '"upstream";r=9;t=1',
      })
      .end(successBody({ trips: [] }));
  });
  cleanUp.push(upstream.close);
  const parts = {
    clientAuth: byName,
    limits: new CountedLimits(
      rates,
      (rate) => new WindowCounter(rate),
      (key) => key,
    ),
  };
  const config = { upstreamUrl: upstream.url, upstreamAuth: { kind: 'static', accessToken: 'own' } } as const;
  const proxy = await startGuarded(config, parts);
  cleanUp.push(proxy.close);
  const call = (client: string, path = '/v1/vehicles/consent', brand = 'brand_a', method = 'GET') =>
    fetch(proxy.url + path, { method, headers: { brand, 'x-api-key': client } });
  return { ...proxy, call, served: () => served };
}

const location = (vin: string) => `/v1/vehicles/${vin}/locations`;

describe('a limit', () => {
  it('of clients counts each client, says what is left, and refuses with Retry-After', async () => {
    const { call, served, records } = await proxyWith({ perClient: { calls: 2, seconds: 60 }, perVehicle: null });
    const first = await call('ada');
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-policy')).toBe('"client";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"client";r=1;t=(?:60|59)$/);
    expect(first.headers.get('x-ratelimit-remaining')).toBe('7');
    expect((await call('ada')).headers.get('ratelimit')).toMatch(/^"client";r=0;/);
    const refused = await call('ada');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit')).toMatch(/^"client";r=0;/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(58);
    expect(await refused.json()).toMatchObject({ error: { code: 'rate-limited', details: [] } });
    expect((await call('bob')).status).toBe(200);
    expect(served()).toBe(3);
    expect(records.map((record) => record.code)).toEqual(['', '', 'rate-limited', '']);
  });

  it('of a key wins over that of the settings', async () => {
    const { call } = await proxyWith({ perClient: { calls: 1, seconds: 60 }, perVehicle: null });
    const statuses = [];
    for (let round = 0; round < 6; round++) statuses.push((await call('fast')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('of vehicles counts each vehicle of a brand for each client, whatever the case of its letters', async () => {
    const { call, records } = await proxyWith({
      perClient: { calls: 100, seconds: 10 },
      perVehicle: { calls: 2, seconds: 60 },
    });
    const one = location('TESTVEHCLE000000A');
    expect((await call('ada', one)).headers.get('ratelimit')).toMatch(/^"client";r=99;t=\d+, "vehicle";r=1;t=\d+$/);
    expect((await call('ada', location('testVEHCLE000000a'))).status).toBe(200);
    expect((await call('ada', location('TESTVEHCLE000000a'))).status).toBe(429);
    expect((await call('bob', one)).status).toBe(200);
    expect((await call('ada', one, 'brand_b')).status).toBe(200);
    expect((await call('ada', location('TESTVEHCLE0000002'))).status).toBe(200);
    expect((await call('ada')).headers.get('ratelimit')).not.toContain('vehicle');
    expect(JSON.stringify(records)).not.toContain('TESTVEHCLE');
  });

  it('of vehicles neither counts nor stops a withdrawal', async () => {
    const { call } = await proxyWith({ perClient: null, perVehicle: { calls: 1, seconds: 60 } });
    const withdrawal = () => call('ada', '/v1/vehicles/consent?vin=TESTVEHCLE0000001', 'brand_a', 'DELETE');
    expect((await withdrawal()).status).toBe(200);
    expect((await call('ada', location('TESTVEHCLE0000001'))).status).toBe(200);
    expect((await call('ada', location('TESTVEHCLE0000001'))).status).toBe(429);
    expect((await withdrawal()).status).toBe(200);
  });

  it('is not used up by calls that break the contract', async () => {
    const { call } = await proxyWith({ perClient: { calls: 1, seconds: 60 }, perVehicle: null });
    expect((await call('ada', '/v1/vehicles/consent?zebra=1')).status).toBe(400);
    expect((await call('ada')).status).toBe(200);
  });

  it('holds for calls at the same time', async () => {
    const { call } = await proxyWith({ perClient: { calls: 30, seconds: 60 }, perVehicle: null });
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('ada')));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(30);
  });

  it('has room again in the next span', async () => {
    const { call } = await proxyWith({ perClient: { calls: 1, seconds: 1 }, perVehicle: null });
    expect((await call('ada')).status).toBe(200);
    expect((await call('ada')).status).toBe(429);
    await expect.poll(async () => (await call('ada')).status, { timeout: 4000, interval: 100 }).toBe(200);
  });

  it('that does not apply leaves the headers of the upstream', async () => {
    const { call } = await proxyWith({ perClient: null, perVehicle: null });
    expect((await call('ada')).headers.get('ratelimit')).toBe('"upstream";r=9;t=1');
  });
});
