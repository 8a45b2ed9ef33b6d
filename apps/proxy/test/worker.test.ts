import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { printKeys } from '../src/auth/key-record.js';
import { apiKey, recordOf } from './support/api-key.ts';
import { listen } from './support/listen.ts';
import { locationOf, startEndpoint, startUpstream, statusesOf, vin } from './support/set-up.ts';
import { oauthResponse, type TokenBehaviour } from './support/token-endpoint.ts';
import { isolate, Objects } from './support/worker-objects.ts';

const own = { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: 'own' };
const jwt = { VDS_CLIENT_AUTH: 'jwt', VDS_JWT_ISSUER: 'issuer', VDS_JWT_AUDIENCE: 'proxy' };
const fetched = { VDS_UPSTREAM_AUTH: 'token-endpoint', VDS_CLIENT_ID: 'me', VDS_CLIENT_SECRET: 'x' };
const tokens = { ...fetched, VDS_TOKEN_URL: 'https://tokens.invalid/token' };

/** A Worker with Durable Objects, and isolates of it. */
async function start(settings: Record<string, string>) {
  const upstream = await startUpstream();
  const common = { VDS_HOST: '127.0.0.1', VDS_UPSTREAM_URL: upstream.url, VDS_STORE: 'durable-object', ...settings };
  const objects = new Objects(common);
  return { upstream, objects, isolate: () => isolate({ ...common, VDS_STATE: objects }) };
}

async function startWithTokens(behave: TokenBehaviour, more: Record<string, string> = {}) {
  const issuer = await startEndpoint(behave);
  return { issuer, ...(await start({ ...fetched, VDS_TOKEN_URL: issuer.url, ...more })) };
}

it.each([
  [
    'client authentication by signed tokens that would be forwarded',
    { ...jwt, VDS_JWKS_URL: 'https://issuer.invalid/keys' },
  ],
  ['tokens from a token endpoint', { VDS_HOST: '127.0.0.1', ...tokens }],
  ['its state', { VDS_HOST: '127.0.0.1', VDS_STORE: 'durable-object' }],
  ['an admin port', { VDS_HOST: '127.0.0.1', VDS_ADMIN_PORT: '9000' }],
  ['several processes', { VDS_WORKERS: '2' }],
  ['client authentication by API keys', { ...own, VDS_CLIENT_AUTH: 'api-key', VDS_KEYS_FILE: 'keys.json' }],
  ['a rate limit', { VDS_HOST: '127.0.0.1', VDS_LIMIT_PER_VEHICLE: '6/60s' }],
  ['clients from everywhere', { VDS_UPSTREAM_AUTH: 'forward' }],
])('a Worker that cannot keep %s forwards nothing', async (_, settings) => {
  const upstream = await startUpstream();
  const call = await isolate({ VDS_UPSTREAM_URL: upstream.url, ...settings });
  expect((await call()).status).toBe(500);
  expect(upstream.seen).toHaveLength(0);
});

it('a Worker that can keep its settings forwards', async () => {
  const { url } = await startUpstream();
  expect((await (await isolate({ VDS_UPSTREAM_URL: url, VDS_HOST: '127.0.0.1' }))()).status).toBe(200);
});

// The published Worker is played with real Durable Objects in `runtimes/state`.
describe('the isolates of a Worker', () => {
  it('share limits through their objects, also when an object was put away, until the window is over', async () => {
    const limits = { VDS_LIMIT_PER_CLIENT: '5/3600s', VDS_LIMIT_PER_VEHICLE: '2/3600s' };
    const { objects, isolate } = await start({ ...own, ...limits });
    const [one, two] = [await isolate(), await isolate()];
    expect((await one(locationOf())).status).toBe(200);
    expect((await two(locationOf())).headers.get('ratelimit')).toMatch(/^"client";r=3;t=\d+, "vehicle";r=0;t=\d+$/);
    objects.evict();
    expect((await one(locationOf())).status).toBe(429);
    expect((await two()).status).toBe(200);
    expect((await one()).status).toBe(200);
    expect((await two()).status).toBe(429);
    expect(objects.names).toHaveLength(2);
    expect(objects.names.join()).not.toContain(vin);

    const endMs = Math.max(...[...objects.storages.values()].map((storage) => Number(storage.get('alarm'))));
    expect(endMs - Date.now()).toBeGreaterThan(3_500_000);
    vi.useFakeTimers({ now: endMs, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const name of objects.names) await objects.object(name).alarm();
    for (const storage of objects.storages.values()) expect(storage.size).toBe(0);
    expect((await one(locationOf())).status).toBe(200);
    objects.away = true;
    // Nothing can be counted now, and requests pass.
    expect(await statusesOf(6, () => two())).toEqual(Array(6).fill(200));
  });

  it('use one token that one object fetched and keeps', async () => {
    const { issuer, upstream, objects, isolate } = await startWithTokens((_, count) => ({
      ...oauthResponse(`token-${count}`),
      delayMs: 50,
    }));
    const [one, two] = [await isolate(), await isolate()];
    expect(await statusesOf(40, (index) => (index % 2 === 0 ? one() : two()))).toEqual(Array(40).fill(200));
    objects.evict();
    expect((await (await isolate())()).status).toBe(200);
    expect(issuer.requests).toHaveLength(1);
    expect(new Set(upstream.tokens())).toEqual(new Set(['token-1']));
  });

  it('get 503 when the object has no token to give', async () => {
    const { issuer, upstream, isolate } = await startWithTokens(() => ({ status: 500, body: '' }));
    const call = await isolate();
    for (let round = 0; round < 5; round++) {
      const { status, headers } = await call();
      expect(status).toBe(503);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(issuer.requests.length).toBeLessThanOrEqual(2);
    expect(upstream.seen).toEqual([]);
  });

  it('use the token in hand while the object is out of reach, and respond with 503 without one', async () => {
    const { objects, isolate } = await startWithTokens(() => oauthResponse('token-1', { expires_in: 600 }));
    const call = await isolate();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await call()).status).toBe(200);
    objects.away = true;
    const requested = objects.requested.length;
    vi.setSystemTime(Date.now() + 100_000);
    for (let round = 0; round < 5; round++) expect((await call()).status).toBe(200);
    expect(objects.requested.length - requested).toBe(1);
    vi.setSystemTime(Date.now() + 480_000);
    const { status, headers } = await call();
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    objects.away = false;
    expect((await call()).status).toBe(200);
  });

  it('authenticate clients by API keys out of a bound namespace', async () => {
    const { url } = await startUpstream();
    const texts: Record<string, string> = { 'keys.json': printKeys([recordOf({ operations: ['listVehicles'] })]) };
    const call = await isolate({
      VDS_UPSTREAM_URL: url,
      ...own,
      VDS_CLIENT_AUTH: 'api-key',
      VDS_KEYS_FILE: 'keys.json',
      VDS_KEYS: { get: async (name: string) => texts[name] ?? null },
    });
    expect((await call(undefined, { 'x-api-key': apiKey })).status).toBe(200);
    expect((await call(undefined, { authorization: `Bearer ${apiKey}` })).status).toBe(200);
    expect((await call(undefined, { 'x-api-key': `${apiKey.slice(0, -1)}x` })).status).toBe(401);
    expect((await call()).status).toBe(401);
    expect((await call(locationOf(), { 'x-api-key': apiKey })).status).toBe(403);
  });

  it('authenticate clients by signed tokens', async () => {
    const { url } = await startUpstream();
    const pair = await generateKeyPair('ES256', { extractable: true });
    const keySet = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256' }] });
    const issuer = await listen((_, response) => response.end(keySet));
    onTestFinished(issuer.close);
    const call = await isolate({ VDS_UPSTREAM_URL: url, ...own, ...jwt, VDS_JWKS_URL: issuer.url });
    const status = async (audience: string) => {
      const token = new SignJWT({ sub: 'ada', iss: 'issuer', aud: audience }).setExpirationTime('5m');
      const signed = await token.setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(pair.privateKey);
      return (await call(undefined, { authorization: `Bearer ${signed}` })).status;
    };
    expect([await status('proxy'), await status('other'), (await call()).status]).toEqual([200, 401, 401]);
  });
});
