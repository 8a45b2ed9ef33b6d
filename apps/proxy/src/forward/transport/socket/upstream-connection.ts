import type { Duplex } from 'node:stream';
import { connectionProblem, isLateRejection } from '../connection-problem.js';
import type { UpstreamFailure, UpstreamSink } from '../upstream-transport.js';
import { ChunkDecoder } from './chunk-decoder.js';
import { type ConnectionEvents, connectUpstream, type UpstreamAddress } from './connect-upstream.js';
import { ReadBuffers } from './read-buffers.js';
import { maxResponseHeadBytes, type ResponseHead, readResponseHead } from './response-head.js';

/** What a connection tells its pool. */
export interface ConnectionOwner {
  /** The response is complete and the connection can carry another request. */
  free(connection: UpstreamConnection): void;
  /** The connection is gone. */
  gone(connection: UpstreamConnection): void;
}

const connectTimeoutMs = 3000;
const maxInterimResponses = 8;

/**
 * One connection to the upstream, carrying one request at a time. Reads with one buffer that is used again and again; whatever is
 * not exactly one response in one framing ends the connection.
 */
export class UpstreamConnection implements ConnectionEvents {
  readonly #owner: ConnectionOwner;
  readonly #connecting: { destroy(): unknown };
  #stream: Duplex | null = null;
  /** The head of a request that waits for the stream. */
  #unsent = '';
  readonly #connectTimer: NodeJS.Timeout;
  readonly #buffers = new ReadBuffers();
  #filled = false;
  #sink: UpstreamSink | null = null;
  #phase: 'idle' | 'head' | 'length' | 'chunks' = 'idle';
  #connected = false;
  #dead = false;
  #received = false;
  #partialHead: Buffer | null = null;
  #interim = 0;
  #keepAlive = true;
  #left = 0;
  #chunks = new ChunkDecoder();
  #completeWhenResumed = false;
  #paused = false;
  /** Since when the connection is idle, in milliseconds of `performance.now()`. */
  idleSinceMs = 0;

  constructor(address: UpstreamAddress, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#connecting = connectUpstream(address, this);
    // After what has come is read: a process that stalled would take an upstream for late that was not.
    const check = () => void setImmediate(() => this.#failUnconnected());
    this.#connectTimer = setTimeout(check, connectTimeoutMs);
  }

  /** Sends a request head and passes its response to the sink. */
  send(head: string, sink: UpstreamSink): void {
    this.#sink = sink;
    this.#phase = 'head';
    this.#received = false;
    this.#interim = 0;
    if (this.#stream === null) this.#unsent = head;
    else this.#stream.write(head, 'latin1');
  }

  /** Continues after the sink asked to wait. */
  resume(sink: UpstreamSink): void {
    if (this.#sink !== sink || !this.#paused || this.#dead) return;
    this.#paused = false;
    if (this.#completeWhenResumed) this.#complete();
    else this.#stream?.resume();
  }

  /** Ends the connection when it still carries this sink's request; later it may carry another's. */
  cancel(sink: UpstreamSink): void {
    if (this.#sink === sink) this.destroy();
  }

  /** Ends the connection; the sink is called no more. */
  destroy(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#sink = null;
    clearTimeout(this.#connectTimer);
    (this.#stream ?? this.#connecting).destroy();
    this.#owner.gone(this);
  }

  onStream(stream: Duplex): void {
    if (this.#dead) {
      stream.destroy();
      return;
    }
    this.#stream = stream;
    stream.on('error', (error) => this.onError(error));
    for (const event of ['end', 'close']) stream.on(event, () => this.#fail('the upstream closed the connection'));
    if (this.#unsent !== '') stream.write(this.#unsent, 'latin1');
  }

  onConnect(): void {
    this.#connected = true;
    clearTimeout(this.#connectTimer);
  }

  #failUnconnected(): void {
    if (!this.#connected) this.#fail('no connection in time');
  }

  onError(error: Error): void {
    const problem = connectionProblem(error);
    if (isLateRejection(problem)) this.#connected = false;
    if (this.#connected) this.#fail('the connection broke');
    else this.#fail(problem === '' ? 'no connection' : problem);
  }

  nextBuffer(): Uint8Array {
    return this.#buffers.next(this.#filled, this.#phase !== 'idle', this.#paused);
  }

  #fail(reason: string, invalid = false): void {
    if (this.#dead) return;
    // The last piece is still with the sink; the response itself is complete.
    if (this.#completeWhenResumed) {
      this.#keepAlive = false;
      return;
    }
    const sink = this.#sink;
    this.destroy();
    const code: UpstreamFailure['code'] =
      invalid || this.#connected ? 'upstream-invalid-response' : 'upstream-unreachable';
    sink?.fail({ code, reason, nothingReceived: !this.#received });
  }

  onBytes(bytes: Uint8Array, length: number): boolean {
    this.#filled = length === bytes.length;
    if (this.#dead || length === 0) return true;
    if (this.#phase === 'idle') {
      // Nobody asked for these bytes; a response that came early could later be taken for another request's.
      this.#fail('bytes that belong to no request', true);
      return true;
    }
    this.#received = true;
    let buffer = bytes;
    let at = 0;
    let end = length;
    if (this.#phase === 'head') {
      if (this.#partialHead !== null) {
        buffer = Buffer.concat([this.#partialHead, bytes.subarray(0, length)]);
        end = buffer.length;
        this.#partialHead = null;
      }
      at = this.#readHeads(buffer, end);
      if (at === -1) return !this.#paused;
    }
    this.#readBody(buffer, at, end);
    return !this.#paused;
  }

  /** Reads interim heads and the final one; returns where the body begins, or -1 when there is nothing more to do now. */
  #readHeads(buffer: Uint8Array, end: number): number {
    const view = Buffer.from(buffer.buffer, buffer.byteOffset, end);
    let at = 0;
    for (;;) {
      const stop = view.indexOf('\r\n\r\n', at, 'latin1');
      if (stop === -1 || stop - at > maxResponseHeadBytes) {
        if (end - at > maxResponseHeadBytes) this.#fail('a head that is too large', true);
        else if (!'HTTP/1.1 '.startsWith(view.toString('latin1', at, at + 9))) this.#fail('not HTTP/1.1', true);
        else this.#partialHead = Buffer.from(view.subarray(at));
        return -1;
      }
      const head = readResponseHead(view.toString('latin1', at, stop));
      at = stop + 4;
      if (typeof head === 'string') {
        this.#fail(head, true);
        return -1;
      }
      if (head.status >= 200) return this.#startResponse(head, at, end);
      // Interim responses come before the real one; a change of protocol was never asked for.
      // https://www.rfc-editor.org/rfc/rfc9110#section-15.2
      if (head.status === 101 || ++this.#interim > maxInterimResponses) {
        this.#fail('an interim response that was not asked for', true);
        return -1;
      }
      if (at === end) return -1;
    }
  }

  #startResponse(head: ResponseHead, at: number, end: number): number {
    this.#keepAlive = head.keepAlive;
    if (head.length === null) {
      this.#phase = 'chunks';
      this.#chunks = new ChunkDecoder();
    } else {
      this.#phase = 'length';
      this.#left = head.length;
    }
    this.#sink?.head(head);
    if (this.#dead) return -1;
    if (head.length === 0) {
      if (at < end) this.#keepAlive = false;
      this.#complete();
      return -1;
    }
    return at;
  }

  #readBody(buffer: Uint8Array, start: number, end: number): void {
    if (start === end) return;
    if (this.#phase === 'length') {
      const stop = Math.min(end, start + this.#left);
      this.#left -= stop - start;
      // More than the response has: it counts, and the connection is not used again.
      if (stop < end) this.#keepAlive = false;
      this.#deliver(buffer, start, stop, this.#left === 0);
      return;
    }
    const stop = this.#chunks.decode(buffer, start, end);
    if (stop === -1) {
      this.#fail('a chunk that is not HTTP', true);
      return;
    }
    if (this.#chunks.done && this.#chunks.restAt < end) this.#keepAlive = false;
    this.#deliver(buffer, start, stop, this.#chunks.done);
  }

  #deliver(buffer: Uint8Array, start: number, stop: number, last: boolean): void {
    const more = start === stop || (this.#sink?.data(buffer.subarray(start, stop)) ?? false);
    if (this.#dead) return;
    if (last && more) this.#complete();
    else if (!more) {
      this.#paused = true;
      this.#completeWhenResumed = last;
    }
  }

  #complete(): void {
    const sink = this.#sink;
    this.#sink = null;
    this.#phase = 'idle';
    if (this.#completeWhenResumed) {
      this.#completeWhenResumed = false;
      if (this.#keepAlive) this.#stream?.resume();
    }
    if (this.#keepAlive) this.#owner.free(this);
    else this.destroy();
    sink?.end();
  }
}
