import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { printKeys } from '../src/auth/key-record.js';
import { clientAuth, forward, keyAuth, rateLimit, rateLimits, validateRequest } from '../src/middleware/index.js';
import { apiKey, recordOf } from './support/api-key.ts';
import { startRawUpstream, startUpstream, successBody } from './support/servers.ts';
import { clientOf, consent, locationOf, vin, withdrawal } from './support/set-up.ts';

/** Serves an app over HTTP until the test has finished. */
async function serveApp(app: Pick<Hono, 'fetch'>): Promise<string> {
  const port = await new Promise<number>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info.port));
    onTestFinished(() => void server.close());
  });
  return `http://127.0.0.1:${port}`;
}

const keyFile = printKeys([recordOf()]);
const known = { 'x-api-key': apiKey, brand: 'brand_a', authorization: 'Bearer of-the-client' };
const errorForm = { error: { code: expect.any(String), timestamp: expect.any(String), requestId: expect.any(String) } };

describe('in an app that is no proxy', () => {
  it('clientAuth lets known clients pass, says who calls, and rejects others in the envelope', async () => {
    const app = new Hono()
      .use(clientAuth(keyAuth({ keyFile })))
      .get('/who', (context) => context.text(context.get('client').id));
    const call = clientOf(await serveApp(app), {});
    expect(await call('/who', known)).toMatchObject({ status: 200, text: 'abcdefghij' });
    const rejected = await call('/who', { 'x-api-key': apiKey.replace('k', 'l') });
    expect(rejected).toMatchObject({ status: 401, code: 'invalid-client-credentials' });
    expect(rejected.headers.get('www-authenticate')).toBe('ApiKey realm="vehicle-data"');
    expect(JSON.parse(rejected.text)).toMatchObject(errorForm);
  });

  it('clientAuth counts requests without good credentials, where limits are given', async () => {
    const limits = rateLimits({ unauthenticated: { calls: 2, seconds: 60 } });
    const app = new Hono().use(clientAuth(keyAuth({ keyFile }), { limits })).get('/', (context) => context.text('in'));
    const call = clientOf(await serveApp(app), {});
    const statuses = [];
    for (const key of ['one', 'two', 'three', apiKey]) statuses.push((await call('/', { 'x-api-key': key })).status);
    expect(statuses).toEqual([401, 401, 429, 200]);
  });

  it('rateLimit counts each client, and adds what is left to the response of a handler', async () => {
    const app = new Hono()
      .use(clientAuth(keyAuth({ keyFile })), rateLimit(rateLimits({ perClient: { calls: 1, seconds: 60 } })))
      .get('/', (context) => context.text('in'));
    const call = clientOf(await serveApp(app), known);
    const first = await call('/');
    expect([first.status, first.text]).toEqual([200, 'in']);
    expect(first.headers.get('ratelimit')).toMatch(/^"client";r=0;t=\d+$/);
    const second = await call('/');
    expect(second).toMatchObject({ status: 429, code: 'rate-limited' });
    expect(second.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('validateRequest lets calls of the contract pass, and says what is asked for', async () => {
    const app = new Hono().use(validateRequest()).get('/v1/*', (context) => {
      const { operationId, brand, vehicle } = context.get('checkedRequest');
      return context.json({ operationId, brand, vehicle });
    });
    const call = clientOf(await serveApp(app), known);
    const good = await call(locationOf());
    expect(JSON.parse(good.text)).toMatchObject({ brand: 'brand_a', vehicle: vin });
    expect(await call(`${consent}?zebra=1`)).toMatchObject({ status: 400, code: '4002' });
    expect(await call('/v1/zebras')).toMatchObject({ status: 404, code: 'no-such-operation' });
    expect(await call(consent, {}, 'DELETE')).toMatchObject({ status: 403, code: 'stop-all-not-allowed' });
    expect(await call('/elsewhere')).toMatchObject({ status: 404 });
  });

  it('an error of a handler stays with the app', async () => {
    const app = new Hono()
      .use(clientAuth(keyAuth({ keyFile })))
      .get('/', () => {
        throw new Error('of the app');
      })
      .onError((error, context) => context.text(`mine: ${error.message}`, 500));
    const call = clientOf(await serveApp(app), known);
    expect(await call('/')).toMatchObject({ status: 500, text: 'mine: of the app' });
  });

  it('an error of an own client authentication stays with the app', async () => {
    const broken = { challenge: 'Own', authenticate: () => Promise.reject(new Error('no directory')) };
    const app = new Hono().use(clientAuth(broken)).onError((error, context) => context.text(error.message, 502));
    expect(await clientOf(await serveApp(app), {})('/')).toMatchObject({ status: 502, text: 'no directory' });
  });
});

describe('forward', () => {
  it('sends what the contract allows, with what middleware before it has found out', async () => {
    const upstream = await startUpstream(() => ({ body: successBody({ vehicles: [{ vin }] }) }));
    const app = new Hono()
      .get('/health', (context) => context.text('well'))
      .use(clientAuth(keyAuth({ keyFile })))
      .use(rateLimit(rateLimits({ perClient: { calls: 10, seconds: 60 } })))
      .use(forward({ upstreamUrl: upstream.url, upstreamAuth: { kind: 'static', accessToken: 'own' } }));
    const call = clientOf(await serveApp(app), known);
    expect((await call('/health', { 'x-api-key': '' })).text).toBe('well');
    const good = await call();
    expect(good.status).toBe(200);
    expect(good.headers.get('ratelimit')).toMatch(/^"client";r=9;/);
    expect(good.headers.get('cache-control')).toBe('no-store');
    expect(upstream.seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer own' });
    expect(await call(`${consent}?zebra=1`)).toMatchObject({ status: 400, code: '4002' });
    expect(await call(consent, { 'x-api-key': '' })).toMatchObject({ status: 401 });
    expect(upstream.seen).toHaveLength(1);
  });

  it('checks by its own rules, whatever was allowed before it', async () => {
    const upstream = await startUpstream();
    const app = new Hono().use(validateRequest({ allowStopAll: true }), forward({ upstreamUrl: upstream.url }));
    const call = clientOf(await serveApp(app), known);
    expect(await call(consent, {}, 'DELETE')).toMatchObject({ status: 403, code: 'stop-all-not-allowed' });
    expect(upstream.seen).toEqual([]);
    expect((await call(withdrawal, {}, 'DELETE')).status).toBe(200);
  });

  it('passes a long response as it comes, and its requests end with one record each', async () => {
    const long = successBody({ vehicles: Array.from({ length: 20_000 }, () => ({ vin })) });
    const upstream = await startUpstream(() => ({ body: long }));
    const records: string[] = [];
    const observer = {
      call: (record: { readonly code: string; readonly bytes: number }) =>
        void records.push(`${record.code}${record.bytes}`),
    };
    const app = new Hono().use(forward({ upstreamUrl: upstream.url }, { observer }));
    const call = clientOf(await serveApp(app), known);
    expect((await call()).text).toBe(long);
    await expect.poll(() => records).toEqual([String(Buffer.byteLength(long))]);
  });

  it('ends a request whose client leaves', async () => {
    const upstream = await startRawUpstream(() => {});
    const codes: string[] = [];
    const observer = { call: ({ code }: { readonly code: string }) => void codes.push(code) };
    const app = new Hono().use(forward({ upstreamUrl: upstream.url }, { observer }));
    const url = await serveApp(app);
    const leaving = new AbortController();
    const waiting = fetch(url + consent, { headers: known, signal: leaving.signal }).catch(() => 'left');
    await expect.poll(() => upstream.requests()).toHaveLength(1);
    leaving.abort();
    expect(await waiting).toBe('left');
    await expect.poll(() => codes).toEqual(['client-closed-request']);
  });

  it('responds in the envelope when there is no upstream', async () => {
    const app = new Hono().use(forward({ upstreamUrl: `http://127.0.0.1:${await reservedPort()}` }));
    expect(await clientOf(await serveApp(app), known)()).toMatchObject({ status: 502, code: 'upstream-unreachable' });
  });
});

it('a key file that is none, or whose hashes of VINs nobody can read, makes no client authentication', () => {
  expect(() => keyAuth({ keyFile: '{}' })).toThrow('keyFile: is not the text of a key file');
  expect(() => keyAuth({ keyFile: printKeys([recordOf({ vehicles: ['0'.repeat(32)] })]) })).toThrow(
    'vinHashKey: must be set',
  );
});
