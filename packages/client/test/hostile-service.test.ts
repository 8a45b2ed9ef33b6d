import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  createVehicleDataClient,
  isVehicleDataError,
  type VehicleDataClientOptions,
  type VehicleDataError,
} from '../src/index.js';
import { failure, success, token, vin } from './http-service.ts';
import { startRawService, until } from './raw-service.ts';

const good = success({ location: { latitude: 52.5, longitude: 13.4 }, timestamp: '2026-03-09T06:59:48Z' });

function http(body: string, headers: readonly string[] = [], status = '200 OK'): string {
  const length = headers.some((line) => /^(content-length|transfer-encoding)/i.test(line))
    ? []
    : [`content-length: ${Buffer.byteLength(body)}`];
  return [`HTTP/1.1 ${status}`, 'content-type: application/json', ...length, ...headers, '', body].join('\r\n');
}

/** Calls a service that responses every request the same way, and gives the error of the call. */
async function errorOf(response: (socket: Socket) => void, options: Partial<VehicleDataClientOptions> = {}) {
  const service = await startRawService(response);
  const settings = {
    baseUrl: service.url,
    brand: 'brand_a',
    accessToken: token,
    maxRetries: 0,
    timeoutMs: 2_000,
    ...options,
  };
  const client = createVehicleDataClient(settings as VehicleDataClientOptions);
  const [thrown, rawThrown] = await Promise.all(
    [client.getLocation({ vin }), client.raw.GET('/v1/vehicles/{vin}/locations', { params: { path: { vin } } })].map(
      (call) =>
        Promise.resolve(call).then(
          () => undefined,
          (reason: unknown) => reason,
        ),
    ),
  );
  return { service, error: thrown, rawError: rawThrown };
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

const faults: readonly (readonly [string, (socket: Socket) => void, object])[] = [
  [
    'an HTML page with status 200',
    (s) => s.end(http('<html>Welcome 52.5</html>', ['content-type: text/html'])),
    { code: 'malformed-response', status: 200, isTemporary: true },
  ],
  [
    'an HTML page with status 502',
    (s) => s.end(http('<html>Bad gateway</html>', [], '502 Bad Gateway')),
    { code: 'malformed-response', status: 502, isTemporary: true },
  ],
  [
    'an HTML page with status 404',
    (s) => s.end(http('<html>Nothing here</html>', [], '404 Not Found')),
    { code: 'malformed-response', status: 404, isTemporary: false },
  ],
  ['JSON cut short', (s) => s.end(http(good.slice(0, -20))), { code: 'malformed-response', isTemporary: true }],
  ['an empty body', (s) => s.end(http('')), { code: 'malformed-response' }],
  ['no content', (s) => s.end('HTTP/1.1 204 No Content\r\n\r\n'), { code: 'malformed-response', status: 204 }],
  ['204 with a length', (s) => s.end('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n12345'), {}],
  [
    'an empty error',
    (s) => s.end(http('', [], '500 Oops')),
    { code: 'malformed-response', status: 500, isTemporary: true },
  ],
  ['JSON null', (s) => s.end(http('null')), { code: 'malformed-response' }],
  ['a JSON list', (s) => s.end(http('[]')), { code: 'malformed-response' }],
  ['a JSON number', (s) => s.end(http('7')), { code: 'malformed-response' }],
  ['an envelope without data', (s) => s.end(http('{"meta":{}}')), { code: 'malformed-response' }],
  ['data that is null', (s) => s.end(http('{"data":null,"meta":{}}')), { code: 'malformed-response' }],
  [
    'data without what the contract promises',
    (s) => s.end(http('{"data":{},"meta":{}}')),
    { code: 'malformed-response' },
  ],
  [
    'an error without a code',
    (s) => s.end(http('{"error":{}}', [], '400 Bad Request')),
    { code: 'malformed-response' },
  ],
  [
    'an error that is a text',
    (s) => s.end(http('{"error":"no"}', [], '400 Bad Request')),
    { code: 'malformed-response' },
  ],
  [
    'invalid UTF-8',
    (s) => s.end(Buffer.concat([Buffer.from(http('', ['content-length: 4'])), Buffer.from([0xff, 0xfe, 0x80, 0x00])])),
    { code: 'malformed-response' },
  ],
  [
    'a body shorter than its length',
    (s) => s.end(http(good, [`content-length: ${good.length + 100}`])),
    { name: 'ConnectionError', isTemporary: true },
  ],
  [
    'chunks that end early',
    (s) => s.end(http(`5\r\n{"dat\r\n`, ['transfer-encoding: chunked'])),
    { name: 'ConnectionError' },
  ],
  [
    'an invalid chunk',
    (s) => s.end(http(`zz\r\n{"dat\r\n`, ['transfer-encoding: chunked'])),
    { name: 'ConnectionError' },
  ],
  ['two lengths', (s) => s.end(http(good, ['content-length: 5', `content-length: ${good.length}`])), {}],
  [
    'a length and chunks together',
    (s) => s.end(http(`5\r\n{"dat\r\n0\r\n\r\n`, ['content-length: 3', 'transfer-encoding: chunked'])),
    {},
  ],
  ['bytes that are not HTTP', (s) => s.end('SSH-2.0-OpenSSH_9.9\r\n'), { name: 'ConnectionError' }],
  ['a connection closed without a response', (s) => s.end(), { name: 'ConnectionError' }],
  ['a reset', (s) => s.resetAndDestroy(), { name: 'ConnectionError' }],
  [
    'a reset within the body',
    (s) =>
      s.write(http(good.slice(0, 20), [`content-length: ${good.length}`]), () =>
        setTimeout(() => s.resetAndDestroy(), 20),
      ),
    { name: 'ConnectionError' },
  ],
  ['broken gzip', (s) => s.end(http('not gzip at all', ['content-encoding: gzip'])), { name: 'ConnectionError' }],
  [
    'a flood of headers',
    (s) =>
      s.end(
        http(
          good,
          Array.from({ length: 5_000 }, (_, i) => `x-${i}: ${'y'.repeat(50)}`),
        ),
      ),
    {},
  ],
  [
    'an unasked change of protocol',
    (s) => s.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    {},
  ],
  [
    'a redirect to another host',
    (s) => s.end(http('', ['location: http://127.0.0.1:1/'], '302 Found')),
    { code: 'redirect-rejected', status: 302, isTemporary: false },
  ],
  [
    'a permanent redirect',
    (s) => s.end(http('', ['location: /v1/vehicles/consent'], '308 Permanent Redirect')),
    { code: 'redirect-rejected' },
  ],
  ['a redirect without a place', (s) => s.end(http('', [], '301 Moved')), { code: 'redirect-rejected' }],
  ['not modified', (s) => s.end('HTTP/1.1 304 Not Modified\r\n\r\n'), { code: 'redirect-rejected' }],
  [
    'an odd status',
    (s) => s.end(http(good, [], '299 Odd').replace('299', '499')),
    { code: 'malformed-response', status: 499 },
  ],
];

describe('whatever a service responds, user code gets a typed error without personal data', () => {
  test.each(faults)('%s', async (_, response, expected) => {
    const { error, rawError } = await errorOf(response);
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
    await until(() => service.busyConnections() === 0);
    expect(service.busyConnections()).toBe(0);
  });

  test('a rejected connection', async () => {
    const client = createVehicleDataClient({
      baseUrl: 'http://127.0.0.1:9',
      brand: 'brand_a',
      accessToken: token,
      maxRetries: 0,
    });
    const error = await client.getLocation({ vin }).catch((reason: unknown) => reason);
    expectSafe(error);
    expect(error).toMatchObject({ name: 'ConnectionError', cause: { cause: { message: expect.any(String) } } });
  });

  test('a name that does not exist', async () => {
    const client = createVehicleDataClient({
      baseUrl: 'http://no-such-host.invalid',
      brand: 'brand_a',
      accessToken: token,
      maxRetries: 0,
    });
    const error = await client.stopSharing({ vin }).catch((reason: unknown) => reason);
    expectSafe(error);
    expect(error).toMatchObject({ name: 'ConnectionError', mayHaveTakenEffect: false });
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
    await until(() => service.busyConnections() === 0);
    expect(service.busyConnections()).toBe(0);
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
    const client = createVehicleDataClient({ baseUrl: service.url, brand: 'brand_a', accessToken: token });
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
    const client = createVehicleDataClient({
      baseUrl: service.url,
      brand: 'brand_a',
      accessToken: token,
      maxRetries: 0,
    });
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
