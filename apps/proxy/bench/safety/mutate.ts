/** A source of numbers that gives the same ones for the same seed. */
export type Random = (below: number) => number;

/** Mulberry32: small, and good enough to choose mutations. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const token = 'Authorization: Bearer fuzz-token\r\n';
const range = 'startDate=20260301&endDate=20260308';
const good = [
  `GET /v1/vehicles/consent HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n\r\n`,
  `DELETE /v1/vehicles/consent?vin=KMHXX00XXXX000001 HTTP/1.1\r\nHost: p\r\nBrand: brand_b\r\n${token}\r\n`,
  `GET /v1/vehicles/KMHXX00XXXX000001/driving/data?${range}&zoneId=Europe/Berlin HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n${token}\r\n`,
  `GET /v1/vehicles/KMHXX00XXXX000001/powertrains/data?${range} HTTP/1.1\r\nHost: p\r\nBrand: brand_c\r\n${token}Accept-Encoding: gzip\r\n\r\n`,
  `GET /v1/vehicles/KMHXX00XXXX000001/locations HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n${token}X-Request-Id: abcdefgh\r\n\r\n`,
  `GET /v1/vehicles/KMHXX00XXXX000001/batteries HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n${token}Connection: keep-alive\r\n\r\n`,
] as const;

const lines = [
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: +0',
  'Content-Length: 0, 0',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: identity',
  'Host: other',
  'Brand: brand_b',
  'brand: brand_a',
  'Brand : brand_b',
  ' Brand: brand_b',
  'Authorization: Basic YTpi',
  'Authorization: Bearer other',
  'Connection: close',
  'Connection: Brand',
  'Connection: authorization',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'X-HTTP-Method-Override: DELETE',
  'X-Original-URL: /admin',
  'X-Forwarded-For: 1.2.3.4',
  'Cookie: a=b',
  'TE: trailers',
  'X: \0',
  'X: \r',
  'X: \x7f',
  'X\0: y',
  ': y',
  'X',
  'X: \xe4\xf6',
  'Accept-Encoding: br, gzip;q=0',
  'X-Request-Id: KMHXX00XXXX000009',
] as const;
const pieces = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  '#',
  '?',
  '&',
  '=',
  '%',
  '%2f',
  '%00',
  '%0d%0a',
  '%zz',
  '..',
  '/../',
  '//',
  '\\',
  ';',
  ':',
  '@',
  ',',
  '*',
  '\x0b',
  '\x0c',
  '\x7f',
  '\x80',
  '\xa0',
  '\xff',
  '\xef\xbc\x91',
  'HTTP/1.0',
  'HTTP/1.1',
  'HTTP/0.9',
  ' HTTP/1.1\r\n',
  '0\r\n\r\n',
  '5\r\nhello\r\n',
  'GET ',
  'DELETE /v1/vehicles/consent HTTP/1.1\r\n',
  'http://other/',
  '/v1/vehicles/consent',
  'vin=',
  '&vin=KMHXX00XXXX000002',
  'brand_b',
  'Bearer ',
] as const;

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

type Mutation = (text: string, random: Random) => string;

/** Puts a line somewhere into the head. */
const addLine: Mutation = (text, random) => {
  const parts = text.split('\r\n');
  parts.splice(1 + random(Math.max(1, parts.length - 2)), 0, pick(random, lines));
  return parts.join('\r\n');
};
const doubleLine: Mutation = (text, random) => {
  const parts = text.split('\r\n');
  const at = random(parts.length);
  parts.splice(at, 0, parts[at] ?? '');
  return parts.join('\r\n');
};
const dropLine: Mutation = (text, random) => {
  const parts = text.split('\r\n');
  parts.splice(random(parts.length), 1);
  return parts.join('\r\n');
};
const putPiece: Mutation = (text, random) => {
  const at = random(text.length + 1);
  return text.slice(0, at) + pick(random, pieces) + text.slice(at);
};
const putByte: Mutation = (text, random) => {
  const at = random(text.length + 1);
  return text.slice(0, at) + String.fromCharCode(random(256)) + text.slice(at);
};
const changeByte: Mutation = (text, random) => {
  const at = random(text.length);
  return text.slice(0, at) + String.fromCharCode(random(256)) + text.slice(at + 1);
};
const cutOut: Mutation = (text, random) => {
  const at = random(text.length);
  return text.slice(0, at) + text.slice(at + 1 + random(8));
};
const changeCase: Mutation = (text, random) => {
  const at = random(text.length);
  const letter = text[at] ?? '';
  return (
    text.slice(0, at) +
    (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()) +
    text.slice(at + 1)
  );
};
const changeLineEnd: Mutation = (text, random) =>
  text.replace('\r\n', pick(random, ['\n', '\r', '\r\r\n', '\n\r', '\r\n ', '\r\n\t']));
const repeatPart: Mutation = (text, random) => {
  const at = random(text.length);
  const part = text.slice(at, at + 1 + random(30));
  return text.slice(0, at) + part.repeat(1 + random(random(20) === 0 ? 800 : 4)) + text.slice(at);
};
const follow: Mutation = (text, random) => text + pick(random, good);
const cutEnd: Mutation = (text, random) => text.slice(0, random(text.length));

const mutations = [
  addLine,
  addLine,
  doubleLine,
  dropLine,
  putPiece,
  putPiece,
  putByte,
  changeByte,
  changeByte,
  cutOut,
  changeCase,
  changeLineEnd,
  repeatPart,
  follow,
  cutEnd,
];

/** Bytes that begin as a good request and are then changed in one to four ways; about one in fifty stays good. */
export function mutatedRequest(random: Random): Buffer {
  let text: string = pick(random, good);
  const turns = random(50) === 0 ? 0 : 1 + random(4);
  for (let turn = 0; turn < turns && text.length > 0; turn++) text = pick(random, mutations)(text, random);
  return Buffer.from(text, 'latin1');
}
