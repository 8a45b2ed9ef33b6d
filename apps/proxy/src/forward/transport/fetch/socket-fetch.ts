import { headersOf } from '../../../response/response-headers.js';
import { ChunkDecoder } from '../socket/chunk-decoder.js';
import { maxResponseHeadBytes, readResponseHead } from '../socket/response-head.js';

/** A socket of Workers, https://developers.cloudflare.com/workers/runtime-apis/tcp-sockets/ */
interface WorkerSocket {
  readonly opened: Promise<unknown>;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  close(): Promise<void>;
}

type Connect = (
  address: { readonly hostname: string; readonly port: number },
  options: { readonly secureTransport: 'on' | 'off' },
) => WorkerSocket;

/** `fetch`, as far as a way to the upstream needs it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const module = 'cloudflare:sockets';
/** Greatest size of a response, in bytes: 128 kB. It is read as a whole, and that to a withdrawal is short. */
const maxResponseBytes = 131_072;

/**
 * Makes a `fetch` that sends each request once, over a socket of its own: `fetch` of Workers sends a request again when its connection breaks.
 *
 * @param given opens a socket; that of Workers by default
 */
export function socketFetch(given?: Connect): Fetch {
  return async function fetchOnce(address, { method, headers, signal }) {
    const url = new URL(address);
    const secure = url.protocol === 'https:';
    const host = { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || (secure ? 443 : 80)) };
    const connect = given ?? ((await import(module)) as { readonly connect: Connect }).connect;
    let socket: WorkerSocket;
    try {
      socket = connect(host, { secureTransport: secure ? 'on' : 'off' });
      await socket.opened;
    } catch {
      // No connection was made, so nothing was sent.
      throw new Error('no connection');
    }
    const close = () => void socket.close().catch(() => {});
    try {
      signal?.addEventListener('abort', close);
      signal?.throwIfAborted();
      let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n`;
      for (const [name, value] of new Headers(headers)) head += `${name}: ${value}\r\n`;
      await socket.writable.getWriter().write(new TextEncoder().encode(`${head}\r\n`));
      return await readResponse(socket.readable.getReader());
    } finally {
      close();
    }
  };
}

async function readResponse(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Response> {
  let bytes = new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the upstream closed the connection');
    const joined = new Uint8Array(bytes.length + value.length);
    joined.set(bytes);
    joined.set(value, bytes.length);
    const response = responseIn(joined);
    if (response !== null) return response;
    if (joined.length > maxResponseBytes) throw new Error('a response that is too long');
    bytes = joined;
  }
}

/**
 * The final response in some bytes, or `null` when it is not complete.
 *
 * @throws {Error} when the bytes are no response
 */
function responseIn(bytes: Uint8Array): Response | null {
  const text = String.fromCharCode(...bytes.subarray(0, maxResponseHeadBytes));
  const stop = text.indexOf('\r\n\r\n');
  if (stop === -1) {
    if (bytes.length < maxResponseHeadBytes) return null;
    throw new Error('a head that is too large');
  }
  const head = readResponseHead(text.slice(0, stop));
  if (typeof head === 'string') throw new Error(head);
  // A copy: decoding moves the bytes.
  const rest = bytes.slice(stop + 4);
  if (head.status === 101) throw new Error('an interim response that was not asked for');
  if (head.status < 200) return responseIn(rest);
  const body = bodyIn(rest, head.length);
  if (body === null) return null;
  const headers = headersOf([...head.headers, 'content-length', String(body.length), 'x-request-id', head.requestId]);
  return new Response(body.length === 0 ? null : body, { status: head.status, headers });
}

/** The whole body at the beginning of some bytes, or `null`. */
function bodyIn(bytes: Uint8Array<ArrayBuffer>, length: number | null): Uint8Array<ArrayBuffer> | null {
  if (length !== null) return bytes.length < length ? null : bytes.subarray(0, length);
  const chunks = new ChunkDecoder();
  const end = chunks.decode(bytes, 0, bytes.length);
  if (end === -1) throw new Error('a chunk that is not HTTP');
  return chunks.done ? bytes.subarray(0, end) : null;
}
