// What stands between a program and the service answers in its own words: the status decides then.
import { createServer } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { AbortedError, RateLimitError, TimeoutError } from '../src/index.js';
import { clientError, createLocationRecord, fakeClient, serviceError } from '../src/testing/index.js';
import {
  clientOf,
  errorOf,
  failed,
  fakeTime,
  instantClock,
  listen,
  located,
  silence,
  stubbed,
  success,
  vin,
} from './service.ts';

describe('a body that is no envelope', () => {
  const problem = '{"type":"about:blank","title":"Too Many Requests"}';
  test.each([
    { status: 400, name: 'InvalidRequestError', resolution: 'fix-request' },
    { status: 401, name: 'AccessTokenError', resolution: 'refresh-token' },
    { status: 403, name: 'CredentialsError', resolution: 'fix-credentials' },
    { status: 404, name: 'InvalidRequestError', resolution: 'fix-request' },
    { status: 408, name: 'ServiceFailureError', resolution: 'retry' },
    { status: 410, name: 'InvalidRequestError', resolution: 'fix-request' },
    { status: 429, name: 'RateLimitError', resolution: 'retry' },
    { status: 500, name: 'ServiceFailureError', resolution: 'retry' },
    { status: 502, name: 'ServiceFailureError', resolution: 'retry' },
    { status: 503, name: 'ServiceFailureError', resolution: 'retry' },
    { status: 504, name: 'ServiceFailureError', resolution: 'retry' },
    { status: 200, name: 'MalformedResponseError', resolution: 'retry' },
  ])('is an error of the class of its status: $status, $name', async ({ status, name, resolution }) => {
    for (const body of ['<html>', problem, '{"message":"no"}', '']) {
      const { client } = stubbed(new Response(body, { status }), { maxRetries: 0 });
      const facts = { name, status, code: 'malformed-response', resolution };
      expect(await errorOf(client.getLocation({ vin }))).toMatchObject(facts);
    }
  });

  test('of a network proxy that asks for credentials says so', async () => {
    const { client } = stubbed(new Response('<html>', { status: 407 }), { maxRetries: 0 });
    const { message } = await errorOf(client.getLocation({ vin }));
    expect(message).toBe('getLocation: a network proxy on the way asks for its own credentials (HTTP 407)');
  });

  test('of a gateway with Retry-After is a rate limit, and waited for', async () => {
    const page = new Response('<html>', { status: 429, headers: { 'retry-after': '3' } });
    const { client, clock } = stubbed([page, located]);
    await client.getLocation({ vin });
    expect(clock.pauses).toEqual([3_375]);
    const { client: once } = stubbed(page, { maxRetries: 0 });
    expect(await errorOf(once.getLocation({ vin }))).toBeInstanceOf(RateLimitError);
  });
});

test('a date in Retry-After is read by the clock of the response', async () => {
  const anHourAhead = { date: 'Mon, 09 Mar 2026 08:00:05 GMT', 'retry-after': 'Mon, 09 Mar 2026 08:00:10 GMT' };
  const { client } = stubbed(failed('429', 429, anHourAhead), { clock: instantClock(), maxRetries: 0 });
  expect(await errorOf(client.getLocation({ vin }))).toMatchObject({ retryAfterMs: 5_000 });
});

describe('a failed connection says why', () => {
  test.each([
    { code: 'ENOTFOUND', address: async () => 'http://no-such-host.invalid' },
    { code: 'ECONNREFUSED', address: async () => 'http://127.0.0.1:2' },
    {
      code: 'UND_ERR_SOCKET',
      address: async () => {
        const server = createServer((socket) => socket.end());
        return listen(server, () => undefined);
      },
    },
    {
      code: 'ERR_SSL_.*|EPROTO|ERR_SSL',
      address: async () => {
        const server = createServer((socket) => socket.end('no TLS here'));
        return (await listen(server, () => undefined)).replace('http:', 'https:');
      },
    },
  ])('$code', async ({ code, address }) => {
    const error = await errorOf(clientOf(await address(), { maxRetries: 0 }).getLocation({ vin }));
    const pattern = expect.stringMatching(new RegExp(`^(${code})$`));
    expect(error).toMatchObject({ name: 'ConnectionError', systemCode: pattern });
    expect(error.message).toContain(`no connection, or it broke: ${error.systemCode}`);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ systemCode: pattern });
  });

  test('and a fetch that throws at once is a fault of the program, and not retried', async () => {
    const fetch = vi.fn(() => {
      throw new TypeError('boom');
    });
    const error = await errorOf(clientOf('http://x', { fetch }).getLocation({ vin }));
    expect(error).toMatchObject({ name: 'ArgumentError', parameter: 'fetch', cause: { message: 'boom' } });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

test('the signal of AbortSignal.timeout() gives a TimeoutError, and every other signal an AbortedError', async () => {
  const { client } = stubbed(silence, { clock: undefined });
  const late = await errorOf(client.getLocation({ vin }, { signal: AbortSignal.timeout(5) }));
  expect(late).toBeInstanceOf(TimeoutError);
  expect(late).toMatchObject({ code: 'timeout', isTemporary: true, cause: { name: 'TimeoutError' } });
  const left = await errorOf(client.getLocation({ vin }, { signal: AbortSignal.abort() }));
  expect(left).toBeInstanceOf(AbortedError);
});

test('the logger takes a call that you ended and "no data" as normal, and other failures as errors', async () => {
  const lines: string[] = [];
  const note = (level: string) => (message: string) => void (message.includes(' Error') && lines.push(level));
  const logger = { debug: note('debug'), warn: note('warn'), error: note('error') };
  const { client } = stubbed([failed('4045'), failed('4002')], { logger });
  await errorOf(client.getLocation({ vin }));
  await errorOf(client.getLocation({ vin }, { signal: AbortSignal.abort() }));
  await errorOf(client.getLocation({ vin }));
  expect(lines).toEqual(['debug', 'debug', 'error']);
});

describe('fakes', () => {
  test('give a fault of their own to the test as it is: no connection has broken', async () => {
    for (const fault of [
      new TypeError('fake is wrong'),
      Object.assign(new Error('expected 1'), { name: 'AssertionError' }),
    ]) {
      const client = fakeClient({
        getLocation() {
          throw fault;
        },
        getDrivingData: () => Promise.reject(fault),
      });
      expect(await errorOf(client.getLocation({ vin }))).toBe(fault);
      expect(await errorOf(client.trips.driving({ vin, from: '20260301', to: '20260301' }).next())).toBe(fault);
      expect(fault.stack).toContain('foreign-responses.test.ts');
    }
  });

  test.each(['timeout', 'connection-failed', 'no-access-token', 'malformed-response', 'aborted'] as const)(
    'play what the service cannot say: %s',
    async (code) => {
      const client = fakeClient({
        getLocation() {
          throw clientError(code, { systemCode: 'ENOTFOUND' });
        },
      });
      const error = await errorOf(client.getLocation({ vin }));
      const { client: other } = stubbed(silence, { clock: undefined });
      const real = await errorOf(other.getLocation({ vin }, { timeoutMs: 5 }));
      expect(error).toMatchObject({ code, systemCode: 'ENOTFOUND', operation: 'getLocation' });
      if (code === 'timeout') expect(error).toMatchObject({ name: real.name, resolution: real.resolution });
    },
  );

  test('still play the codes of the service', async () => {
    const client = fakeClient({
      getLocation: ({ vin: asked }) => {
        if (asked === vin) throw serviceError('5006');
        return createLocationRecord();
      },
    });
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject({ name: 'ConsentError', code: '5006' });
  });
});

describe('what a method gives', () => {
  test.each([
    { name: 'trips', method: 'getDrivingData', parameters: { vin, startDate: '20260301', endDate: '20260302' } },
    { name: 'vehicles', method: 'listVehicles', parameters: undefined },
  ] as const)('has lists of objects alone, as their types say: $name', async ({ name, method, parameters }) => {
    const { untyped } = stubbed(success({ [name]: [{ vin }, null] }));
    const error = await errorOf(parameters ? untyped[method](parameters) : untyped[method]());
    expect(error).toMatchObject({ name: 'MalformedResponseError', code: 'malformed-response', resolution: 'report' });
    expect(error.message).toContain(`item 1 of ${name} is not an object`);
  });

  test('as asResponse() is the response with a body that nobody has read, after the same retries', async () => {
    const { client, sent } = stubbed([failed('overloaded', 503), '{"data":{"location":{}},"meta":{}}']);
    const response = await client.getLocation({ vin }).asResponse();
    expect([response.bodyUsed, sent.length]).toEqual([false, 2]);
    expect(await response.json()).toEqual({ data: { location: {} }, meta: {} });
    expect(await errorOf(stubbed(failed('5006')).client.getLocation({ vin }).asResponse())).toMatchObject({
      code: '5006',
    });
  });

  test('an iterator gives as a list has at most as many items as you say, and ends', async () => {
    const trips = [1, 2, 3].map((second) => ({ triggerStartTime: `2026-03-01T00:00:0${second}.000Z`, tripLength: 1 }));
    const { client } = stubbed(success({ trips }));
    const range = { vin, from: '20260301', to: '20260301' };
    const iterator = client.trips.driving(range);
    expect(await iterator.toArray({ limit: 2 })).toEqual(trips.slice(0, 2));
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await client.trips.driving(range, { cursor: iterator.cursor }).toArray({ limit: 9 })).toEqual(
      trips.slice(2),
    );
    const wrong = await errorOf(client.trips.driving(range).toArray({} as never));
    expect(wrong).toMatchObject({ name: 'ArgumentError', parameter: 'limit' });
  });
});

test('an iterator has a cursor, a sync a checkpoint, and nothing else beside their steps', () => {
  const { client } = stubbed(silence);
  const steps = ['next', 'return', 'toArray'];
  expect(Object.keys(client.trips.driving({ vin, from: '20260101', to: '20260102' }))).toEqual([...steps, 'cursor']);
  const sync = client.trips.sync({ series: 'driving', vin, since: '20260101' });
  expect(Object.keys(sync)).toEqual([...steps, 'checkpoint']);
});

test('headers may be a Headers object, and values that are undefined are left out; a wrong one is named', async () => {
  fakeTime('jumping');
  const { client, sent } = stubbed(located, { headers: new Headers({ 'x-one': '1' }) });
  await client.getLocation({ vin }, { headers: { 'x-two': undefined, 'User-Agent': 'mine' } });
  expect(sent[0]?.headers).toMatchObject({ 'x-one': '1', 'user-agent': 'mine' });
  expect(sent[0]?.headers).not.toHaveProperty('x-two');
  const { message } = await errorOf(client.getLocation({ vin }, { headers: { 'x-bad': 'a\nb' } }));
  expect(message).toContain('with x-bad');
});

test.each([
  { options: { retries: 3 }, text: 'got the unknown name retries (did you mean maxRetries?)' },
  { options: { maxRetries: Number.POSITIVE_INFINITY }, text: 'a whole number of at least 0; got Infinity' },
  { options: { docsUrl: 'nope' }, text: 'docsUrl must be an http(s) address' },
])('the message about an option helps: $options', async ({ options, text }) => {
  const { message } = await errorOf((async () => clientOf('http://x', options as never))());
  expect(message).toContain(text);
});
