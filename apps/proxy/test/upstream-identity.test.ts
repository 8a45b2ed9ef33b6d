import { dirname } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { tokensFrom } from '../src/config/domain-options.js';
import type { UpstreamAuth } from '../src/config.js';
import { FileStore } from '../src/store/file-store.js';
import { MemoryStore } from '../src/store/memory-store.js';
import type { ManagedTokens } from '../src/upstream-token/managed-tokens.js';
import { newFile } from './support/program.ts';
import {
  errorBody,
  oauthResponse,
  type Reply,
  type Respond,
  rejection,
  respondSuccess,
  responseWith,
  startRawUpstream,
  startUpstream,
} from './support/servers.ts';
import { fakeClocks, requestLines, startProxy, statusesOf, withdrawal } from './support/set-up.ts';
import { settingsOf, type TokenOptions, tokenSettings, tokensFor } from './support/settings.ts';
import { valuesOf } from './support/wire.ts';

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

/** Gives a token with the number of the request. */
const numbered: Respond = (_, count) => oauthResponse(`token-${count}`);
const failing: Respond = () => ({ status: 500, body: '' });

/** What a test changes about tokens from an endpoint, the age of the first, and the upstream that knows some of them. */
interface Options extends TokenOptions {
  readonly ageSeconds?: number;
  readonly isGood?: (token: string) => boolean;
  readonly rejected?: Reply;
}

/** A token endpoint, an upstream and a proxy between them. */
async function start(
  respond: Respond = numbered,
  { ageSeconds, isGood = () => true, rejected = rejection(), ...options }: Options = {},
) {
  const upstream = await startUpstream(({ token }) => (isGood(token) ? {} : rejected));
  const endpoint = { respond };
  const issuer = await startUpstream((...request) => endpoint.respond(...request));
  const aged = ageSeconds !== undefined;
  const source = aged ? await agedTokens(issuer.url, options, ageSeconds) : tokensFor(issuer.url, options);
  const upstreamAuth = { kind: 'token-endpoint' } as const;
  const proxy = await startProxy({ upstreamUrl: upstream.url, upstreamAuth, tokens: source });
  return { ...proxy, tokens: upstream.tokens, issuer, endpoint, source };
}

const unavailable = 'upstream-credentials-unavailable';
const ok = (count: number) => Array(count).fill(200);

describe('a token of client credentials', () => {
  it('stays in use when a reload changes the client secret, and is replaced when it changes the client', async () => {
    const { source, issuer } = await start();
    const tokenAfter = async (changes: Readonly<Record<string, string>>) => {
      await source.use(tokensFrom(settingsOf({ ...tokenSettings(issuer.url), ...changes })));
      return source.obtain('brand_a');
    };
    expect(await source.obtain('brand_a')).toBe('token-1');
    expect(await tokenAfter({ VDS_CLIENT_SECRET: 'another' })).toBe('token-1');
    expect(await tokenAfter({ VDS_CLIENT_ID: 'another' })).toBe('token-2');
    expect(await tokenAfter({ VDS_BRANDS: 'brand_z' })).toBeNull();
  });

  it('is fetched once for any number of requests, with Brand and the form of RFC 6749', async () => {
    const slow: Respond = (...request) => ({ ...numbered(...request), delayMs: 100 });
    const { call, tokens, issuer } = await start(slow, { isGood: (token) => token === 'token-1' });
    expect(await statusesOf(100, () => call())).toEqual(ok(100));
    expect(new Set(tokens())).toEqual(new Set(['token-1']));
    expect(issuer.seen).toHaveLength(1);
    const [request] = issuer.seen;
    expect(request?.headers).toMatchObject({ brand: 'brand_a', 'content-type': 'application/x-www-form-urlencoded' });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'the-client',
      client_secret: 'the-secret',
    });
  });

  it('can be requested with Basic authentication and a scope', async () => {
    const settings = { VDS_TOKEN_CLIENT_AUTH: 'basic', VDS_CLIENT_SECRET: 'p:w%', VDS_TOKEN_SCOPE: 'vehicles trips' };
    const { call, issuer } = await start(numbered, { settings });
    expect((await call()).status).toBe(200);
    expect(issuer.seen[0]?.headers['authorization']).toBe(`Basic ${btoa('the-client:p%3Aw%25')}`);
    expect(issuer.seen[0]?.body).toBe('grant_type=client_credentials&scope=vehicles+trips');
  });

  it('can be requested in the envelope form, with names of the settings', async () => {
    const settings = {
      VDS_TOKEN_FORM: 'envelope',
      VDS_TOKEN_REQUEST_FIELDS: 'clientId=client,grantType=type',
      VDS_TOKEN_RESPONSE_FIELDS: 'accessToken=data.token.value',
    };
    const body = '{"data":{"token":{"value":"deep"},"expiresIn":"60"},"meta":{}}';
    const { call, tokens, issuer } = await start(() => ({ body }), { settings });
    expect((await call()).status).toBe(200);
    expect(tokens()).toEqual(['deep']);
    expect(issuer.seen[0]?.headers).toMatchObject({ brand: 'brand_a', 'content-type': 'application/json' });
    expect(JSON.parse(issuer.seen[0]?.body ?? '')).toEqual({
      type: 'client_credentials',
      client: 'the-client',
      clientSecret: 'the-secret',
    });
  });

  const second = { ageSeconds: 20, isGood: (token: string) => token === 'token-2' };
  it.each([
    { what: 'code 4011', rejected: rejection('4011') },
    { what: 'code 401', rejected: rejection('401') },
    { what: 'status 401', rejected: rejection('whatever', 401) },
  ])('is replaced once, and a GET is sent again, when the upstream responds with $what', async ({ rejected }) => {
    const { call, records, tokens, issuer } = await start(numbered, { ...second, rejected });
    expect(await statusesOf(20, () => call())).toEqual(ok(20));
    expect(issuer.seen).toHaveLength(2);
    expect(tokens().filter((token) => token === 'token-2')).toHaveLength(20);
    expect(records).toHaveLength(20);
  });

  it('is replaced, and the GET goes over the kept connection, or over a new one where that was closed', async () => {
    let isClosed = false;
    const upstream = await startRawUpstream((socket, request) => {
      const isFirst = valuesOf(request, 'authorization')[0] === 'Bearer token-1';
      if (isFirst) socket.write(responseWith(errorBody('4011'), '401 No'));
      else if (isClosed && socket === upstream.connections[0]?.socket) socket.destroy();
      else respondSuccess(socket, request);
    });
    const tokens = {
      current: () => 'token-1',
      obtain: async () => null,
      replace: async () => 'token-2',
      retryAfterSeconds: () => 1,
    };
    const upstreamAuth = { kind: 'token-endpoint' } as const;
    const { call } = await startProxy({ upstreamUrl: upstream.url, upstreamAuth, tokens });
    expect((await call()).status).toBe(200);
    expect([upstream.requests().length, upstream.connections.length]).toEqual([2, 1]);
    isClosed = true;
    expect((await call()).status).toBe(200);
    expect([upstream.requests().length, upstream.connections.length]).toEqual([2 + 3, 2]);
  });

  it('is replaced after a rejected DELETE, which is not sent again', async () => {
    const { call, tokens, issuer } = await start(numbered, second);
    expect((await call(withdrawal, {}, 'DELETE')).code).toBe(unavailable);
    expect(tokens()).toEqual(['token-1']);
    await expect.poll(() => issuer.seen.length).toBe(2);
    expect((await call(withdrawal, {}, 'DELETE')).status).toBe(200);
  });

  it('that is rejected as soon as it is new is not replaced, and no client gets a 401', async () => {
    const { call, tokens, issuer } = await start(numbered, { isGood: () => false });
    for (const { code } of await Promise.all(Array.from({ length: 20 }, () => call()))) expect(code).toBe(unavailable);
    expect(issuer.seen).toHaveLength(1);
    expect(tokens()).toHaveLength(20);
  });

  it('that is rejected as well, although it is another one, is the last one for this request', async () => {
    let count = 0;
    const next = async () => `token-${++count}`;
    const { url, tokens: sent } = await startUpstream(() => rejection());
    const tokens = { current: () => null, obtain: next, replace: next, retryAfterSeconds: () => 1 };
    const { call } = await startProxy({ upstreamUrl: url, upstreamAuth: { kind: 'token-endpoint' }, tokens });
    expect((await call()).code).toBe(unavailable);
    expect(sent()).toEqual(['token-1', 'token-2']);
  });
});

it.each<{ what: string; upstreamAuth: UpstreamAuth; status: number; code: string }>([
  {
    what: 'a fixed one leads to 503',
    upstreamAuth: { kind: 'static', accessToken: 'own' },
    status: 503,
    code: unavailable,
  },
  {
    what: "a client's leads to what the upstream says",
    upstreamAuth: { kind: 'forward' },
    status: 401,
    code: '4011',
  },
])('a rejected token that nothing can replace: $what', async ({ upstreamAuth, status, code }) => {
  const { url } = await startUpstream(() => rejection('4011', 401));
  const { call } = await startProxy({ upstreamUrl: url, upstreamAuth });
  expect(await call()).toMatchObject({ status, code });
});

describe('a token endpoint', () => {
  it.each<{ what: string; respond: Respond; settings?: Record<string, string> }>([
    { what: 'is silent', respond: () => ({ delayMs: 60_000 }), settings: { VDS_TOKEN_TIMEOUT_MS: '400' } },
    { what: 'breaks the connection off', respond: () => null },
    { what: 'returns HTML', respond: () => ({ body: '<html>zebra</html>', headers: { 'content-type': 'text/html' } }) },
    { what: 'returns cut JSON', respond: () => ({ body: '{"access_token":"zeb' }) },
    { what: 'responds twice in one body', respond: () => ({ body: oauthResponse('zebra').body.repeat(2) }) },
    { what: 'returns a token that is no token', respond: () => oauthResponse('zebra \r\nx: y') },
    { what: 'returns no token', respond: () => ({ body: '{"expires_in":3600}' }) },
    { what: 'returns a number as token', respond: () => ({ body: '{"access_token":7}' }) },
    { what: 'rejects', respond: () => ({ status: 401, body: '{"error":"invalid_client"}' }) },
    { what: 'fails', respond: () => ({ status: 500, body: '{"error":"zebra"}' }) },
    { what: 'redirects', respond: () => ({ status: 302, body: '' }) },
    { what: 'sends without end', respond: () => ({ body: ' '.repeat(100_000) }) },
  ])(
    'leads to 503 with Retry-After, without a storm and without a leak, when it $what',
    async ({ respond, settings = {} }) => {
      // However long the requests take, no pause between token requests ends meanwhile.
      fakeClocks();
      const { call, records, tokens, issuer, source } = await start(respond, { settings });
      for (let round = 0; round < 2; round++) {
        for (const response of await Promise.all(Array.from({ length: 10 }, () => call()))) {
          expect([response.status, response.code]).toEqual([503, unavailable]);
          expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
          expect(response.text).not.toMatch(/zebra|the-secret|the-client/);
        }
      }
      expect(issuer.seen).toHaveLength(1);
      expect(tokens()).toEqual([]);
      expect(JSON.stringify([records, source.statuses()])).not.toMatch(/zebra|the-secret|the-client/);
      expect(source.statuses()[0]).toMatchObject({ state: 'failing', expiresInSeconds: null });
      // Without another request nobody knows whether it still fails, and nobody needs the token.
      vi.advanceTimersByTime(601_000);
      expect(source.statuses()[0]).toMatchObject({ state: 'none' });
    },
  );

  it.each([
    { what: 'nothing', more: {}, mostSeconds: 86_400 },
    { what: 'a negative lifetime', more: { expires_in: -5 }, mostSeconds: 86_400 },
    { what: 'a lifetime of words', more: { expires_in: 'zebra' }, mostSeconds: 86_400 },
    { what: 'an endless lifetime', more: { expires_in: 1e11 }, mostSeconds: 86_400 },
    { what: 'twenty seconds', more: { expires_in: 20 }, mostSeconds: 20 },
    { what: 'one second', more: { expires_in: 1 }, mostSeconds: 1 },
    { what: 'zero', more: { expires_in: 0 }, mostSeconds: 86_400 },
  ])('gets one request for many requests in a row when it says about expiry: $what', async ({ more, mostSeconds }) => {
    const { call, issuer, source } = await start((_request, count) => oauthResponse(`token-${count}`, more));
    for (let round = 0; round < 10; round++) expect((await call()).status).toBe(200);
    expect(issuer.seen).toHaveLength(1);
    expect(source.statuses()[0]?.expiresInSeconds).toBeLessThanOrEqual(mostSeconds);
  });

  it.each([
    { what: 'leaves the token that is here in use', ageSeconds: 3500, status: 200 },
    { what: 'leads to 503 from 30 seconds before the end of the token', ageSeconds: 3571, status: 503 },
  ])('that is down gets a request again later, and meanwhile $what', async ({ ageSeconds, status }) => {
    // However long the requests take, no pause between token requests ends meanwhile.
    fakeClocks();
    const { call, tokens, issuer, endpoint } = await start(numbered, { ageSeconds });
    endpoint.respond = failing;
    for (let round = 0; round < 10; round++) expect((await call()).status).toBe(status);
    // A refresh runs beside the requests, and may arrive after the last one.
    await expect.poll(() => issuer.seen.length).toBe(2);
    expect(tokens()).toEqual(status === 200 ? Array(10).fill('token-1') : []);
    endpoint.respond = numbered;
    vi.advanceTimersByTime(20_000);
    await expect.poll(async () => [(await call()).status, tokens().at(-1)]).toEqual([200, 'token-3']);
  });
});

it('a client that leaves while a token is fetched is noted once, and the token is not lost', async () => {
  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { connect, call, records, tokens, issuer } = await start((...request) => ({ ...numbered(...request), after }));
  const leaver = connect();
  leaver.send(requestLines('GET /v1/vehicles/consent'));
  await expect.poll(() => issuer.seen.length).toBe(1);
  leaver.socket.resetAndDestroy();
  await expect.poll(() => records.length).toBe(1);
  release();
  expect((await call()).status).toBe(200);
  const outcomes = records.map(({ code, status }) => `${code} ${status}`);
  expect(outcomes).toEqual(['client-closed-request 0', ' 200']);
  expect(tokens()).toEqual(['token-1']);
  expect(issuer.seen).toHaveLength(1);
});

describe('a refresh token', () => {
  const folder = () => dirname(newFile('store'));
  const settings = { VDS_TOKEN_GRANT: 'refresh-token', VDS_REFRESH_TOKEN: 'first' };

  it('is not used while the store cannot be read; one that cannot be saved is saved later without another request', async () => {
    const store = new MemoryStore();
    const read = vi.spyOn(store, 'read').mockRejectedValue(new Error('away'));
    const write = vi.spyOn(store, 'write').mockRejectedValue(new Error('full'));
    const respond: Respond = (_, count) => oauthResponse(`a${count}`, { refresh_token: `r${count}` });
    const { call, tokens, issuer } = await start(respond, { store, settings });
    expect([(await call()).status, issuer.seen]).toEqual([503, []]);
    read.mockRestore();
    await expect.poll(async () => [(await call()).status, issuer.seen.length]).toEqual([503, 1]);
    expect(tokens()).toEqual([]);
    write.mockRestore();
    await expect.poll(async () => (await call()).status).toBe(200);
    expect(tokens()[0]).toBe('a1');
    expect(issuer.seen).toHaveLength(1);
  });

  it('of the store is used by the next process, until another one is configured', async () => {
    const path = folder();
    const issuer = await startUpstream((_, count) =>
      oauthResponse(`access-${count}`, { expires_in: 1, refresh_token: `rotated-${count}` }),
    );
    const start = (refreshToken: string) =>
      tokensFor(issuer.url, {
        store: new FileStore(path),
        settings: { ...settings, VDS_REFRESH_TOKEN: refreshToken },
      });
    expect(await start('first').obtain('brand_a')).toBe('access-1');
    expect(await start('first').obtain('brand_a')).toBe('access-1');
    expect(await start('first').replace('brand_a', 'access-1')).toBe('access-2');
    expect(await start('renewed').obtain('brand_a')).toBe('access-3');
    const sent = issuer.seen.map((request) => new URLSearchParams(request.body).get('refresh_token'));
    expect(sent).toEqual(['first', 'rotated-1', 'renewed']);
  });

  it('stays the newest when a clock is set back between two rotations', async () => {
    const issuer = await startUpstream((_, count) => oauthResponse(`a${count}`, { refresh_token: `r${count}` }));
    const store = new ClockStore();
    store.aheadMs = 7_200_000;
    const [first, one, two] = [1, 2, 3].map(() => tokensFor(issuer.url, { store, settings }));
    await first?.obtain('brand_a');
    // A token younger than ten seconds would not be replaced.
    store.aheadMs += 20_000;
    for (const tokens of [one, two]) expect(await tokens?.obtain('brand_a')).toBe('a1');
    store.aheadMs = 0;
    for (const tokens of [one, two]) expect(await tokens?.replace('brand_a', 'a1')).toBe('a2');
    expect(issuer.seen.map(({ body }) => new URLSearchParams(body).get('refresh_token'))).toEqual(['first', 'r1']);
  });

  it('stays the newest when it was issued after the store had lost its data', async () => {
    const third: Respond = (_, count) => oauthResponse(`a${count}`, count === 3 ? { refresh_token: 'r3' } : {});
    fakeClocks();
    const issuer = await startUpstream(third);
    const texts = new Map<string, string>();
    const [one, two] = [1, 2].map(() => tokensFor(issuer.url, { store: new MemoryStore(texts), settings }));
    expect(await one?.obtain('brand_a')).toBe('a1');
    // A token younger than ten seconds would not be replaced.
    vi.advanceTimersByTime(20_000);
    expect(await one?.replace('brand_a', 'a1')).toBe('a2');
    vi.advanceTimersByTime(20_000);
    texts.clear();
    expect(await two?.obtain('brand_a')).toBe('a3');
    expect(await one?.replace('brand_a', 'a2')).toBe('a3');
    expect([...texts.values()].join()).toContain('"r3"');
  });

  it('of an authorization code is used after the code, in the envelope form', async () => {
    const issuer = await startUpstream((_, count) => ({
      body: JSON.stringify({ data: { accessToken: `a${count}`, refreshToken: `r${count}` }, meta: {} }),
    }));
    const source = await agedTokens(issuer.url, {
      settings: {
        VDS_TOKEN_GRANT: 'authorization-code',
        VDS_AUTHORIZATION_CODE: 'the-code',
        VDS_TOKEN_FORM: 'envelope',
        VDS_REDIRECT_URL: 'https://app.invalid/back',
        VDS_TOKEN_REFRESH_URL: `${issuer.url}/refresh`,
      },
    });
    expect(await source.obtain('brand_a')).toBe('a1');
    expect(await source.replace('brand_a', 'a1')).toBe('a2');
    const client = { clientId: 'the-client', clientSecret: 'the-secret' };
    expect(issuer.seen.map(({ url, body }) => ({ url, body: JSON.parse(body) }))).toEqual([
      { url: '/token', body: { ...client, code: 'the-code', redirectUrl: 'https://app.invalid/back' } },
      { url: '/refresh', body: { ...client, refreshToken: 'r1' } },
    ]);
  });
});
