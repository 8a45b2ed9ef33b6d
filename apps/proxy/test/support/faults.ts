import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { boundOf } from '../../../../scripts/patience.ts';
import { fill, readYaml, withoutNull } from './scenarios.ts';
import { type Behavior, errorBody, type RawUpstream, responseWith, successBody } from './servers.ts';
import { type RawClient, statusOf, type WireMessage } from './wire.ts';

/** One way in which the upstream fails, and what its client must get. */
export interface Fault {
  readonly fault: string;
  /** Texts that are sent one after the other. */
  readonly sends?: string | readonly string[];
  /** A text of which one byte is sent after the other. */
  readonly drips?: string;
  /** Status of a response with these headers, or those of JSON, and this body, or a good one. */
  readonly responds?: string;
  readonly headers?: string;
  readonly body?: string;
  /** Code of the error that `{error}` stands for. */
  readonly code?: string;
  /** How the upstream ends the connection. */
  readonly then?: 'close' | 'reset';
  /** `STATUS CODE` of the proxy's own error response, or how the upstream's response arrives. */
  readonly becomes: `${number} ${string}` | 'whole' | 'cut';
  /** Status of a response that arrives whole. Default 200. */
  readonly status?: number;
  /** Size of a long body, in bytes: time goes into its length, and into nothing else. */
  readonly longBytes?: number;
  /** Requests that the upstream gets. Default 1. */
  readonly requests?: number;
  /** Whether the connection to the upstream is kept. */
  readonly keeps?: boolean;
  readonly method?: 'DELETE';
  readonly acceptEncoding?: string;
  /** Whether its outcome comes with the deadline. */
  readonly untilDeadline?: boolean;
  /** Time for the whole request, in milliseconds. Default: as long as the body makes progress. */
  readonly totalDeadlineMs?: number;
}

interface Chapter {
  /** What holds for every fault that does not say otherwise; an empty field of a fault takes it back. */
  readonly every?: Partial<Fault>;
  readonly faults: readonly Fault[];
}

/** Every fault. */
export const faults = readYaml<readonly Chapter[]>('faults.yaml').flatMap(({ every, faults }) =>
  faults.map((fault) => {
    return withoutNull({ ...every, ...fault });
  }),
);

/** The deadline that faults are tried with, in milliseconds. */
export const deadlineMs = 1200;

/** The request of a fault, as bytes. */
export function requestOf({ method, acceptEncoding }: Pick<Fault, 'method' | 'acceptEncoding'> = {}): string {
  const line = method === 'DELETE' ? 'DELETE /v1/vehicles/consent?vin=KMHXX00XXXX000001' : 'GET /v1/vehicles/consent';
  const coding = acceptEncoding === undefined ? '' : `Accept-Encoding: ${acceptEncoding}\r\n`;
  return `${line} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n${coding}\r\n`;
}

/** Unlike anything else, so that `canary.test.ts` finds it where it must not be. */
export const nickname = 'Canary Nickname 93817';

const body = successBody({ vehicles: [], nickname });
const error = errorBody('5001');
const json = 'Content-Type: application/json\r\n';
const head = `HTTP/1.1 200 OK\r\n${json}`;
const fits = `Content-Length: ${body.length}\r\n\r\n${body}`;
const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const gzipOf = (text: string | Buffer) => gzipSync(text, { level: 9 }).toString('latin1');

/** The texts that braces stand for. */
const texts: Readonly<Record<string, string>> = {
  json,
  head,
  lengthHead: `${head}Content-Length: ${body.length}\r\n\r\n`,
  chunkedHead: `${head}Transfer-Encoding: chunked\r\n\r\n`,
  whole: head + fits,
  body,
  length: String(body.length),
  hexLength: body.length.toString(16),
  /** A length and the body that has it. */
  fits,
  start: body.slice(0, 60),
  most: body.slice(0, -1),
  chunk: chunkOf(body),
  firstChunk: chunkOf(body.slice(0, 60)),
  secondChunk: chunkOf(body.slice(60)),
  smallChunks: [...body].map(chunkOf).join(''),
  cutError: `HTTP/1.1 500 Failed\r\n${json}Content-Length: 50\r\n\r\n{`,
  gzip: `${json}Content-Encoding: gzip\r\n`,
  gzipBody: gzipOf(body),
  gzipBomb: gzipOf(Buffer.alloc(50_000_000, ' ')),
  gzipError: gzipOf(error),
  brokenGzip: gzipOf(error).slice(0, 30),
};

const bytesOf = (text: string) => Buffer.from(fill(text, texts), 'latin1');

/** The body of a response that is stated by its status. */
export function bodyOf({ body: text = '{body}', code = '5001' }: Fault): Buffer {
  return text === '{error}' ? Buffer.from(errorBody(code)) : bytesOf(text);
}

/**
 * What the upstream of a fault does.
 *
 * @param passed resolves when the client has got what was sent first; by default, after a while that is long enough on a calm machine
 */
export function behaviorOf(fault: Fault, passed: () => Promise<unknown> = () => wait(30)): Behavior {
  const { sends = [], drips, responds, then } = fault;
  const pieces: Buffer[] = [sends].flat().map(bytesOf);
  if (responds !== undefined) pieces.push(responseWith(bodyOf(fault), responds, fill(fault.headers ?? json, texts)));
  return (socket) => {
    const [first, ...later] = pieces;
    if (first !== undefined) socket.write(first);
    for (const piece of later) void passed().then(() => socket.write(piece));
    if (drips !== undefined) {
      const bytes = bytesOf(drips);
      let at = 0;
      // A byte comes often within a deadline, and the last one long after it.
      const timer = setInterval(() => {
        if (socket.destroyed || at === bytes.length) clearInterval(timer);
        else socket.write(bytes.subarray(at, ++at));
      }, 200);
    }
    if (then === 'close') socket.end();
    else if (then === 'reset') void (first === undefined ? wait(0) : passed()).then(() => socket.resetAndDestroy());
  };
}

/** What the client of a fault must get: `STATUS CODE` of the proxy's own error response, `STATUS whole` or `cut`. */
export function expectedOf({ becomes, status = 200 }: Fault): string {
  return becomes === 'whole' ? `${status} whole` : becomes;
}

/** Plays a fault, and gives what its client got, in the words of what it must get, and its whole response. */
export async function playFault(fault: Fault, upstream: RawUpstream, client: RawClient) {
  // A response is cut only after its client has got some of it.
  const passed = () => client.until(() => client.received.length > 0, boundOf(deadlineMs, 3000));
  upstream.behave = behaviorOf(fault, fault.becomes === 'cut' ? passed : undefined);
  client.send(requestOf(fault));
  if (fault.longBytes !== undefined) {
    await client.longBody(fault.longBytes);
    return { got: '200 whole' };
  }
  const responses = await client.responses(1, boundOf(deadlineMs, 4000)).catch(() => null);
  if (responses === null) return { got: 'nothing in time' };
  const [response] = responses;
  if (response !== undefined) return { got: outcomeOf(response, fault), response };
  return { got: client.received.toString('latin1').startsWith('HTTP/1.1 200') ? 'cut' : 'no response' };
}

function outcomeOf(response: WireMessage, { becomes }: Fault): string {
  const status = statusOf(response);
  const document = parsed(response.body);
  const code = document?.error?.code ?? '';
  // A word is a code of the proxy; the upstream's are digits.
  if (status >= 400 && /^[a-z]/.test(code)) return `${status} ${code}`;
  return becomes === 'cut' && document === null ? 'a cut response as a whole one' : `${status} whole`;
}

function parsed(body: Buffer): { readonly error?: { readonly code?: string } } | null {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
