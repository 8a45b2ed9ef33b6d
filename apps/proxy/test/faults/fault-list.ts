import { gzipSync } from 'node:zlib';
import { type Behaviour, responseWith, successBody } from '../support/recording-upstream.ts';

/** One way in which the service fails, and what its client must get. */
export interface Fault {
  readonly name: string;
  readonly service: Behaviour;
  /** `STATUS CODE` of the proxy's own envelope, or how the service's answer arrives. */
  readonly outcome: `${number} ${string}` | 'whole' | 'cut';
  /** Status of an answer that arrives whole. Default 200. */
  readonly status?: number;
  /** Requests that the service gets. Default 1. */
  readonly requests?: number;
  /** Whether the connection to the service is gone afterwards. Default: yes. */
  readonly connectionClosed?: boolean;
  readonly method?: 'GET' | 'DELETE';
  readonly acceptEncoding?: string;
  /** Time for the whole request, in milliseconds. Default: as long as the body makes progress. */
  readonly totalDeadlineMs?: number;
  /** Size of the body that must arrive, in bytes. */
  readonly bodyBytes?: number;
}

/** The request of a fault, as bytes. */
export function requestOf(fault: Pick<Fault, 'method' | 'acceptEncoding'>): string {
  const line =
    fault.method === 'DELETE' ? 'DELETE /v1/vehicles/consent?vin=KMHXX00XXXX000001' : 'GET /v1/vehicles/consent';
  const coding = fault.acceptEncoding === undefined ? '' : `Accept-Encoding: ${fault.acceptEncoding}\r\n`;
  return `${line} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n${coding}\r\n`;
}

const json = 'Content-Type: application/json\r\n';
const body = successBody();
const invalid = '502 upstream-invalid-response';
const late = '504 upstream-timeout';

/** Sends exactly these bytes. */
function say(bytes: string | Buffer): Behaviour {
  return (socket) => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
}

/** Sends these bytes and closes. */
function sayAndEnd(bytes: string): Behaviour {
  return (socket) => socket.end(Buffer.from(bytes, 'latin1'));
}

/** Sends these bytes and resets the connection a moment later. */
function sayAndReset(bytes: string): Behaviour {
  return (socket) => {
    socket.write(Buffer.from(bytes, 'latin1'));
    setTimeout(() => socket.resetAndDestroy(), 30);
  };
}

/** Sends one byte after the other. */
function drip(bytes: string, everyMs: number): Behaviour {
  return (socket) => {
    let at = 0;
    const timer = setInterval(() => {
      if (socket.destroyed || at === bytes.length) clearInterval(timer);
      else socket.write(bytes[at++] ?? '', 'latin1');
    }, everyMs);
  };
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** An error answer of the service in its envelope. */
export function errorBody(code: string): string {
  return JSON.stringify({
    error: { code, message: 'from the service', details: [], timestamp: '2026-03-09T07:00:00Z', requestId: 'r-2' },
  });
}

const plainHead = `HTTP/1.1 200 OK\r\n${json}`;
const chunkedHead = `${plainHead}Transfer-Encoding: chunked\r\n\r\n`;
const lengthHead = `${plainHead}Content-Length: ${body.length}\r\n\r\n`;
const whole = `${lengthHead}${body}`;
const status = (line: string, text = body) => say(responseWith(text, line));

const megabyte = Buffer.alloc(1_048_576, 'a');
const hundredMegabytes: Behaviour = (socket) => {
  const opening = '{"data":{"vehicles":[]},"meta":{},"filler":"';
  socket.write(`${plainHead}Content-Length: ${opening.length + 100 * megabyte.length + 2}\r\n\r\n${opening}`);
  let sent = 0;
  const more = () => {
    while (sent < 100 && !socket.destroyed) {
      sent++;
      if (!socket.write(megabyte)) return;
    }
    if (sent++ === 100) socket.write('"}');
  };
  socket.on('drain', more);
  more();
};

const bomb = gzipSync(Buffer.alloc(50_000_000, ' '), { level: 9 });
const gzipHeaders = `${json}Content-Encoding: gzip\r\n`;

/** Every fault of the service after it accepted a connection. */
export const faults: readonly Fault[] = [
  // Silence and slowness
  { name: 'silence', service: () => {}, outcome: late },
  { name: 'a head that drips', service: drip(whole, 40), outcome: late },
  {
    name: 'a body that drips',
    service: (socket, ...rest) => {
      socket.write(lengthHead);
      drip(body, 40)(socket, ...rest);
    },
    totalDeadlineMs: 900,
    outcome: 'cut',
  },
  { name: 'a stall before the body', service: say(lengthHead), outcome: late },
  { name: 'a stall inside the body', service: say(`${lengthHead}${body.slice(0, 20)}`), outcome: 'cut' },
  { name: 'a stall inside a chunk', service: say(`${chunkedHead}ff\r\n${body.slice(0, 20)}`), outcome: 'cut' },
  { name: 'a stall before the last chunk', service: say(chunkedHead + chunk(body)), outcome: 'cut' },
  { name: 'a stall inside the head', service: say(plainHead), outcome: late },
  // Broken connections
  { name: 'a close before any answer', service: (socket) => socket.end(), outcome: invalid, requests: 2 },
  { name: 'a reset before any answer', service: (socket) => socket.resetAndDestroy(), outcome: invalid, requests: 2 },
  {
    name: 'a reset before any answer to a withdrawal',
    service: (socket) => socket.resetAndDestroy(),
    outcome: invalid,
    method: 'DELETE',
  },
  {
    name: 'a close before any answer to a withdrawal',
    service: (socket) => socket.end(),
    outcome: invalid,
    method: 'DELETE',
  },
  { name: 'a reset inside the head', service: sayAndReset(plainHead), outcome: invalid },
  { name: 'a reset before the body', service: sayAndReset(lengthHead), outcome: invalid },
  { name: 'a reset inside the body', service: sayAndReset(`${lengthHead}${body.slice(0, 20)}`), outcome: 'cut' },
  { name: 'a close inside the head', service: sayAndEnd(plainHead), outcome: invalid },
  { name: 'a body cut short of its length', service: sayAndEnd(`${lengthHead}${body.slice(0, -1)}`), outcome: 'cut' },
  { name: 'a body cut inside a chunk', service: sayAndEnd(`${chunkedHead}ff\r\n${body.slice(0, 20)}`), outcome: 'cut' },
  { name: 'a body cut before the last chunk', service: sayAndEnd(chunkedHead + chunk(body)), outcome: 'cut' },
  { name: 'a body cut inside the last chunk', service: sayAndEnd(`${chunkedHead}${chunk(body)}0\r\n`), outcome: 'cut' },
  // Framing
  {
    name: 'chunks',
    service: say(`${chunkedHead}${chunk(body.slice(0, 9))}${chunk(body.slice(9))}0\r\n\r\n`),
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: 'chunks of one byte',
    service: say(`${chunkedHead}${[...body].map(chunk).join('')}0\r\n\r\n`),
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: 'chunks with extensions and trailers',
    service: say(`${chunkedHead}${body.length.toString(16)};a=b\r\n${body}\r\n0\r\nX-Sum: 1\r\n\r\n`),
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: 'a chunk size that is no number',
    service: say(`${chunkedHead}xyz\r\n${body}\r\n0\r\n\r\n`),
    outcome: invalid,
  },
  { name: 'a chunk size with a sign', service: say(`${chunkedHead}+5\r\n${body}\r\n0\r\n\r\n`), outcome: invalid },
  { name: 'a chunk size with 0x', service: say(`${chunkedHead}0x5\r\n${body}\r\n0\r\n\r\n`), outcome: invalid },
  {
    name: 'a chunk size of 17 digits',
    service: say(`${chunkedHead}00000000000000005\r\n${body}\r\n0\r\n\r\n`),
    outcome: invalid,
  },
  {
    name: 'a chunk size that ends with LF alone',
    service: say(`${chunkedHead}${body.length.toString(16)}\n${body}\r\n0\r\n\r\n`),
    outcome: invalid,
  },
  {
    name: 'an invalid chunk after a good one',
    service: (socket) => {
      socket.write(chunkedHead + chunk(body.slice(0, 9)));
      setTimeout(() => socket.write('zz\r\nabc'), 30);
    },
    outcome: 'cut',
  },
  {
    name: 'data longer than its chunk',
    service: (socket) => {
      socket.write(chunkedHead + chunk(body.slice(0, 9)));
      setTimeout(() => socket.write('3\r\nabcdef\r\n0\r\n\r\n'), 30);
    },
    outcome: 'cut',
  },
  {
    name: 'an endless trailer',
    service: say(`${chunkedHead}${chunk(body)}0\r\n${'X-A: b\r\n'.repeat(2000)}`),
    outcome: invalid,
  },
  {
    name: 'a length and chunks together',
    service: say(`${plainHead}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    outcome: invalid,
  },
  {
    name: 'two lengths',
    service: say(`${plainHead}Content-Length: ${body.length}\r\nContent-Length: 5\r\n\r\n${body}`),
    outcome: invalid,
  },
  {
    name: 'the same length twice',
    service: say(`${plainHead}Content-Length: ${body.length}\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    outcome: invalid,
  },
  { name: 'a list of lengths', service: say(`${plainHead}Content-Length: 5, 5\r\n\r\n${body}`), outcome: invalid },
  { name: 'a negative length', service: say(`${plainHead}Content-Length: -1\r\n\r\n${body}`), outcome: invalid },
  {
    name: 'a length of 30 digits',
    service: say(`${plainHead}Content-Length: ${'9'.repeat(30)}\r\n\r\n${body}`),
    outcome: invalid,
  },
  {
    name: 'a transfer coding other than chunked',
    service: say(`${plainHead}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`),
    outcome: invalid,
  },
  { name: 'an end that only the connection tells', service: sayAndEnd(`${plainHead}\r\n${body}`), outcome: invalid },
  {
    name: 'an end that only the connection tells, with Connection: close',
    service: sayAndEnd(`${plainHead}Connection: close\r\n\r\n${body}`),
    outcome: invalid,
  },
  {
    name: 'Connection: close with a length',
    service: sayAndEnd(`${plainHead}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    outcome: 'whole',
  },
  // Not HTTP, or not the HTTP that was asked for
  { name: 'an SSH greeting', service: say('SSH-2.0-OpenSSH_9.6\r\n'), outcome: invalid },
  { name: 'HTML without a head', service: say('<html><body>hello</body></html>'), outcome: invalid },
  {
    name: 'HTTP/1.0',
    service: say(`HTTP/1.0 200 OK\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`),
    outcome: invalid,
  },
  { name: 'HTTP/2 frames', service: say(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])), outcome: invalid },
  { name: 'random bytes', service: say(Buffer.from('b7e1c3a9f004d2', 'hex')), outcome: invalid },
  { name: 'an empty line first', service: say(`\r\n${whole}`), outcome: invalid },
  {
    name: 'LF alone at line ends',
    service: say(`HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: ${body.length}\n\n${body}`),
    outcome: late,
  },
  { name: 'a status line without a status', service: say(`HTTP/1.1 OK\r\n${json}\r\n`), outcome: invalid },
  {
    name: 'a folded header line',
    service: say(`${plainHead}X-A: a\r\n b\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    outcome: invalid,
  },
  {
    name: 'a header name with a blank',
    service: say(`${plainHead}X A: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    outcome: invalid,
  },
  {
    name: 'a NUL in a header',
    service: say(`${plainHead}X-A: a\0\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    outcome: invalid,
  },
  {
    name: 'a CR in a header that would be handed on',
    service: say(`${plainHead}Retry-After: 1\rSet-Cookie: a=b\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    outcome: invalid,
  },
  {
    name: '200 header lines',
    service: say(`${plainHead}${'X-A: b\r\n'.repeat(200)}Content-Length: ${body.length}\r\n\r\n${body}`),
    outcome: invalid,
  },
  {
    name: 'a head of 100 kB',
    service: say(`${plainHead}X-A: ${'a'.repeat(100_000)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    outcome: invalid,
  },
  {
    name: 'a head without an end',
    service: (socket) => {
      const timer = setInterval(
        () => (socket.destroyed ? clearInterval(timer) : socket.write('X-A: b\r\n'.repeat(500))),
        5,
      );
      socket.write('HTTP/1.1 200 OK\r\n');
    },
    outcome: invalid,
  },
  // Interim answers and statuses
  {
    name: '100 Continue first',
    service: say(`HTTP/1.1 100 Continue\r\n\r\n${whole}`),
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: '103 Early Hints first',
    service: say(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${whole}`),
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: '100 Continue, and the rest later',
    service: (socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      setTimeout(() => socket.write(whole), 30);
    },
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: 'twenty interim answers',
    service: say('HTTP/1.1 100 Continue\r\n\r\n'.repeat(20) + whole),
    outcome: invalid,
  },
  {
    name: '101 Switching Protocols',
    service: say('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
    outcome: invalid,
  },
  { name: '201', service: status('201 Created'), outcome: invalid },
  { name: '202', service: status('202 Accepted'), outcome: invalid },
  { name: '204', service: say('HTTP/1.1 204 No Content\r\n\r\n'), outcome: invalid },
  {
    name: '204 with a length',
    service: say(`HTTP/1.1 204 No Content\r\n${json}Content-Length: 5\r\n\r\nhello`),
    outcome: invalid,
  },
  { name: '206', service: status('206 Partial Content'), outcome: invalid },
  {
    name: '301 to another host',
    service: say('HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n'),
    outcome: invalid,
  },
  {
    name: '302 with JSON',
    service: say(responseWith(body, '302 Found', `${json}Location: /v1/vehicles/consent\r\n`)),
    outcome: invalid,
  },
  {
    name: '307 on a withdrawal',
    service: say('HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n'),
    outcome: invalid,
    method: 'DELETE',
  },
  { name: '304', service: say('HTTP/1.1 304 Not Modified\r\n\r\n'), outcome: invalid },
  { name: 'status 000', service: status('000 Nothing'), outcome: invalid },
  { name: 'status 600', service: status('600 More'), outcome: invalid },
  { name: 'status 999', service: status('999 Most'), outcome: invalid },
  { name: 'a status of four digits', service: status('2000 OK'), outcome: invalid },
  { name: 'a status of two digits', service: status('20 OK'), outcome: invalid },
  {
    name: '418 in the envelope',
    service: status('418 Teapot', errorBody('4180')),
    outcome: 'whole',
    status: 418,
    connectionClosed: false,
  },
  {
    name: '599 in the envelope',
    service: status('599 Odd', errorBody('5990')),
    outcome: 'whole',
    status: 599,
    connectionClosed: false,
  },
  // Content
  {
    name: 'HTML',
    service: say(responseWith('<html></html>', '200 OK', 'Content-Type: text/html\r\n')),
    outcome: invalid,
  },
  { name: 'HTML that calls itself JSON', service: status('200 OK', '<html></html>'), outcome: invalid },
  { name: 'no content type', service: say(responseWith(body, '200 OK', '')), outcome: invalid },
  { name: 'two content types', service: say(responseWith(body, '200 OK', `${json}${json}`)), outcome: invalid },
  {
    name: 'JSON with a character set',
    service: say(responseWith(body, '200 OK', 'Content-Type: application/json;charset=UTF-8\r\n')),
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: 'a type that only begins like JSON',
    service: say(responseWith(body, '200 OK', 'Content-Type: application/jsonp\r\n')),
    outcome: invalid,
  },
  { name: 'an empty body', service: status('200 OK', ''), outcome: invalid },
  {
    name: 'an empty body in chunks',
    service: say(`${chunkedHead}0\r\n\r\n`),
    outcome: invalid,
    connectionClosed: false,
  },
  { name: 'an array', service: status('200 OK', '[1,2,3]'), outcome: invalid },
  {
    name: 'malformed JSON, which is counted and passes',
    service: status('200 OK', '{"data":{"vehicles":['),
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: 'a wrong shape, which is counted and passes',
    service: status('200 OK', '{"data":{"vehicles":7}}'),
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: 'an error envelope with status 200, which is counted and passes',
    service: status('200 OK', errorBody('5006')),
    outcome: 'whole',
    connectionClosed: false,
  },
  {
    name: '100 MB',
    service: hundredMegabytes,
    outcome: 'whole',
    connectionClosed: false,
    bodyBytes: 44 + 104_857_600 + 2,
  },
  // Content codings
  {
    name: 'a gzip bomb, which passes as it is',
    service: say(responseWith(bomb, '200 OK', gzipHeaders)),
    outcome: 'whole',
    connectionClosed: false,
    acceptEncoding: 'gzip',
    bodyBytes: bomb.length,
  },
  {
    name: 'an error answer that is a gzip bomb',
    service: say(responseWith(bomb, '500 Failed', gzipHeaders)),
    outcome: invalid,
    connectionClosed: false,
    acceptEncoding: 'gzip',
  },
  {
    name: 'a gzip that nobody asked for',
    service: say(responseWith(gzipSync(body), '200 OK', gzipHeaders)),
    outcome: invalid,
  },
  {
    name: 'a coding that was not asked for',
    service: say(responseWith(body, '200 OK', `${json}Content-Encoding: br\r\n`)),
    outcome: invalid,
    acceptEncoding: 'gzip, br',
  },
  {
    name: 'gzip by name only',
    service: say(responseWith(body, '200 OK', gzipHeaders)),
    outcome: invalid,
    acceptEncoding: 'gzip',
  },
  {
    name: 'an error answer in gzip',
    service: say(responseWith(gzipSync(errorBody('5001')), '500 Failed', gzipHeaders)),
    outcome: 'whole',
    status: 500,
    connectionClosed: false,
    acceptEncoding: 'gzip',
  },
  {
    name: 'an error answer in broken gzip',
    service: say(responseWith(gzipSync(errorBody('5001')).subarray(0, 30), '500 Failed', gzipHeaders)),
    outcome: invalid,
    connectionClosed: false,
    acceptEncoding: 'gzip',
  },
  // Errors of the service
  {
    name: '400 with code 4011',
    service: status('400 Bad Request', errorBody('4011')),
    outcome: 'whole',
    status: 400,
    connectionClosed: false,
  },
  {
    name: '401 in the envelope',
    service: status('401 Unauthorized', errorBody('401')),
    outcome: 'whole',
    status: 401,
    connectionClosed: false,
  },
  {
    name: '401 in HTML',
    service: say(responseWith('<html></html>', '401 Unauthorized', 'Content-Type: text/html\r\n')),
    outcome: invalid,
  },
  {
    name: '404 with code 4045',
    service: status('404 Not Found', errorBody('4045')),
    outcome: 'whole',
    status: 404,
    connectionClosed: false,
  },
  {
    name: '410 with code 4101',
    service: status('410 Gone', errorBody('4101')),
    outcome: 'whole',
    status: 410,
    connectionClosed: false,
  },
  {
    name: '429 in the envelope',
    service: say(responseWith(errorBody('429'), '429 Too Many Requests', `${json}Retry-After: 7\r\n`)),
    outcome: 'whole',
    status: 429,
    connectionClosed: false,
  },
  {
    name: '500 in the envelope',
    service: status('500 Failed', errorBody('5001')),
    outcome: 'whole',
    status: 500,
    connectionClosed: false,
  },
  { name: '500 with an empty body', service: status('500 Failed', ''), outcome: invalid },
  {
    name: '500 with other JSON',
    service: status('500 Failed', '{"message":"no"}'),
    outcome: invalid,
    connectionClosed: false,
  },
  {
    name: '500 with a number for a code',
    service: status('500 Failed', '{"error":{"code":5001}}'),
    outcome: invalid,
    connectionClosed: false,
  },
  {
    name: '500 with malformed JSON',
    service: status('500 Failed', '{"error":{'),
    outcome: invalid,
    connectionClosed: false,
  },
  {
    name: '500 with 100 kB',
    service: status('500 Failed', JSON.stringify({ error: { code: '1', message: 'a'.repeat(100_000) } })),
    outcome: invalid,
  },
  { name: '500 that stalls', service: say(`HTTP/1.1 500 Failed\r\n${json}Content-Length: 50\r\n\r\n{`), outcome: late },
  {
    name: '500 that is cut',
    service: sayAndEnd(`HTTP/1.1 500 Failed\r\n${json}Content-Length: 50\r\n\r\n{`),
    outcome: invalid,
  },
  {
    name: '503 from a gateway in HTML',
    service: say(responseWith('<html></html>', '503 Unavailable', 'Content-Type: text/html\r\n')),
    outcome: invalid,
  },
  // More than was asked for
  { name: 'bytes behind the answer', service: say(`${whole}HTTP/1.1 200 OK\r\n`), outcome: 'whole' },
  { name: 'a second answer behind the first', service: say(whole + whole), outcome: 'whole' },
  {
    name: 'a second answer behind chunks',
    service: say(`${chunkedHead}${chunk(body)}0\r\n\r\n${whole}`),
    outcome: 'whole',
  },
  {
    name: 'a second answer a moment later',
    service: (socket) => {
      socket.write(whole);
      setTimeout(() => socket.write(whole), 20);
    },
    outcome: 'whole',
  },
];
