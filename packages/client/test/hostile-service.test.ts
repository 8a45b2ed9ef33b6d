import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isVehicleDataError } from '../src/index.js';
import { clientOf, errorOf, startRawService, stubbed, success, token, vin } from './service.ts';

const good = success({ location: { latitude: 52.5, longitude: 13.4 }, timestamp: '2026-03-09T06:59:48Z' });

function http(body: string, headers: readonly string[] = [], status = '200 OK'): string {
  const length = headers.some((line) => /^(content-length|transfer-encoding)/i.test(line))
    ? []
    : [`content-length: ${Buffer.byteLength(body)}`];
  return [`HTTP/1.1 ${status}`, 'content-type: application/json', ...length, ...headers, '', body].join('\r\n');
}

type Play = string | Buffer | ((socket: Socket) => unknown);
const play = (response: Play) => (socket: Socket) =>
  void (typeof response === 'function' ? response(socket) : socket.end(response));

function expectSafe(error: unknown): void {
  expect(isVehicleDataError(error)).toBe(true);
  const { cause } = error as Error;
  const texts = [String(error), String(cause), JSON.stringify(error), JSON.stringify(cause) ?? ''].join('\n');
  for (const secret of [vin, token, '52.5']) expect(texts).not.toContain(secret);
}

const retry = { resolution: 'retry', isTemporary: true };
const malformed = { code: 'malformed-response' };
const tooLarge = { name: 'MalformedResponseError', code: 'response-too-large', isTemporary: false };
const timeout = { name: 'TimeoutError', code: 'timeout', isTemporary: true };
const broken = { name: 'ConnectionError' };
const redirect = { code: 'redirect-rejected', isTemporary: false };
const moved = (status: string, place: string) => http('', [`location: ${place}`], status);
const chunked = ['transfer-encoding: chunked'];
const stated = (length: number) => [`content-length: ${length}`];
const cut = http(good.slice(0, 20), stated(good.length));
/** Writes chunks as fast as they are read, without end. */
const pour = (socket: Socket): unknown =>
  socket.writable && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`, () => setImmediate(pour, socket));
/** Writes again and again until the connection ends. */
const drip = (text: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(text), 10);
  socket.on('close', () => clearInterval(timer));
};
const flood = Array.from({ length: 5_000 }, (_, i) => `x-${i}: ${'y'.repeat(50)}`);
const notText = Buffer.concat([Buffer.from(http('', stated(4))), Buffer.from([0xff, 0xfe, 0x80, 0x00])]);
const zeros = gzipSync(JSON.stringify({ data: { location: {}, filler: '0'.repeat(5_000_000) }, meta: {} }));
const zipped = Buffer.from(http('', [...stated(zeros.byteLength), 'content-encoding: gzip']));

test.each<{ story: string; response: Play; expected: object }>([
  {
    story: 'HTML with status 200',
    response: http('<html>Welcome 52.5</html>'),
    expected: { ...malformed, status: 200, ...retry },
  },
  {
    story: 'HTML with status 502',
    response: http('<html>', [], '502 Bad'),
    expected: { ...malformed, status: 502, ...retry },
  },
  {
    story: 'HTML with status 401',
    response: http('<html>', [], '401 No'),
    expected: { resolution: 'refresh-token', isTemporary: false },
  },
  {
    story: 'HTML with status 403',
    response: http('<html>', [], '403 No'),
    expected: { resolution: 'fix-credentials', isTemporary: false },
  },
  {
    story: 'HTML with status 404',
    response: http('<html>', [], '404 No'),
    expected: { resolution: 'fix-request', isTemporary: false },
  },
  { story: 'JSON cut short', response: http(good.slice(0, -20)), expected: { ...malformed, isTemporary: true } },
  { story: 'an empty body', response: http(''), expected: malformed },
  { story: 'no content', response: 'HTTP/1.1 204 No Content\r\n\r\n', expected: { ...malformed, status: 204 } },
  { story: '204 with a length', response: 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n12345', expected: {} },
  {
    story: 'an empty error',
    response: http('', [], '500 Oops'),
    expected: { ...malformed, status: 500, isTemporary: true },
  },
  { story: 'JSON null', response: http('null'), expected: malformed },
  { story: 'a JSON list', response: http('[]'), expected: malformed },
  { story: 'a JSON number', response: http('7'), expected: malformed },
  { story: 'an envelope without data', response: http('{"meta":{}}'), expected: malformed },
  { story: 'data that is null', response: http('{"data":null,"meta":{}}'), expected: malformed },
  { story: 'an error without a code', response: http('{"error":{}}', [], '400 Bad Request'), expected: malformed },
  { story: 'an error that is a text', response: http('{"error":"no"}', [], '400 Bad Request'), expected: malformed },
  { story: 'invalid UTF-8', response: notText, expected: malformed },
  { story: 'an odd status', response: http(good, [], '499 Odd'), expected: { ...malformed, status: 499 } },
  {
    story: 'a body shorter than its length',
    response: http(good, stated(good.length + 100)),
    expected: { ...broken, isTemporary: true },
  },
  { story: 'chunks that end early', response: http('5\r\n{"dat\r\n', chunked), expected: broken },
  { story: 'an invalid chunk', response: http('zz\r\n{"dat\r\n', chunked), expected: broken },
  { story: 'two lengths', response: http(good, [...stated(5), ...stated(good.length)]), expected: {} },
  {
    story: 'a length and chunks together',
    response: http('5\r\n{"dat\r\n0\r\n\r\n', [...stated(3), ...chunked]),
    expected: {},
  },
  { story: 'bytes that are not HTTP', response: 'SSH-2.0-OpenSSH_9.9\r\n', expected: broken },
  { story: 'a connection closed without a response', response: '', expected: broken },
  { story: 'a reset', response: (s) => s.resetAndDestroy(), expected: broken },
  {
    story: 'a reset within the body',
    response: (s) => s.write(cut, () => setTimeout(() => s.resetAndDestroy(), 20)),
    expected: broken,
  },
  { story: 'broken gzip', response: http('not gzip at all', ['content-encoding: gzip']), expected: broken },
  { story: 'a flood of headers', response: http(good, flood), expected: {} },
  {
    story: 'an unasked change of protocol',
    response: 'HTTP/1.1 101 Switch\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    expected: {},
  },
  {
    story: 'a redirect to another host',
    response: moved('302 Found', 'http://127.0.0.1:1/'),
    expected: { ...redirect, status: 302 },
  },
  { story: 'a permanent redirect', response: moved('308 Moved', '/v1/vehicles/consent'), expected: redirect },
  { story: 'a redirect without a place', response: http('', [], '301 Moved'), expected: redirect },
  { story: 'not modified', response: 'HTTP/1.1 304 Not Modified\r\n\r\n', expected: redirect },
  {
    story: 'a stated length that is too large',
    response: (s) => s.write(http('', stated(100_000_000))),
    expected: tooLarge,
  },
  {
    story: 'a length that is not stated and too large',
    response: (s) => s.write(http('', chunked), () => pour(s)),
    expected: tooLarge,
  },
  { story: 'a small body that unfolds', response: Buffer.concat([zipped, zeros]), expected: tooLarge },
  { story: 'silence', response: () => undefined, expected: timeout },
  { story: 'a stall after the head', response: (s) => s.write(http('', stated(900))), expected: timeout },
  {
    story: 'a stall within the body',
    response: (s) => s.write(http(good.slice(0, 30), stated(900))),
    expected: timeout,
  },
  { story: 'a stall within chunks', response: (s) => s.write(http('5\r\n{"dat\r\n', chunked)), expected: timeout },
  { story: 'a drip', response: (s) => s.write(http('', stated(900)), () => drip(' ')(s)), expected: timeout },
  { story: 'interim responses without end', response: drip('HTTP/1.1 103 Early Hints\r\n\r\n'), expected: timeout },
])(
  'what is no good response gives a typed error without personal data, and no open connection: $story',
  async ({ response, expected }) => {
    const service = await startRawService(play(response));
    const timeoutMs = expected === timeout ? 150 : 2_000;
    const client = clientOf(service.url, { maxRetries: 0, timeoutMs, maxResponseBytes: 10_000 });
    const calls = [
      client.getLocation({ vin }),
      client.raw.GET('/v1/vehicles/{vin}/locations', { params: { path: { vin } } }),
      client.stopSharing({ vin }),
    ];
    const errors = await Promise.all(calls.map(errorOf));
    for (const error of errors) expectSafe(error);
    const read = { operation: 'getLocation', mayHaveTakenEffect: false, ...expected };
    const open = { operation: 'stopDataSharing', mayHaveTakenEffect: true, resolution: 'check-effect' };
    expect(errors).toMatchObject([read, read, { ...expected, ...open }]);
    await expect.poll(service.busyConnections).toBe(0);
  },
);

test('data without what the contract promises is no response of this service', async () => {
  const { client } = stubbed('{"data":{},"meta":{}}', { maxRetries: 0 });
  expect(await errorOf(client.getLocation({ vin }))).toMatchObject(malformed);
});

test.each([
  { story: 'a rejected connection', baseUrl: 'http://127.0.0.1:2' },
  { story: 'a name that does not exist', baseUrl: 'http://no-such-host.invalid' },
])('a request that never arrived took no effect: $story', async ({ baseUrl }) => {
  const error = await errorOf(clientOf(baseUrl, { maxRetries: 0 }).stopSharing({ vin }));
  expectSafe(error);
  const cause = { message: expect.any(String) };
  expect(error).toMatchObject({ name: 'ConnectionError', mayHaveTakenEffect: false, cause });
});

const large = { location: {}, note: 'Zoé 🚗 '.repeat(2_000) };
/** A large response in chunks that cut characters. */
function inChunks(socket: Socket): void {
  const bytes = Buffer.from(success(large));
  socket.write(http('', chunked));
  for (let at = 0; at < bytes.length; at += 1_001) {
    const part = bytes.subarray(at, at + 1_001);
    socket.write(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]));
  }
  socket.write('0\r\n\r\n');
}

const { data } = JSON.parse(good);
test.each<{ story: string; response: Play; expected?: object }>([
  { story: 'a wrong content type', response: http(good, ['content-type: text/plain']) },
  { story: 'interim responses first', response: `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${http(good)}` },
  { story: 'a body without a length', response: `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${good}` },
  { story: 'unknown members', response: http(JSON.stringify({ ...JSON.parse(good), extra: 1 })) },
  {
    story: 'a time that is no text',
    response: http('{"data":{"location":{}},"meta":{"timestamp":{"toString":1}}}'),
    expected: { location: {} },
  },
  { story: 'a missing meta', response: http(JSON.stringify({ data })) },
  { story: 'status 203', response: http(good, [], '203 Non-Authoritative') },
  { story: 'extra bytes after the response', response: `${http(good)}garbage` },
  { story: 'chunks that cut characters', response: inChunks, expected: large },
])('a response that is odd but good passes: $story', async ({ response, expected = data }) => {
  const service = await startRawService(play(response));
  expect(await clientOf(service.url, { maxRetries: 0 }).getLocation({ vin })).toEqual(expected);
});
