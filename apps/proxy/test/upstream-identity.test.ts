import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FileStore } from '../src/store/file-store.js';
import type { Store } from '../src/store/memory-store.js';
import { MemoryStore } from '../src/store/memory-store.js';
import type { ManagedTokens } from '../src/upstream-token/managed-tokens.js';
import { startGuarded } from './support/guarded-proxy.ts';
import { listen } from './support/listen.ts';
import { successBody } from './support/recording-upstream.ts';
import { oauthAnswer, startTokenEndpoint, type TokenBehaviour } from './support/token-endpoint.ts';
import { type TokenOptions, tokensFor } from './support/tokens.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const vin = 'TESTVEHCLE0000001';
const consent = '/v1/vehicles/consent';

/** A service that takes only these tokens; everything else gets the answer for a bad one. */
async function service(isGood: (token: string) => boolean, rejection = { status: 400, code: '4011' }) {
  const tokens: string[] = [];
  const upstream = await listen((request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    tokens.push(token);
    const error = { code: rejection.code, message: 'm', details: [], timestamp: '', requestId: 'r' };
    const good = isGood(token);
    response
      .writeHead(good ? 200 : rejection.status, { 'content-type': 'application/json' })
      .end(good ? successBody() : JSON.stringify({ error }));
  });
  cleanUp.push(upstream.close);
  return { url: upstream.url, tokens };
}

async function endpoint(behave: TokenBehaviour) {
  const started = await startTokenEndpoint(behave);
  cleanUp.push(started.close);
  return started;
}

/** A store whose clock can be put forward. */
class ClockStore extends MemoryStore {
  aheadMs = 0;
  override nowMs(): number {
    return Date.now() + this.aheadMs;
  }
}

/** Tokens as a process has them that starts some seconds after another one fetched the first. */
async function agedTokens(url: string, options: TokenOptions = {}, seconds = 20): Promise<ManagedTokens> {
  const store = new ClockStore();
  await tokensFor(url, { ...options, store }).obtain('brand_a');
  store.aheadMs = seconds * 1000;
  return tokensFor(url, { ...options, store });
}

async function proxyWith(upstreamUrl: string, tokens: ManagedTokens) {
  const proxy = await startGuarded({ upstreamUrl, upstreamAuth: { kind: 'token-endpoint' } }, { tokens });
  cleanUp.push(proxy.close);
  const call = (method = 'GET', path = consent, brand = 'brand_a') =>
    fetch(proxy.url + path, { method, headers: { brand, authorization: 'Bearer of-the-client' } });
  return { ...proxy, call };
}

async function codeOf(answer: Response): Promise<string> {
  const body = (await answer.json()) as { error?: { code: string } };
  return body.error?.code ?? '';
}

describe('a token of client credentials', () => {
  it('is fetched once for any number of calls, with Brand and the form of RFC 6749', async () => {
    const { url, tokens: seen } = await service((token) => token === 'token-1');
    const issuer = await endpoint((_, count) => ({ ...oauthAnswer(`token-${count}`), delayMs: 100 }));
    const { call } = await proxyWith(url, tokensFor(issuer.url));
    const answers = await Promise.all(Array.from({ length: 100 }, () => call()));
    expect(answers.map((answer) => answer.status)).toEqual(Array(100).fill(200));
    expect(new Set(seen)).toEqual(new Set(['token-1']));
    expect(issuer.requests).toHaveLength(1);
    const [request] = issuer.requests;
    expect(request?.headers).toMatchObject({ brand: 'brand_a', 'content-type': 'application/x-www-form-urlencoded' });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'the-client',
      client_secret: 'the-secret',
    });
  });

  it('can be asked for with Basic authentication and a scope', async () => {
    const { url } = await service(() => true);
    const issuer = await endpoint(() => oauthAnswer('t'));
    const own = { clientAuth: 'basic', clientSecret: 'p:w%', scope: 'vehicles' } as const;
    const { call } = await proxyWith(url, tokensFor(issuer.url, { endpoint: own }));
    expect((await call()).status).toBe(200);
    expect(issuer.requests[0]?.headers['authorization']).toBe(`Basic ${btoa('the-client:p%3Aw%25')}`);
    expect(issuer.requests[0]?.body).toBe('grant_type=client_credentials&scope=vehicles');
  });

  it('can be asked for in the envelope form, with names of the settings', async () => {
    const { url, tokens } = await service(() => true);
    const issuer = await endpoint(() => ({ body: '{"data":{"token":{"value":"deep"},"expiresIn":"60"},"meta":{}}' }));
    const own = {
      form: 'envelope',
      requestFields: { clientId: 'client', grantType: 'type' },
      responseFields: { accessToken: 'data.token.value' },
    } as const;
    const { call } = await proxyWith(url, tokensFor(issuer.url, { endpoint: own }));
    expect((await call()).status).toBe(200);
    expect(tokens).toEqual(['deep']);
    expect(issuer.requests[0]?.headers).toMatchObject({ brand: 'brand_a', 'content-type': 'application/json' });
    expect(JSON.parse(issuer.requests[0]?.body ?? '')).toEqual({
      type: 'client_credentials',
      client: 'the-client',
      clientSecret: 'the-secret',
    });
  });

  it.each([
    ['code 4011', { status: 400, code: '4011' }],
    ['code 401', { status: 400, code: '401' }],
    ['status 401', { status: 401, code: 'whatever' }],
  ])('is replaced once when the service answers with %s, and a GET is sent again', async (_, rejection) => {
    const { url, tokens } = await service((token) => token === 'token-2', rejection);
    const issuer = await endpoint((_request, count) => oauthAnswer(`token-${count}`));
    const { call, records } = await proxyWith(url, await agedTokens(issuer.url));
    const answers = await Promise.all(Array.from({ length: 20 }, () => call()));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(issuer.requests).toHaveLength(2);
    expect(tokens.filter((token) => token === 'token-2')).toHaveLength(20);
    expect(records).toHaveLength(20);
  });

  it('is replaced after a rejected DELETE, which is not sent again', async () => {
    const { url, tokens } = await service((token) => token === 'token-2');
    const issuer = await endpoint((_, count) => oauthAnswer(`token-${count}`));
    const { call } = await proxyWith(url, await agedTokens(issuer.url));
    expect(await codeOf(await call('DELETE', `${consent}?vin=${vin}`))).toBe('upstream-credentials-unavailable');
    expect(tokens).toEqual(['token-1']);
    await expect.poll(() => issuer.requests.length).toBe(2);
    expect((await call('DELETE', `${consent}?vin=${vin}`)).status).toBe(200);
  });

  it('that is rejected as soon as it is new is not replaced, and no client is told that its credentials are bad', async () => {
    const { url, tokens } = await service(() => false);
    const issuer = await endpoint((_, count) => oauthAnswer(`token-${count}`));
    const { call } = await proxyWith(url, tokensFor(issuer.url));
    const answers = await Promise.all(Array.from({ length: 20 }, () => call()));
    for (const answer of answers) expect(await codeOf(answer)).toBe('upstream-credentials-unavailable');
    expect(issuer.requests).toHaveLength(1);
    expect(tokens).toHaveLength(20);
  });
});

it('a fixed token that is rejected leads to 503, and a token of the client to what the service says', async () => {
  const { url } = await service(() => false, { status: 401, code: '4011' });
  for (const [upstreamAuth, status, code] of [
    [{ kind: 'static', accessToken: 'own' }, 503, 'upstream-credentials-unavailable'],
    [{ kind: 'forward' }, 401, '4011'],
  ] as const) {
    const proxy = await startGuarded({ upstreamUrl: url, upstreamAuth }, {});
    cleanUp.push(proxy.close);
    const headers = { brand: 'brand_a', authorization: 'Bearer of-the-client' };
    const answer = await fetch(proxy.url + consent, { headers });
    expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
  }
});

describe('a token endpoint', () => {
  it.each<[string, TokenBehaviour]>([
    ['is silent', () => null],
    ['is slow', () => ({ ...oauthAnswer('late'), delayMs: 1000 })],
    ['returns HTML', () => ({ body: '<html>zebra</html>', type: 'text/html' })],
    ['returns cut JSON', () => ({ body: '{"access_token":"zeb' })],
    ['answers twice in one body', () => ({ body: oauthAnswer('zebra').body.repeat(2) })],
    ['returns a token that is no token', () => oauthAnswer('zebra \r\nx: y')],
    ['returns no token', () => ({ body: '{"expires_in":3600}' })],
    ['returns a number as token', () => ({ body: '{"access_token":7}' })],
    ['refuses', () => ({ status: 401, body: '{"error":"invalid_client"}' })],
    ['fails', () => ({ status: 500, body: '{"error":"zebra"}' })],
    ['redirects', () => ({ status: 302, body: '' })],
    ['sends without end', () => ({ body: ' '.repeat(100_000) })],
  ])('that %s leads to 503 with Retry-After, without a storm and without a leak', async (_, behave) => {
    const { url, tokens } = await service(() => true);
    const issuer = await endpoint(behave);
    const source = tokensFor(issuer.url);
    const { call, records } = await proxyWith(url, source);
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 30 }, () => call()));
      for (const answer of answers) {
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        const text = await answer.text();
        expect(text).toContain('upstream-credentials-unavailable');
        expect(text).not.toMatch(/zebra|the-secret|the-client/);
      }
    }
    expect(issuer.requests.length).toBeLessThanOrEqual(2);
    expect(tokens).toEqual([]);
    expect(JSON.stringify([records, source.statuses()])).not.toMatch(/zebra|the-secret|the-client/);
    expect(source.statuses()[0]).toMatchObject({ state: 'failing', expiresInSeconds: null });
  });

  it.each([
    ['nothing', {}],
    ['a negative lifetime', { expires_in: -5 }],
    ['a lifetime of words', { expires_in: 'zebra' }],
    ['an endless lifetime', { expires_in: 1e11 }],
    ['one second', { expires_in: 1 }],
    ['zero', { expires_in: 0 }],
  ])('that says %s about expiry is asked once for many calls in a row', async (_, more) => {
    const { url } = await service(() => true);
    const issuer = await endpoint((_request, count) => oauthAnswer(`token-${count}`, more));
    const source = tokensFor(issuer.url);
    const { call } = await proxyWith(url, source);
    for (let round = 0; round < 50; round++) expect((await call()).status).toBe(200);
    expect(issuer.requests).toHaveLength(1);
    expect(source.statuses()[0]?.expiresInSeconds).toBeLessThanOrEqual(86_400);
  });

  it('that is down leaves the token that is here in use', async () => {
    const { url, tokens } = await service(() => true);
    const issuer = await endpoint((_, count) => (count > 1 ? { status: 500, body: '' } : oauthAnswer('token-1')));
    const { call } = await proxyWith(url, await agedTokens(issuer.url, {}, 3500));
    for (let round = 0; round < 10; round++) expect((await call()).status).toBe(200);
    expect(new Set(tokens)).toEqual(new Set(['token-1']));
    // The refresh runs beside the calls, and may arrive after the last one.
    await expect.poll(() => issuer.requests.length).toBe(2);
  });

  it('that is down leads to 503 from 30 seconds before the end of the token, and is asked again later', async () => {
    const { url, tokens } = await service(() => true);
    let down = false;
    const issuer = await endpoint((_, count) => (down ? { status: 500, body: '' } : oauthAnswer(`token-${count}`)));
    const source = await agedTokens(issuer.url, {}, 3571);
    down = true;
    const { call } = await proxyWith(url, source);
    for (let round = 0; round < 10; round++) expect((await call()).status).toBe(503);
    expect(issuer.requests).toHaveLength(2);
    down = false;
    await expect.poll(async () => (await call()).status, { timeout: 5000, interval: 100 }).toBe(200);
    expect(tokens).toEqual(['token-3']);
  });
});

it('a client that leaves while a token is fetched is noted once, and the token is not lost', async () => {
  const { url, tokens } = await service(() => true);
  const issuer = await endpoint((_, count) => ({ ...oauthAnswer(`token-${count}`), delayMs: 200 }));
  const { url: address, call, records } = await proxyWith(url, tokensFor(issuer.url));
  const leaver = connect(Number(new URL(address).port), '127.0.0.1');
  leaver.write(`GET ${consent} HTTP/1.1\r\nhost: proxy\r\nbrand: brand_a\r\n\r\n`);
  await expect.poll(() => issuer.requests.length).toBe(1);
  leaver.resetAndDestroy();
  await expect.poll(() => records.length).toBe(1);
  expect((await call()).status).toBe(200);
  expect(records.map(({ code, status }) => ({ code, status }))).toEqual([
    { code: 'client-closed-request', status: 0 },
    { code: '', status: 200 },
  ]);
  expect(tokens).toEqual(['token-1']);
  expect(issuer.requests).toHaveLength(1);
});

describe('a refresh token', () => {
  async function folder(): Promise<string> {
    return mkdtemp(join(tmpdir(), 'vds-store-'));
  }

  it('that is rotated is in the store before the new token is used, readable by its owner alone', async () => {
    const path = await folder();
    const savedAtUse: string[] = [];
    const upstream = await listen(async (_, response) => {
      for (const name of await readdir(path)) savedAtUse.push(await readFile(join(path, name), 'utf8'));
      response.writeHead(200, { 'content-type': 'application/json' }).end(successBody());
    });
    cleanUp.push(upstream.close);
    const issuer = await endpoint(() => oauthAnswer('access', { expires_in: 3600, refresh_token: 'rotated' }));
    const grant = { kind: 'refresh-token', refreshToken: 'first' } as const;
    const { call } = await proxyWith(upstream.url, tokensFor(issuer.url, { store: new FileStore(path), grant }));
    expect((await call()).status).toBe(200);
    expect(JSON.parse(savedAtUse[0] ?? '')).toMatchObject({ refreshToken: 'rotated', accessToken: 'access' });
    const [name = '', ...others] = await readdir(path);
    expect(name).toMatch(/^token-brand_a-[0-9a-f]{16}\.json$/);
    expect(others).toEqual([]);
    expect((await stat(join(path, name))).mode & 0o077).toBe(0);
    expect(new URLSearchParams(issuer.requests[0]?.body).get('refresh_token')).toBe('first');
  });

  it('that cannot be saved is not used, and is saved later without another request', async () => {
    const { url, tokens } = await service(() => true);
    const issuer = await endpoint((_, count) => oauthAnswer(`a${count}`, { refresh_token: `r${count}` }));
    const memory = new MemoryStore();
    let broken = true;
    const store: Store = {
      read: (key) => memory.read(key),
      lock: (key, ttlMs) => memory.lock(key, ttlMs),
      nowMs: () => memory.nowMs(),
      close: () => memory.close(),
      write: (key, text) => (broken ? Promise.reject(new Error('full')) : memory.write(key, text)),
    };
    const grant = { kind: 'refresh-token', refreshToken: 'first' } as const;
    const { call } = await proxyWith(url, tokensFor(issuer.url, { store, grant }));
    expect((await call()).status).toBe(503);
    expect(tokens).toEqual([]);
    broken = false;
    await expect.poll(async () => (await call()).status, { timeout: 3000, interval: 100 }).toBe(200);
    expect(tokens[0]).toBe('a1');
    expect(issuer.requests).toHaveLength(1);
  });

  it('of the store is used by the next process, until another one is configured', async () => {
    const path = await folder();
    const issuer = await endpoint((_, count) =>
      oauthAnswer(`access-${count}`, { expires_in: 1, refresh_token: `rotated-${count}` }),
    );
    const start = (refreshToken: string) =>
      tokensFor(issuer.url, { store: new FileStore(path), grant: { kind: 'refresh-token', refreshToken } });
    expect(await start('first').obtain('brand_a')).toBe('access-1');
    expect(await start('first').obtain('brand_a')).toBe('access-1');
    expect(await start('first').replace('brand_a', 'access-1')).toBe('access-2');
    expect(await start('renewed').obtain('brand_a')).toBe('access-3');
    const sent = issuer.requests.map((request) => new URLSearchParams(request.body).get('refresh_token'));
    expect(sent).toEqual(['first', 'rotated-1', 'renewed']);
  });

  it('of an authorization code is used after the code, in the envelope form', async () => {
    const issuer = await endpoint((_, count) => ({
      body: JSON.stringify({ data: { accessToken: `a${count}`, refreshToken: `r${count}` }, meta: {} }),
    }));
    const source = await agedTokens(issuer.url, {
      grant: { kind: 'authorization-code', code: 'the-code' },
      endpoint: { form: 'envelope', redirectUrl: 'https://app.invalid/back', refreshUrl: `${issuer.url}/refresh` },
    });
    expect(await source.obtain('brand_a')).toBe('a1');
    expect(await source.replace('brand_a', 'a1')).toBe('a2');
    const client = { clientId: 'the-client', clientSecret: 'the-secret' };
    expect(issuer.requests.map(({ path, body }) => ({ path, body: JSON.parse(body) }))).toEqual([
      { path: '/token', body: { ...client, code: 'the-code', redirectUrl: 'https://app.invalid/back' } },
      { path: '/refresh', body: { ...client, refreshToken: 'r1' } },
    ]);
  });

  it('shows the day by which the consent must be renewed', async () => {
    const issuer = await endpoint(() => oauthAnswer('a', { refresh_token: 'r', refresh_expires_in: 86_400 }));
    const source = tokensFor(issuer.url, { grant: { kind: 'refresh-token', refreshToken: 'first' } });
    await source.obtain('brand_a');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(source.statuses()[0]).toMatchObject({ brand: 'brand_a', state: 'valid', renewConsentBy: tomorrow });
  });
});
