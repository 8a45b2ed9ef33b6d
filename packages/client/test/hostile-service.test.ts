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

test.each<[string, Play, object]>([
  ['HTML with status 200', http('<html>Welcome 52.5</html>'), { ...malformed, status: 200, ...retry }],
  ['HTML with status 502', http('<html>', [], '502 Bad'), { ...malformed, status: 502, ...retry }],
  ['HTML with status 401 (D14)', http('<html>', [], '401 No'), { resolution: 'refresh-token', isTemporary: false }],
  ['HTML with status 403 (D14)', http('<html>', [], '403 No'), { resolution: 'fix-credentials', isTemporary: false }],
  ['HTML with status 404 (D14)', http('<html>', [], '404 No'), { resolution: 'fix-request', isTemporary: false }],
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
  ['a reset within the body', (s) => s.write(cut, () => setTimeout(() => s.resetAndDestroy(), 20)), broken],
  ['broken gzip', http('not gzip at all', ['content-encoding: gzip']), broken],
  ['a flood of headers', http(good, flood), {}],
  ['an unasked change of protocol', 'HTTP/1.1 101 Switch\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', {}],
  ['a redirect to another host', moved('302 Found', 'http://127.0.0.1:1/'), { ...redirect, status: 302 }],
  ['a permanent redirect', moved('308 Moved', '/v1/vehicles/consent'), redirect],
  ['a redirect without a place', http('', [], '301 Moved'), redirect],
  ['not modified', 'HTTP/1.1 304 Not Modified\r\n\r\n', redirect],
  ['a stated length that is too large', (s) => s.write(http('', stated(100_000_000))), tooLarge],
  ['a length that is not stated and too large', (s) => s.write(http('', chunked), () => pour(s)), tooLarge],
  ['a small body that unfolds', Buffer.concat([zipped, zeros]), tooLarge],
  ['silence', () => undefined, timeout],
  ['a stall after the head', (s) => s.write(http('', stated(900))), timeout],
  ['a stall within the body', (s) => s.write(http(good.slice(0, 30), stated(900))), timeout],
  ['a stall within chunks', (s) => s.write(http('5\r\n{"dat\r\n', chunked)), timeout],
  ['a drip', (s) => s.write(http('', stated(900)), () => drip(' ')(s)), timeout],
  ['interim responses without end', drip('HTTP/1.1 103 Early Hints\r\n\r\n'), timeout],
])('%s gives a typed error without personal data, and no open connection', async (_, response, expected) => {
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
});

test('data without what the contract promises is no response of this service', async () => {
  const { client } = stubbed('{"data":{},"meta":{}}', { maxRetries: 0 });
  expect(await errorOf(client.getLocation({ vin }))).toMatchObject(malformed);
});

test.each([
  ['a rejected connection', 'http://127.0.0.1:2'],
  ['a name that does not exist', 'http://no-such-host.invalid'],
])('%s took no effect', async (_, baseUrl) => {
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
test.each<[string, Play, object?]>([
  ['a wrong content type', http(good, ['content-type: text/plain'])],
  ['interim responses first', `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${http(good)}`],
  ['a body without a length', `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${good}`],
  ['unknown members', http(JSON.stringify({ ...JSON.parse(good), extra: 1 }))],
  ['a time that is no text', http('{"data":{"location":{}},"meta":{"timestamp":{"toString":1}}}'), { location: {} }],
  ['a missing meta', http(JSON.stringify({ data }))],
  ['status 203', http(good, [], '203 Non-Authoritative')],
  ['extra bytes after the response', `${http(good)}garbage`],
  ['chunks that cut characters', inChunks, large],
])('a response that is odd but good passes: %s', async (_, response, expected = data) => {
  const service = await startRawService(play(response));
  expect(await clientOf(service.url, { maxRetries: 0 }).getLocation({ vin })).toEqual(expected);
});
