import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { printKeys } from '../src/auth/key-record.js';
import { listen } from './support/listen.ts';
import { successBody } from './support/recording-upstream.ts';
import { oauthAnswer, startTokenEndpoint, type TokenBehaviour } from './support/token-endpoint.ts';
import { isolate, Objects } from './support/worker-objects.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const vin = 'TESTVEHCLE0000001';

async function service(isGood: (token: string) => boolean = () => true) {
  const tokens: string[] = [];
  const upstream = await listen((request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    tokens.push(token);
    const error = { code: '4011', message: 'm', details: [], timestamp: '', requestId: 'r' };
    const good = isGood(token);
    response
      .writeHead(good ? 200 : 400, { 'content-type': 'application/json' })
      .end(good ? successBody({ trips: [], vehicles: [] }) : JSON.stringify({ error }));
  });
  cleanUp.push(upstream.close);
  return { url: upstream.url, tokens };
}

async function endpoint(behave: TokenBehaviour) {
  const started = await startTokenEndpoint(behave);
  cleanUp.push(started.close);
  return started;
}

const open = { VDS_HOST: '127.0.0.1' };

describe('the isolates of a Worker', () => {
  it('share the limits of clients and vehicles through their objects', async () => {
    const { url } = await service();
    const settings = {
      ...open,
      VDS_UPSTREAM_URL: url,
      VDS_UPSTREAM_AUTH: 'static',
      VDS_ACCESS_TOKEN: 'own',
      VDS_STORE: 'durable-object',
      VDS_LIMIT_PER_CLIENT: '5/60s',
      VDS_LIMIT_PER_VEHICLE: '2/60s',
    };
    const objects = new Objects(settings);
    const [one, two] = [
      await isolate({ ...settings, VDS_STATE: objects }),
      await isolate({ ...settings, VDS_STATE: objects }),
    ];
    const location = `/v1/vehicles/${vin}/locations`;
    expect((await one(location)).status).toBe(200);
    expect((await two(location)).headers.get('ratelimit')).toMatch(/^"client";r=3;t=\d+, "vehicle";r=0;t=\d+$/);
    expect((await one(location)).status).toBe(429);
    expect((await two()).status).toBe(200);
    expect((await one()).status).toBe(200);
    expect((await two()).status).toBe(429);
    expect(objects.names).toHaveLength(2);
    expect(objects.names.join()).not.toContain(vin);
  });

  it('hold a limit when the object was put away in between, and forget it when its span is over', async () => {
    const { url } = await service();
    const settings = {
      ...open,
      VDS_UPSTREAM_URL: url,
      VDS_STORE: 'durable-object',
      VDS_LIMIT_PER_CLIENT: '2/3600s',
    };
    const objects = new Objects(settings);
    const call = await isolate({ ...settings, VDS_STATE: objects });
    expect((await call()).status).toBe(200);
    objects.evict();
    expect((await call()).headers.get('ratelimit')).toMatch(/^"client";r=0;t=\d+$/);
    objects.evict();
    expect((await call()).status).toBe(429);
    const [name = ''] = objects.names;
    const endMs = Number(objects.storages.get(name)?.get('alarm'));
    expect(endMs - Date.now()).toBeGreaterThan(3_500_000);
    vi.useFakeTimers({ now: endMs, toFake: ['Date'] });
    cleanUp.push(() => vi.useRealTimers());
    await objects.object(name).alarm();
    expect(objects.storages.get(name)?.size).toBe(0);
    expect((await call()).status).toBe(200);
  });

  it('count nothing while the object does not answer, and go on', async () => {
    const { url } = await service();
    const settings = { ...open, VDS_UPSTREAM_URL: url, VDS_STORE: 'durable-object', VDS_LIMIT_PER_CLIENT: '1/60s' };
    const objects = new Objects(settings);
    const call = await isolate({ ...settings, VDS_STATE: objects });
    objects.away = true;
    for (let round = 0; round < 3; round++) expect((await call()).status).toBe(200);
  });

  it('use one token that one object fetched', async () => {
    const { url, tokens } = await service();
    const issuer = await endpoint((_, count) => ({ ...oauthAnswer(`token-${count}`), delayMs: 50 }));
    const settings = {
      ...open,
      VDS_UPSTREAM_URL: url,
      VDS_UPSTREAM_AUTH: 'token-endpoint',
      VDS_TOKEN_URL: issuer.url,
      VDS_CLIENT_ID: 'me',
      VDS_CLIENT_SECRET: 'x',
      VDS_STORE: 'durable-object',
    };
    const objects = new Objects(settings);
    const environment = { ...settings, VDS_STATE: objects };
    const [one, two] = [await isolate(environment), await isolate(environment)];
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one() : two())));
    expect(answers.map((answer) => answer.status)).toEqual(Array(40).fill(200));
    expect(issuer.requests).toHaveLength(1);
    expect(new Set(tokens)).toEqual(new Set(['token-1']));
    objects.evict();
    expect((await (await isolate(environment))()).status).toBe(200);
    expect(issuer.requests).toHaveLength(1);
  });

  it('keep a rotated refresh token in the storage of the object', async () => {
    const { url } = await service();
    const issuer = await endpoint((_, count) => oauthAnswer(`a${count}`, { refresh_token: `r${count}` }));
    const settings = {
      ...open,
      VDS_UPSTREAM_URL: url,
      VDS_UPSTREAM_AUTH: 'token-endpoint',
      VDS_TOKEN_URL: issuer.url,
      VDS_TOKEN_GRANT: 'refresh-token',
      VDS_REFRESH_TOKEN: 'first',
      VDS_CLIENT_ID: 'me',
      VDS_STORE: 'durable-object',
    };
    const objects = new Objects(settings);
    expect((await (await isolate({ ...settings, VDS_STATE: objects }))()).status).toBe(200);
    const kept = [...(objects.storages.get('token brand_a') ?? [])].find(([key]) => key.startsWith('token-brand_a-'));
    expect(JSON.parse(String(kept?.[1]))).toMatchObject({ accessToken: 'a1', refreshToken: 'r1' });
  });

  it('answer 503 when the object has no token to give', async () => {
    const { url, tokens } = await service();
    const issuer = await endpoint(() => ({ status: 500, body: '' }));
    const settings = {
      ...open,
      VDS_UPSTREAM_URL: url,
      VDS_UPSTREAM_AUTH: 'token-endpoint',
      VDS_TOKEN_URL: issuer.url,
      VDS_CLIENT_ID: 'me',
      VDS_CLIENT_SECRET: 'x',
      VDS_STORE: 'durable-object',
    };
    const call = await isolate({ ...settings, VDS_STATE: new Objects(settings) });
    for (let round = 0; round < 5; round++) {
      const answer = await call();
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(issuer.requests.length).toBeLessThanOrEqual(2);
    expect(tokens).toEqual([]);
  });

  it('use the token in hand while the object does not answer, and answer 503 without one', async () => {
    const { url } = await service();
    const issuer = await endpoint(() => oauthAnswer('token-1', { expires_in: 600 }));
    const settings = {
      ...open,
      VDS_UPSTREAM_URL: url,
      VDS_UPSTREAM_AUTH: 'token-endpoint',
      VDS_TOKEN_URL: issuer.url,
      VDS_CLIENT_ID: 'me',
      VDS_CLIENT_SECRET: 'x',
      VDS_STORE: 'durable-object',
    };
    const objects = new Objects(settings);
    const call = await isolate({ ...settings, VDS_STATE: objects });
    vi.useFakeTimers({ toFake: ['Date'] });
    cleanUp.push(() => vi.useRealTimers());
    expect((await call()).status).toBe(200);
    objects.away = true;
    const asked = objects.asked.length;
    vi.setSystemTime(Date.now() + 100_000);
    for (let round = 0; round < 5; round++) expect((await call()).status).toBe(200);
    expect(objects.asked.length - asked).toBe(1);
    vi.setSystemTime(Date.now() + 480_000);
    const refused = await call();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    objects.away = false;
    expect((await call()).status).toBe(200);
  });

  it('authenticate clients by API keys out of a bound namespace', async () => {
    const { url } = await service();
    const key = `vds_abcdefghij_${'k'.repeat(43)}`;
    const record = {
      id: 'abcdefghij',
      hash: createHash('sha256').update(key).digest('hex'),
      name: '',
      created: '2026-01-01T00:00:00.000Z',
      expires: null,
      revoked: null,
      vehicles: null,
      brands: null,
      operations: ['listVehicles'],
      rate: null,
    };
    const texts: Record<string, string> = { 'keys.json': printKeys([record]) };
    const call = await isolate({
      VDS_UPSTREAM_URL: url,
      VDS_UPSTREAM_AUTH: 'static',
      VDS_ACCESS_TOKEN: 'own',
      VDS_CLIENT_AUTH: 'api-key',
      VDS_KEYS_FILE: 'keys.json',
      VDS_KEYS: { get: async (name: string) => texts[name] ?? null },
    });
    expect((await call(undefined, { 'x-api-key': key })).status).toBe(200);
    expect((await call(undefined, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await call(undefined, { 'x-api-key': `${key.slice(0, -1)}x` })).status).toBe(401);
    expect((await call()).status).toBe(401);
    expect((await call(`/v1/vehicles/${vin}/locations`, { 'x-api-key': key })).status).toBe(403);
  });

  it('authenticate clients by signed tokens', async () => {
    const { url } = await service();
    const pair = await generateKeyPair('ES256', { extractable: true });
    const keySet = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256' }] });
    const issuer = await listen((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(keySet),
    );
    cleanUp.push(issuer.close);
    const call = await isolate({
      VDS_UPSTREAM_URL: url,
      VDS_UPSTREAM_AUTH: 'static',
      VDS_ACCESS_TOKEN: 'own',
      VDS_CLIENT_AUTH: 'jwt',
      VDS_JWKS_URL: issuer.url,
      VDS_JWT_ISSUER: 'issuer',
      VDS_JWT_AUDIENCE: 'proxy',
    });
    const sign = (audience: string) =>
      new SignJWT({ sub: 'ada' })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .setIssuer('issuer')
        .setAudience(audience)
        .setExpirationTime('5m')
        .sign(pair.privateKey);
    expect((await call(undefined, { authorization: `Bearer ${await sign('proxy')}` })).status).toBe(200);
    expect((await call(undefined, { authorization: `Bearer ${await sign('other')}` })).status).toBe(401);
    expect((await call()).status).toBe(401);
  });
});
