import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isVehicleDataError, type VehicleDataClientOptions, type VehicleDataError } from '../src/index.js';
import { clientOf, failure, startRawService, success, token, vin } from './service.ts';

const good = success({ location: { latitude: 52.5, longitude: 13.4 }, timestamp: '2026-03-09T06:59:48Z' });

function http(body: string, headers: readonly string[] = [], status = '200 OK'): string {
  const length = headers.some((line) => /^(content-length|transfer-encoding)/i.test(line))
    ? []
    : [`content-length: ${Buffer.byteLength(body)}`];
  return [`HTTP/1.1 ${status}`, 'content-type: application/json', ...length, ...headers, '', body].join('\r\n');
}

/** Calls a service that plays one response to every request, by a method and by `raw`; gives the errors. */
async function errorOf(response: (socket: Socket) => void, options: Partial<VehicleDataClientOptions> = {}) {
  const service = await startRawService(response);
  const client = clientOf(service.url, { maxRetries: 0, timeoutMs: 2_000, ...options });
  const calls = [
    client.getLocation({ vin }),
    client.raw.GET('/v1/vehicles/{vin}/locations', { params: { path: { vin } } }),
  ];
  const [error, rawError] = (await Promise.allSettled(calls)).map((one) => ('reason' in one ? one.reason : undefined));
  return { service, error, rawError };
}

function expectSafe(error: unknown): asserts error is VehicleDataError {
  expect(isVehicleDataError(error)).toBe(true);
  const cause = (error as Error).cause;
  for (const text of [String(error), String(cause), JSON.stringify(error), JSON.stringify(cause) ?? '']) {
    expect(text).not.toContain(vin);
    expect(text).not.toContain(token);
    expect(text).not.toContain('52.5');
  }
}

const retry = { resolution: 'retry', isTemporary: true };
const malformed = { code: 'malformed-response' };
const broken = { name: 'ConnectionError' };
const redirect = { code: 'redirect-rejected' };
const chunked = ['transfer-encoding: chunked'];
const stated = (length: number) => [`content-length: ${length}`];
const flood = Array.from({ length: 5_000 }, (_, i) => `x-${i}: ${'y'.repeat(50)}`);
const notText = Buffer.concat([Buffer.from(http('', stated(4))), Buffer.from([0xff, 0xfe, 0x80, 0x00])]);

const faults: readonly (readonly [string, string | Buffer | ((socket: Socket) => void), object])[] = [
  ['HTML with status 200', http('<html>Welcome 52.5</html>'), { ...malformed, status: 200, ...retry }],
  ['HTML with status 502', http('<html>', [], '502 Bad'), { ...malformed, status: 502, ...retry }],
  ['HTML with status 401', http('<html>', [], '401 No'), { resolution: 'refresh-token', isTemporary: false }],
  ['HTML with status 403', http('<html>', [], '403 No'), { resolution: 'fix-credentials', isTemporary: false }],
  ['HTML with status 404', http('<html>', [], '404 No'), { resolution: 'fix-request', isTemporary: false }],
  ['JSON cut short', http(good.slice(0, -20)), { ...malformed, isTemporary: true }],
  ['an empty body', http(''), malformed],
  ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', { ...malformed, status: 204 }],
  ['204 with a length', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n12345', {}],
  ['an empty error', http('', [], '500 Oops'), { ...malformed, status: 500, isTemporary: true }],
  ['JSON null', http('null'), malformed],
  ['a JSON list', http('[]'), malformed],
  ['a JSON number', http('7'), malformed],
  ['an envelope without data', http('{"meta":{}}'), malformed],
  ['data that is null', http('{"data":null,"meta":{}}'), malformed],
  ['data without what the contract promises', http('{"data":{},"meta":{}}'), malformed],
  ['an error without a code', http('{"error":{}}', [], '400 Bad Request'), malformed],
  ['an error that is a text', http('{"error":"no"}', [], '400 Bad Request'), malformed],
  ['invalid UTF-8', notText, malformed],
  ['an odd status', http(good, [], '499 Odd'), { ...malformed, status: 499 }],
  ['a body shorter than its length', http(good, stated(good.length + 100)), { ...broken, isTemporary: true }],
  ['chunks that end early', http('5\r\n{"dat\r\n', chunked), broken],
  ['an invalid chunk', http('zz\r\n{"dat\r\n', chunked), broken],
  ['two lengths', http(good, [...stated(5), ...stated(good.length)]), {}],
  ['a length and chunks together', http('5\r\n{"dat\r\n0\r\n\r\n', [...stated(3), ...chunked]), {}],
  ['bytes that are not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', broken],
  ['a connection closed without a response', '', broken],
  ['a reset', (s) => s.resetAndDestroy(), broken],
  [
    'a reset within the body',
    (s) => s.write(http(good.slice(0, 20), stated(good.length)), () => setTimeout(() => s.resetAndDestroy(), 20)),
    broken,
  ],
  ['broken gzip', http('not gzip at all', ['content-encoding: gzip']), broken],
  ['a flood of headers', http(good, flood), {}],
  [
    'an unasked change of protocol',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    {},
  ],
  [
    'a redirect to another host',
    http('', ['location: http://127.0.0.1:1/'], '302 Found'),
    { ...redirect, status: 302, isTemporary: false },
  ],
  ['a permanent redirect', http('', ['location: /v1/vehicles/consent'], '308 Permanent Redirect'), redirect],
  ['a redirect without a place', http('', [], '301 Moved'), redirect],
  ['not modified', 'HTTP/1.1 304 Not Modified\r\n\r\n', redirect],
];

describe('whatever a service responds, user code gets a typed error without personal data', () => {
  test.each(faults)('%s', async (_, response, expected) => {
    const play = (socket: Socket) => (typeof response === 'function' ? response(socket) : void socket.end(response));
    const { error, rawError } = await errorOf(play);
    for (const one of [error, rawError]) {
      expectSafe(one);
      expect(one).toMatchObject({ operation: 'getLocation', mayHaveTakenEffect: false, ...expected });
    }
  });

  test.each([
    ['silence', () => undefined],
    ['a stall after the head', (s: Socket) => s.write(http('', ['content-length: 900']))],
    ['a stall within the body', (s: Socket) => s.write(http(good.slice(0, 30), ['content-length: 900']))],
    ['a stall within chunks', (s: Socket) => s.write(http('5\r\n{"dat\r\n', ['transfer-encoding: chunked']))],
    [
      'a drip',
      (s: Socket) => {
        s.write(http('', ['content-length: 900']));
        const timer = setInterval(() => s.write(' '), 10);
        s.on('close', () => clearInterval(timer));
      },
    ],
    [
      'interim responses without end',
      (s: Socket) => {
        const timer = setInterval(() => s.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
        s.on('close', () => clearInterval(timer));
      },
    ],
  ])('%s ends at the deadline and leaves no connection', async (_, response) => {
    const { error, rawError, service } = await errorOf(response, { timeoutMs: 150 });
    for (const one of [error, rawError]) {
      expectSafe(one);
      expect(one).toMatchObject({ name: 'TimeoutError', code: 'timeout', isTemporary: true });
    }
    await expect.poll(service.busyConnections).toBe(0);
  });

  test.each([
    ['a rejected connection', 'http://127.0.0.1:2'],
    ['a name that does not exist', 'http://no-such-host.invalid'],
  ])('%s took no effect', async (_, baseUrl) => {
    const error: unknown = await clientOf(baseUrl, { maxRetries: 0 })
      .stopSharing({ vin })
      .catch((reason: unknown) => reason);
    expectSafe(error);
    const cause = { cause: { message: expect.any(String) } };
    expect(error).toMatchObject({ name: 'ConnectionError', mayHaveTakenEffect: false, cause });
  });
});

describe('the size of a response', () => {
  const limit = { maxResponseBytes: 10_000 };
  const zeros = JSON.stringify({ data: { location: {}, filler: '0'.repeat(5_000_000) }, meta: {} });

  test('is rejected by its stated length before the body is read', async () => {
    const { error } = await errorOf((s) => s.write(http('', ['content-length: 100000000'])), limit);
    expect(error).toMatchObject({ name: 'MalformedResponseError', code: 'response-too-large', isTemporary: false });
  });

  test('is counted where it is not stated', async () => {
    const { error, service } = await errorOf((s) => {
      s.write(http('', ['transfer-encoding: chunked']));
      const more = () => s.writable && s.write(`1000\r\n${'x'.repeat(4096)}\r\n`, () => setImmediate(more));
      more();
    }, limit);
    expect(error).toMatchObject({ code: 'response-too-large' });
    await expect.poll(service.busyConnections).toBe(0);
  });

  test('is counted after decompression, so that a small response cannot unfold', async () => {
    const body = gzipSync(zeros);
    expect(body.byteLength).toBeLessThan(limit.maxResponseBytes);
    const { error } = await errorOf((s) => {
      s.write(http('', [`content-length: ${body.byteLength}`, 'content-encoding: gzip']));
      s.write(body);
    }, limit);
    expect(error).toMatchObject({ code: 'response-too-large' });
  });

  test('a large legal response passes, in chunks that cut characters', async () => {
    const bytes = Buffer.from(success({ location: {}, note: 'Zoé 🚗 '.repeat(2_000) }));
    const service = await startRawService((s) => {
      s.write(http('', ['transfer-encoding: chunked']));
      for (let at = 0; at < bytes.length; at += 1_001) {
        const part = bytes.subarray(at, at + 1_001);
        s.write(`${part.length.toString(16)}\r\n`);
        s.write(part);
        s.write('\r\n');
      }
      s.write('0\r\n\r\n');
    });
    const client = clientOf(service.url);
    expect(await client.getLocation({ vin })).toEqual({ location: {}, note: 'Zoé 🚗 '.repeat(2_000) });
  });
});

describe('responses that are odd but good pass', () => {
  test.each([
    ['a wrong content type', http(good, ['content-type: text/plain'])],
    ['interim responses first', `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${http(good)}`],
    ['a body without a length', `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${good}`],
    ['unknown members', http(JSON.stringify({ ...JSON.parse(good), extra: 1 }))],
    ['a missing meta', http(JSON.stringify({ data: JSON.parse(good).data }))],
    ['status 203', http(good, [], '203 Non-Authoritative')],
    ['extra bytes after the response', `${http(good)}garbage`],
  ])('%s', async (_, bytes) => {
    const service = await startRawService((s) => s.end(bytes));
    const client = clientOf(service.url, { maxRetries: 0 });
    expect((await client.getLocation({ vin })).location.latitude).toBe(52.5);
  });
});

describe('a response that repeats the request', () => {
  test('is kept out of message and request identifier', async () => {
    const body = failure('9999', `no ${vin} for ${token} at /x?startDate=20260302`);
    const { error } = await errorOf((s) =>
      s.end(http(body.replace(/"requestId":"[^"]*"/, `"requestId":"${vin}"`), [], '400 No')),
    );
    expectSafe(error);
    expect(error.requestId).toBeUndefined();
    expect(error.message).toBe('getLocation: 9999 no … for … at /x… (HTTP 400)');
  });
});
