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

// Of each row, parted by `|`: header lines, and pieces to put anywhere.
const lines = [
  'Content-Length: 0|Content-Length: 5|Content-Length: +0|Content-Length: 0, 0|Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked|Transfer-Encoding: xchunked|Transfer-Encoding: identity|Host: other|Brand: brand_b',
  'brand: brand_a|Brand : brand_b| Brand: brand_b|Authorization: Basic YTpi|Authorization: Bearer other',
  'Connection: close|Connection: Brand|Connection: authorization|Expect: 100-continue|Upgrade: h2c',
  'X-HTTP-Method-Override: DELETE|X-Original-URL: /admin|X-Forwarded-For: 1.2.3.4|Cookie: a=b|TE: trailers|: y|X',
  'Accept-Encoding: br, gzip;q=0|X-Request-Id: KMHXX00XXXX000009|X\0: y|X: \0|X: \r|X: \x7f|X: \xe4\xf6',
  'Transfer-Encoding:\x0bchunked',
].flatMap((row) => row.split('|'));
const pieces = [
  ' |#|?|&|=|%|%2f|%00|%0d%0a|%zz|..|/../|//|;|:|@|,|*|HTTP/1.0|HTTP/1.1|HTTP/0.9|GET |http://other/',
  '/v1/vehicles/consent|vin=|&vin=KMHXX00XXXX000002|brand_b|Bearer |\r\n|\n|\r|\0|\t|\\|\x0b|\x0c|\x7f|\x80|\xa0|\xff',
  '\xef\xbc\x91| HTTP/1.1\r\n|0\r\n\r\n|5\r\nhello\r\n|DELETE /v1/vehicles/consent HTTP/1.1\r\n',
].flatMap((row) => row.split('|'));

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

type Mutation = (text: string, random: Random) => string;

/** Puts something in the place of so many characters, at a random place. */
const put =
  (removed: number, given: (random: Random, old: string) => string): Mutation =>
  (text, random) => {
    const at = random(text.length + (removed === 0 ? 1 : 0));
    return text.slice(0, at) + given(random, text.slice(at, at + removed)) + text.slice(at + removed);
  };
/** Changes the lines of the head. */
const splice =
  (removed: number, given: (random: Random, old: string) => readonly string[]): Mutation =>
  (text, random) => {
    const parts = text.split('\r\n');
    const at = random(parts.length);
    parts.splice(at, removed, ...given(random, parts[at] ?? ''));
    return parts.join('\r\n');
  };

const anyByte = (random: Random) => String.fromCharCode(random(256));
const otherCase = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
const lineEnds = ['\n', '\r', '\r\r\n', '\n\r', '\r\n ', '\r\n\t'];
const addLine = splice(0, (random) => [pick(random, lines)]);
const putPiece = put(0, (random) => pick(random, pieces));
const changeByte = put(1, anyByte);

const mutations: readonly Mutation[] = [
  ...[addLine, addLine, putPiece, putPiece, changeByte, changeByte],
  splice(1, (_, line) => [line, line]),
  splice(1, () => []),
  put(0, anyByte),
  (text, random) => put(1 + random(8), () => '')(text, random),
  put(1, (_, letter) => otherCase(letter)),
  (text, random) => text.replace('\r\n', pick(random, lineEnds)),
  (text, random) => put(1 + random(30), (_, part) => part.repeat(2 + random(random(20) === 0 ? 800 : 4)))(text, random),
  (text, random) => text + pick(random, good),
  (text, random) => text.slice(0, random(text.length)),
];

/** Bytes that begin as a good request and are then changed in one to four ways; about one in fifty stays good. */
export function mutatedRequest(random: Random): Buffer {
  let text: string = pick(random, good);
  const turns = random(50) === 0 ? 0 : 1 + random(4);
  for (let turn = 0; turn < turns && text.length > 0; turn++) text = pick(random, mutations)(text, random);
  return Buffer.from(text, 'latin1');
}
