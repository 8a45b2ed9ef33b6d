import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { boundOf } from '../../../scripts/patience.ts';
import { createProxy, type UnexpectedError } from '../src/index.js';
import type { TokenSource } from '../src/upstream-token/token-source.js';
import { type Behavior, errorBody, responseWith, successBody } from './support/servers.ts';
import { consent, type ProxyOptions, startPair, withdrawal } from './support/set-up.ts';

const vin = 'KMHXX00XXXX000001';

const credentials = 'upstream-credentials-unavailable';
const silent: Behavior = () => {};
const never = () => new Promise<never>(() => {});
function thrown(): never {
  throw new TypeError(`no ${vin}\n    at ${vin}`);
}

describe('an error that nobody foresaw', () => {
  it.each([
    {
      where: 'client authentication',
      parts: { clientAuth: { challenge: 'Bearer', authenticate: () => thrown() } },
    },
    { where: 'rate limiting', parts: { limits: { take: () => thrown() } } },
    { where: 'the transport', parts: { transport: { keepsCoding: true, send: () => thrown(), close() {} } } },
  ] as const)('becomes internal-error, and is reported without its message, in $where', async ({ parts }) => {
    const { proxy } = await startPair(undefined, parts);
    expect(await proxy.call()).toMatchObject({ status: 500, code: 'internal-error' });
    await expect.poll(() => proxy.records.length).toBe(1);
    const [error] = proxy.unexpected;
    expect(error).toMatchObject({ name: 'TypeError', requestId: proxy.records[0]?.requestId });
    expect(error?.frames[0]).toContain('thrown');
    expect(JSON.stringify(proxy.unexpected)).not.toContain(vin);
    expect(proxy.pipeline.inFlight).toBe(0);
  });

  it.each([
    { what: 'throws', fail: thrown },
    { what: 'rejects', fail: async () => thrown() },
  ])('in an observer changes nothing, crashes nothing, and is reported, when it $what', async ({ fail }) => {
    const reported: string[] = [];
    const unexpected = ({ name }: UnexpectedError) => {
      reported.push(name);
      return fail();
    };
    const observer = { call: fail, unexpected };
    const audit = { begin: async () => ({ end: fail }), rejected: fail };
    const tracing = () => ({ context: { parent: '', state: '' }, end: fail });
    const body = successBody({ vehicles: 7 });
    const behave: Behavior = (socket) => socket.write(responseWith(body));
    const { call } = (await startPair(behave, { observer, tracing, onDrift: fail, audit })).proxy;
    expect(await call()).toMatchObject({ status: 200, text: body });
    expect((await call(withdrawal, {}, 'DELETE')).status).toBe(200);
    expect((await call('/v1/nothing')).status).toBe(404);
    // Three records, three spans, a violation and a withdrawal.
    await expect.poll(() => reported).toEqual(Array(8).fill('TypeError'));
  });

  it('in a page of the docs is reported under the identifier that its client gets', async () => {
    const reported: UnexpectedError[] = [];
    const observer = { call() {}, unexpected: (error: UnexpectedError) => void reported.push(error) };
    const proxy = createProxy({ upstreamUrl: 'http://127.0.0.1:1' }, { observer, pages: () => thrown() });
    const { status, headers } = await proxy.request('/docs/');
    expect(status).toBe(500);
    expect(reported).toMatchObject([{ name: 'TypeError', requestId: headers.get('x-request-id') }]);
  });
});

describe('a wait has a deadline, and ends in an envelope', () => {
  const source = { current: () => null, obtain: never, replace: never, retryAfterSeconds: () => 1 };
  const tokensFrom = (tokens: TokenSource) => ({ tokens, upstreamAuth: { kind: 'token-endpoint' } }) as const;
  const rejects: Behavior = (socket) => socket.write(responseWith(errorBody('4011'), '401 No'));
  const waitingClients = { clientAuth: { challenge: 'Bearer', authenticate: never } };
  interface Wait {
    readonly what: string;
    readonly behave?: Behavior;
    readonly options: ProxyOptions;
    readonly status: number;
    readonly code: string;
  }
  it.each<Wait>([
    { what: 'client authentication', options: waitingClients, status: 503, code: 'overloaded' },
    { what: 'a rate limit', options: { limits: { take: never } }, status: 503, code: 'overloaded' },
    { what: 'an access token', options: tokensFrom(source), status: 503, code: credentials },
    {
      what: 'a token in place of a rejected one',
      behave: rejects,
      options: tokensFrom({ ...source, current: () => 'one' }),
      status: 503,
      code: credentials,
    },
    { what: 'the upstream', options: {}, status: 504, code: 'upstream-timeout' },
  ])('for what a request waits for: $what', async ({ behave = silent, options, status, code }) => {
    for (const times of [{ deadlineMs: 400 }, { deadlineMs: 600_000, totalDeadlineMs: 400 }]) {
      const { proxy } = await startPair(behave, { ...times, ...options });
      expect(await proxy.call()).toMatchObject({ status, code });
      expect(proxy.pipeline.inFlight).toBe(0);
    }
  });

  it('for a response to begin; its body may take longer', async () => {
    const bytes = responseWith(successBody());
    let finish = () => {};
    const behave: Behavior = (socket) => {
      socket.write(bytes.subarray(0, -9));
      finish = () => void socket.write(bytes.subarray(-9));
    };
    const { upstream, proxy } = await startPair(behave, { deadlineMs: 1000, bodyIdleMs: 30_000 });
    const begun = await fetch(proxy.url + consent, { headers: { brand: 'brand_a', authorization: 'Bearer t' } });
    // By the time at which another request, made later, has reached its deadline.
    upstream.behave = silent;
    expect(await proxy.call()).toMatchObject({ status: 504, code: 'upstream-timeout' });
    finish();
    expect(await begun.text()).toBe(successBody());
  });

  it.each([
    { what: 'ends', source: {} },
    { what: 'ends, nor can be canceled', source: { cancel: never } },
    { what: 'ends, because it breaks', source: { pull: thrown } },
  ] as const)('for a body without a length that never $what', async ({ source }) => {
    const proxy = createProxy({ upstreamUrl: 'http://127.0.0.1:1', deadlineMs: 300 });
    const headers = { brand: 'brand_a', authorization: 'Bearer t' };
    const init = { method: 'DELETE', headers, body: new ReadableStream(source), duplex: 'half' };
    const response = await proxy.request(consent, init);
    expect(response.status).toBe(408);
    expect(await response.json()).toMatchObject({ error: { code: 'request-timeout' } });
  });

  it('from the head of the request, whatever it waited for first', async () => {
    const slow = tokensFrom({ ...source, obtain: () => wait(1000, 'one') });
    const { proxy } = await startPair(silent, { ...slow, deadlineMs: 1600 });
    expect(await proxy.call()).toMatchObject({ status: 504, code: 'upstream-timeout' });
    expect(proxy.records[0]?.durationMs).toBeLessThan(boundOf(1600, 900));
  });
});

it.each([
  { what: 'has no envelope', type: 'text/html', body: 'no' },
  { what: 'is too long', type: 'application/json', body: errorBody('4291', 'm'.repeat(70_000)) },
])('a 429 of the upstream keeps its Retry-After, and is no failure, when it $what', async ({ type, body }) => {
  const headers = `content-type: ${type}\r\nretry-after: 17\r\n`;
  const { call } = (await startPair((socket) => socket.write(responseWith(body, '429 Slow', headers)))).proxy;
  // More than open the circuit breaker.
  for (let turn = 0; turn < 25; turn++) {
    const response = await call();
    expect(response).toMatchObject({ status: 502, code: 'upstream-invalid-response' });
    expect(response.headers.get('retry-after')).toBe('17');
  }
});
