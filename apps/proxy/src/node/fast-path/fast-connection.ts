import type { Socket } from 'node:net';
import type { Pipeline } from '../../pipeline.js';
import { http } from '../../platform/builtin.js';
import { endGently } from '../../platform/end-gently.js';
import type { IncomingRequest } from '../../request/incoming-request.js';
import { requestIdFor } from '../../request/request-id.js';
import { fixedHeaders, headerValue } from '../../response/response-headers.js';
import type { ResponseListener, ResponseWriter } from '../../response/response-writer.js';
import { recognize } from './recognize.js';

/** How long clients are waited for, in milliseconds. */
export interface ClientTimes {
  /** For a request's head to arrive in full, and for the first byte of a connection. Default ten seconds. */
  readonly headMs: number;
  /** For the next request on a connection. Default 65 seconds. */
  readonly idleMs: number;
  /** For progress with a client that has closed its sending side. Default one second. */
  readonly halfClosedMs: number;
}

/** Longest piece that is written together with what stands before it. */
const oneWriteBytes = 16_384;

let fixedLines = '';
for (let index = 0; index < fixedHeaders.length; index += 2)
  fixedLines += `${fixedHeaders[index]}: ${fixedHeaders[index + 1]}\r\n`;

const nothing = Buffer.alloc(0);
const noHeaders: ReadonlyMap<string, string> = new Map();

/**
 * One connection on the fast path: it takes one recognized request after the other, and writes the responses itself. With the first bytes
 * that are not exactly one such request, the connection becomes one of Node's own server.
 */
export class FastConnection implements ResponseWriter, IncomingRequest {
  readonly #socket: Socket;
  readonly #pipeline: Pipeline;
  readonly #times: ClientTimes;
  readonly #toNode: (bytes: Buffer) => void;
  #headers = noHeaders;
  #responding = false;
  #listener: ResponseListener | null = null;
  #pending: Buffer | null = null;
  #lastActiveMs = performance.now();
  #chunked = false;
  /** The head of the response and everything else that goes out with the next piece. */
  #unsent = '';
  #keepAlive = true;
  #closesAfterwards = false;
  readonly peerAddress: string;
  method = '';
  target = '';
  /** Empty before the first request. */
  requestId = '';

  /** @param toNode passes the connection to Node's own server, with the bytes that nobody has read yet. It does not come back. */
  constructor(socket: Socket, pipeline: Pipeline, times: ClientTimes, toNode: (bytes: Buffer) => void) {
    this.#socket = socket;
    this.#pipeline = pipeline;
    this.#times = times;
    this.#toNode = toNode;
    this.peerAddress = socket.remoteAddress ?? '';
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onClose);
  }

  header(name: string): string | undefined {
    return this.#headers.get(name);
  }

  /** Destroys the connection when its client has taken too long to send a request. One under way, or not yet taken, has its own deadline. */
  checkTime(nowMs: number): void {
    const allowedMs = this.requestId === '' ? this.#times.headMs : this.#times.idleMs;
    const isWaiting = this.#listener === null && this.#socket.writableLength === 0;
    if (isWaiting && nowMs - this.#lastActiveMs >= allowedMs) this.#socket.destroy();
  }

  /** Closes the connection when it is idle, and has been for so long, in milliseconds. */
  closeIfIdle(forMs: number): void {
    if (!this.#responding && performance.now() - this.#lastActiveMs >= forMs) this.#close();
  }

  listen(listener: ResponseListener): void {
    this.#listener = listener;
  }

  closeAfterwards(): void {
    this.#closesAfterwards = true;
  }

  begin(status: number, headers: readonly string[], length: number | null): void {
    this.#chunked = length === null;
    this.#keepAlive =
      !this.#closesAfterwards && !(this.#socket.readableEnded && this.#pending === null) && !this.#pipeline.draining;
    let head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n`;
    for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
    // https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1
    if (headerValue(headers, 'date') === undefined) head += `date: ${new Date().toUTCString()}\r\n`;
    head += `${fixedLines}x-request-id: ${this.requestId}\r\n`;
    head += length === null ? 'transfer-encoding: chunked\r\n' : `content-length: ${length}\r\n`;
    this.#unsent = `${head}${this.#keepAlive ? '' : 'connection: close\r\n'}\r\n`;
  }

  data(chunk: Uint8Array): boolean {
    // An empty chunk would end a chunked body.
    if (chunk.length === 0) return true;
    const socket = this.#socket;
    const before = this.#unsent + (this.#chunked ? `${chunk.length.toString(16)}\r\n` : '');
    const after = this.#chunked ? '\r\n' : '';
    this.#unsent = '';
    if (before === '') socket.write(chunk);
    else if (chunk.length <= oneWriteBytes) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
      socket.write(before + text + after, 'latin1');
    } else {
      socket.cork();
      socket.write(before, 'latin1');
      socket.write(chunk);
      if (after !== '') socket.write(after, 'latin1');
      socket.uncork();
    }
    // In the kernel's hands: the bytes may change. Otherwise wait, or a client that does not read would fill the memory.
    if (socket.writableLength === 0) return true;
    const listener = this.#listener;
    socket.write(nothing, () => listener?.drained());
    return false;
  }

  end(): void {
    const last = this.#chunked ? `${this.#unsent}0\r\n\r\n` : this.#unsent;
    if (last !== '') this.#socket.write(last, 'latin1');
    this.#unsent = '';
    this.#listener = null;
    this.#headers = noHeaders;
    this.#lastActiveMs = performance.now();
    if (!this.#keepAlive) this.#close();
    else if (!this.#socket.writableNeedDrain) this.#takeNext();
    else {
      // A client that does not read its responses gets no more of them, which would fill the memory.
      this.#socket.pause();
      this.#socket.once('drain', this.#onDrain);
    }
  }

  cut(): void {
    this.#listener = null;
    this.#socket.resetAndDestroy();
  }

  #takeNext(): void {
    this.#responding = false;
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) this.#take(pending);
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  readonly #onDrain = (): void => {
    this.#lastActiveMs = performance.now();
    this.#takeNext();
  };

  readonly #onData = (bytes: Buffer): void => {
    if (!this.#responding) {
      this.#take(bytes);
      return;
    }
    // The next request waits for its turn, in the socket.
    this.#pending = this.#pending === null ? bytes : Buffer.concat([this.#pending, bytes]);
    this.#socket.pause();
  };

  #take(bytes: Buffer): void {
    const request = recognize(bytes);
    if (request === null) {
      this.#socket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
      this.#toNode(bytes);
      return;
    }
    this.method = request.method;
    this.target = request.target;
    this.#headers = request.headers;
    this.requestId = requestIdFor(request.headers.get('x-request-id'));
    this.#responding = true;
    void this.#pipeline.handle(this, this);
  }

  #close(): void {
    this.#responding = true;
    this.#pending = null;
    this.#socket.off('data', this.#onData);
    endGently(this.#socket);
  }

  readonly #onEnd = (): void => {
    if (!this.#responding) this.#socket.destroySoon();
  };

  readonly #onClose = (): void => {
    this.#listener?.closed();
    this.#listener = null;
  };
}
