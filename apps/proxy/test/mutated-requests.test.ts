import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contractBrands } from '../src/contract.js';
import { recognize } from '../src/node/fast-path/recognize.js';
import { listen } from './support/servers.ts';
import { inTurns, startPair } from './support/set-up.ts';
import { RawClient, statusOf, valuesOf, type WireMessage } from './support/wire.ts';

const token = 'Authorization: Bearer fuzz-token\r\n';
const range = 'startDate=20260301&endDate=20260308';
const good: fc.Arbitrary<string> = fc.constantFrom(
  `GET /v1/vehicles/consent HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n\r\n`,
  `DELETE /v1/vehicles/consent?vin=KMHXX00XXXX000001 HTTP/1.1\r\nHost: p\r\nBrand: brand_b\r\n${token}\r\n`,
  `GET /v1/vehicles/KMHXX00XXXX000001/driving/data?${range}&zoneId=Europe/Berlin HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n${token}\r\n`,
  `GET /v1/vehicles/KMHXX00XXXX000001/powertrains/data?${range} HTTP/1.1\r\nHost: p\r\nBrand: brand_c\r\n${token}Accept-Encoding: gzip\r\n\r\n`,
  `GET /v1/vehicles/KMHXX00XXXX000001/locations HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n${token}X-Request-Id: abcdefgh\r\n\r\n`,
  `GET /v1/vehicles/KMHXX00XXXX000001/batteries HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n${token}Connection: keep-alive\r\n\r\n`,
);

/** One of the texts of these rows, which are parted by `|`. */
const oneOf = (...rows: string[]) => fc.constantFrom(...rows.flatMap((row) => row.split('|')));
const line = oneOf(
  'Content-Length: 0|Content-Length: 5|Content-Length: +0|Content-Length: 0, 0|Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked|Transfer-Encoding: xchunked|Transfer-Encoding: identity|Host: other|Brand: brand_b',
  'brand: brand_a|Brand : brand_b| Brand: brand_b|Authorization: Basic YTpi|Authorization: Bearer other',
  'Connection: close|Connection: Brand|Connection: authorization|Expect: 100-continue|Upgrade: h2c',
  'X-HTTP-Method-Override: DELETE|X-Original-URL: /admin|X-Forwarded-For: 1.2.3.4|Cookie: a=b|TE: trailers|: y|X',
  'Accept-Encoding: br, gzip;q=0|X-Request-Id: KMHXX00XXXX000009|X\0: y|X: \0|X: \r|X: \x7f|X: \xe4\xf6',
  'Transfer-Encoding:\x0bchunked',
);
const piece = oneOf(
  ' |#|?|&|=|%|%2f|%00|%0d%0a|%zz|..|/../|//|;|:|@|,|*|HTTP/1.0|HTTP/1.1|HTTP/0.9|GET |http://other/',
  '/v1/vehicles/consent|vin=|&vin=KMHXX00XXXX000002|brand_b|Bearer |\r\n|\n|\r|\0|\t|\\|\x0b|\x0c|\x7f|\x80|\xa0|\xff',
  '\xef\xbc\x91| HTTP/1.1\r\n|0\r\n\r\n|5\r\nhello\r\n|DELETE /v1/vehicles/consent HTTP/1.1\r\n',
);
const byte = fc.nat(255).map((code) => String.fromCharCode(code));
const otherCase = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());

/** Changes one part of a text, at any place. */
const edit = <T>(separator: string, given: fc.Arbitrary<T>, change: (old: string, given: T) => readonly string[]) =>
  fc.tuple(fc.nat(), given).map(([place, value]) => (text: string) => {
    const parts = text.split(separator);
    const at = place % parts.length;
    return parts.toSpliced(at, 1, ...change(parts[at] ?? '', value)).join(separator);
  });

const mutation: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { weight: 2, arbitrary: edit('\r\n', line, (old, added) => [added, old]) },
  { weight: 2, arbitrary: edit('', piece, (old, added) => [added, old]) },
  { weight: 2, arbitrary: edit('', byte, (_, other) => [other]) },
  edit('', byte, (old, added) => [added, old]),
  edit('\r\n', fc.constant(0), () => []),
  edit('\r\n', fc.constant(2), (old, times) => Array<string>(times).fill(old)),
  edit('', fc.constant(0), () => []),
  edit('', fc.constant(0), (letter) => [otherCase(letter)]),
  edit('', fc.integer({ min: 2, max: 5 }), (letter, times) => [letter.repeat(times)]),
  edit('/', fc.integer({ min: 2, max: 800 }), (part, times) => [part.repeat(times)]),
  oneOf('\n|\r|\r\r\n|\n\r|\r\n |\r\n\t').map((lineEnd) => (text: string) => text.replace('\r\n', lineEnd)),
  good.map((next) => (text: string) => text + next),
  fc.nat(400).map((length) => (text: string) => text.slice(0, length)),
);

/** Bytes that begin as a good request and are then changed up to four times. */
const mutatedRequest = fc
  .tuple(good, fc.array(mutation, { maxLength: 4 }))
  .map(([request, changes]) => changes.reduce((text, change) => change(text), request))
  .map((text) => Buffer.from(text, 'latin1'));

const vin = '[0-9A-Za-z]{17}';
const anyRange = 'startDate=\\d{8}&endDate=\\d{8}&zoneId=[\\w%+./-]+';
const targets = [
  'GET /v1/vehicles/consent',
  `DELETE /v1/vehicles/consent\\?vin=${vin}`,
  `GET /v1/vehicles/${vin}/(?:powertrains|driving)/data\\?${anyRange}`,
  `GET /v1/vehicles/${vin}/(?:locations|batteries)`,
].map((target) => new RegExp(`^${target} HTTP/1\\.1$`));
const allowedNames = ['host', 'accept', 'accept-encoding', 'authorization', 'brand', 'x-request-id'];

/** What is wrong with a request that reached the upstream. */
function problemOf(message: WireMessage): string {
  const { start, headers, body } = message;
  const names = headers.map(([name]) => name);
  if (!targets.some((target) => target.test(start))) return `no call of the contract: ${start}`;
  if (new Set(names).size !== names.length) return 'a header twice';
  if (names.some((name) => !allowedNames.includes(name))) return `a header that is not allowed: ${names.join()}`;
  if (!contractBrands().includes(valuesOf(message, 'brand').join())) return 'no brand of the contract';
  if (!/^(?:Bearer [\w.~+/-]+=*)?$/.test(valuesOf(message, 'authorization').join())) return 'a token of another form';
  return body.length === 0 ? '' : 'a body';
}

// `pnpm run prove:requests` plays a hundred times as many.
const runs = Number(process.env['VDS_MODEL_RUNS'] ?? 300);

it(`of ${runs} mutated requests, only calls of the contract reach the upstream, each as one legal request`, async () => {
  const { upstream, proxy } = await startPair();
  await inTurns(fc.sample(mutatedRequest, { numRuns: runs, seed: 1 }), 200, async (bytes) => {
    const client = new RawClient(proxy.port);
    client.send(bytes);
    client.socket.end();
    await client.ended();
    client.close();
  });
  for (const { problem, rest } of upstream.readings()) expect([problem, rest.toString('latin1')]).toEqual(['', '']);
  const requests = upstream.requests();
  expect(requests.map(problemOf).filter((problem) => problem !== '')).toEqual([]);
  expect(requests.length).toBeGreaterThan(runs / 15);
});

// Node's own server is another reader: what the strict reader accepts, it must understand in the same way.
it('what the fast path recognizes, another reader understands in the same way', async () => {
  const url = await listen(({ method, url: target, headers: { host, brand, authorization } }, response) => {
    response.end(JSON.stringify({ method, target, host, brand, authorization }));
  });
  const port = Number(new URL(url).port);
  let accepted = 0;
  const property = fc.asyncProperty(mutatedRequest, async (bytes) => {
    const stop = bytes.indexOf('\r\n\r\n');
    const head = stop === -1 ? null : recognize(bytes.subarray(0, stop + 4));
    if (head === null) return;
    accepted++;
    const client = new RawClient(port);
    const response = await client.request(bytes.toString('latin1', 0, stop + 4));
    client.close();
    expect(statusOf(response)).toBe(200);
    const read = ['host', 'brand', 'authorization'].filter((name) => head.headers.has(name));
    const headers = Object.fromEntries(read.map((name) => [name, head.headers.get(name)]));
    const expected = { method: head.method, target: head.target, ...headers };
    expect(JSON.parse(response?.body.toString() ?? '')).toEqual(expected);
  });
  await fc.assert(property, { numRuns: runs, seed: 7 });
  expect(accepted).toBeGreaterThan(runs / 10);
});
