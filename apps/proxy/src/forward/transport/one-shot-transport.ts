import { ChunkDecoder } from './socket/chunk-decoder.js';
import { maxResponseHeadBytes, readResponseHead } from './socket/response-head.js';
import type {
  UpstreamAttempt,
  UpstreamFailure,
  UpstreamRequest,
  UpstreamSink,
  UpstreamTransport,
} from './upstream-transport.js';

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

const module = 'cloudflare:sockets';

/**
 * Sends what may be sent once only over a socket of its own, because `fetch` of Workers sends a request again when its connection breaks;
 * everything else goes through `fetch`.
 */
export class OneShotTransport implements UpstreamTransport {
  readonly keepsCoding = false;
  readonly #url: URL;
  readonly #others: UpstreamTransport;
  readonly #connect: Connect | null;

  /** @param connect opens a socket; that of Workers by default */
  constructor(upstreamUrl: string, others: UpstreamTransport, connect: Connect | null = null) {
    this.#url = new URL(upstreamUrl);
    this.#others = others;
    this.#connect = connect;
  }

  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamAttempt {
    if (request.repeatable) return this.#others.send(request, sink);
    const attempt = new OneShotAttempt(sink);
    attempt.run(this.#url, request, this.#connect).catch(() => attempt.fail(false, 'the connection broke'));
    return attempt;
  }

  close(): void {
    this.#others.close();
  }
}

class OneShotAttempt implements UpstreamAttempt {
  readonly #sink: UpstreamSink;
  #socket: WorkerSocket | null = null;
  #over = false;
  #received = false;
  #continue: (() => void) | null = null;

  constructor(sink: UpstreamSink) {
    this.#sink = sink;
  }

  resume(): void {
    this.#continue?.();
    this.#continue = null;
  }

  cancel(): void {
    this.#over = true;
    this.resume();
    this.#socket?.close().catch(() => {});
  }

  fail(unreachable: boolean, reason: string): void {
    if (this.#over) return;
    this.cancel();
    const code: UpstreamFailure['code'] = unreachable ? 'upstream-unreachable' : 'upstream-invalid-response';
    this.#sink.fail({ code, reason, nothingReceived: !this.#received });
  }

  async run(url: URL, request: UpstreamRequest, given: Connect | null): Promise<void> {
    const secure = url.protocol === 'https:';
    const address = { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || (secure ? 443 : 80)) };
    try {
      const connect = given ?? ((await import(module)) as { readonly connect: Connect }).connect;
      this.#socket = connect(address, { secureTransport: secure ? 'on' : 'off' });
      await this.#socket.opened;
    } catch {
      this.fail(true, 'no connection');
      return;
    }
    if (this.#over) return;
    let head = `${request.method} ${request.target} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n`;
    for (let index = 0; index < request.headers.length; index += 2)
      head += `${request.headers[index]}: ${request.headers[index + 1]}\r\n`;
    const writer = this.#socket.writable.getWriter();
    await writer.write(new TextEncoder().encode(`${head}\r\n`));
    await this.#read(this.#socket.readable.getReader());
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    let bytes = new Uint8Array();
    let chunks: ChunkDecoder | null = null;
    let left = -1;
    while (!this.#over) {
      const { done, value } = await reader.read();
      if (this.#over) return;
      if (done) {
        this.fail(false, 'the upstream closed the connection');
        return;
      }
      this.#received = true;
      let body = value;
      if (left === -1) {
        bytes = join(bytes, value);
        const head = takeHead(bytes);
        if (head === null && bytes.length < maxResponseHeadBytes) continue;
        if (head === null || typeof head === 'string') {
          this.fail(false, head ?? 'a head that is too large');
          return;
        }
        this.#sink.head(head.head);
        left = head.head.length ?? Number.POSITIVE_INFINITY;
        if (head.head.length === null) chunks = new ChunkDecoder();
        body = head.rest;
      }
      const end = chunks === null ? Math.min(body.length, left) : chunks.decode(body, 0, body.length);
      if (end === -1) {
        this.fail(false, 'a chunk that is not HTTP');
        return;
      }
      left -= end;
      if (end > 0 && !this.#over && !this.#sink.data(body.subarray(0, end)))
        await new Promise<void>((resolve) => (this.#continue = resolve));
      if (this.#over) return;
      if (left <= 0 || chunks?.done === true) {
        this.cancel();
        this.#sink.end();
      }
    }
  }
}

interface TakenHead {
  readonly head: Exclude<ReturnType<typeof readResponseHead>, string>;
  readonly rest: Uint8Array<ArrayBuffer>;
}

/** The first final head in some bytes, what is wrong with it, or `null` when it is not complete. */
function takeHead(bytes: Uint8Array<ArrayBuffer>): TakenHead | string | null {
  const text = Array.from(bytes.subarray(0, maxResponseHeadBytes), (byte) => String.fromCharCode(byte)).join('');
  const stop = text.indexOf('\r\n\r\n');
  if (stop === -1) return null;
  const head = readResponseHead(text.slice(0, stop));
  if (typeof head === 'string') return head;
  const rest = bytes.subarray(stop + 4);
  if (head.status >= 200) return { head, rest };
  return head.status === 101 ? 'an interim response that was not asked for' : takeHead(rest);
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
