import type { Socket } from 'node:net';
import type { Resumable } from '../admission.js';
import type { AnswerOut } from '../answer-out.js';
import type { IncomingCall } from '../decide.js';
import { type HeadFault, maxHeadBytes } from '../head-rules.js';
import { ownPaths } from '../pages.js';
import { type Refusal, refusal, refusalBody } from '../refusal.js';
import { newRequestId, requestIdFor } from '../request-id.js';
import { answerHeadText, type Framing } from './answer-text.js';
import type { FrontDoor } from './front-door.js';
import { checkPartialHead, type RequestHead, readRequestHead } from './request-head.js';

type State = 'reading' | 'answering' | 'draining' | 'closing' | 'closed';

const maxPipelinedBytes = 65_536;
const oneWriteBytes = 16_384;
const nothing = Buffer.alloc(0);
const lastChunk = '0\r\n\r\n';

/**
 * One caller's connection: reads one request after the other with the strict reader, and writes the answers in the same order.
 * After anything that is not exactly one request without a body, it answers and closes.
 */
export class CallerConnection implements AnswerOut, IncomingCall {
  readonly #door: FrontDoor;
  readonly #socket: Socket;
  readonly #unwatch: () => void;
  #state: State = 'reading';
  #pending: Buffer = nothing;
  #head: RequestHead | null = null;
  #behind: Resumable | null = null;
  #framing: Framing = { kind: 'close' };
  #headText = '';
  #halfClosed = false;
  #reading = false;
  #served = false;
  #sinceMs = performance.now();
  #moved = false;
  requestId = '';

  constructor(door: FrontDoor, socket: Socket) {
    this.#door = door;
    this.#socket = socket;
    this.#unwatch = door.watch((nowMs) => this.#tick(nowMs));
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.#onData(bytes));
    socket.on('end', () => this.#onEnd());
    socket.on('drain', () => this.#onDrain());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#onClose());
  }

  get method(): string {
    return this.#head?.method ?? '';
  }

  get target(): string {
    return this.#head?.target ?? '';
  }

  header(name: string): string | undefined {
    return this.#head?.headers.get(name);
  }

  /** Closes the connection as soon as no call is under way on it. */
  closeWhenIdle(): void {
    if (this.#state === 'reading' && this.#pending.length === 0) this.#close();
  }

  /** Breaks the connection off. */
  destroy(): void {
    this.#socket.destroy();
  }

  refuse(refused: Refusal): void {
    const body = Buffer.from(refusalBody(refused, this.requestId));
    this.whole(refused.status, ['content-type', 'application/json', ...refused.headers], body);
  }

  whole(status: number, headers: readonly string[], body: Uint8Array): void {
    const text = answerHeadText(
      status,
      headers,
      this.requestId,
      { kind: 'length', length: body.length },
      this.#keepsAlive(),
    );
    if (this.#head?.method === 'HEAD') this.#socket.write(text, 'latin1');
    else if (body.length <= oneWriteBytes) this.#socket.write(text + latin1(body), 'latin1');
    else {
      this.#socket.write(text, 'latin1');
      this.#socket.write(body);
    }
    this.#answered();
  }

  /** An answer of a page that has no body: to a HEAD, or that the reader has the page. */
  bodiless(status: number, headers: readonly string[], length: number | null): void {
    const framing: Framing = length === null ? { kind: 'close' } : { kind: 'length', length };
    const text = answerHeadText(status, headers, this.requestId, framing, this.#keepsAlive(), true);
    this.#socket.write(text, 'latin1');
    this.#answered();
  }

  /** Begins an answer whose body follows. A page says itself how it may be cached. */
  begin(status: number, headers: readonly string[], length: number | null, isPage = false): void {
    if (length !== null) this.#framing = { kind: 'length', length };
    else this.#framing = this.#head?.http11 === false ? { kind: 'close' } : { kind: 'chunks' };
    this.#headText = answerHeadText(status, headers, this.requestId, this.#framing, this.#keepsAlive(), isPage);
  }

  data(chunk: Uint8Array): boolean {
    const socket = this.#socket;
    const chunks = this.#framing.kind === 'chunks';
    const before = this.#headText + (chunks ? `${chunk.length.toString(16)}\r\n` : '');
    const after = chunks ? '\r\n' : '';
    this.#headText = '';
    this.#moved = true;
    if (before === '') {
      socket.write(chunk);
    } else if (chunk.length <= oneWriteBytes) {
      socket.write(before + latin1(chunk) + after, 'latin1');
    } else {
      socket.cork();
      socket.write(before, 'latin1');
      socket.write(chunk);
      if (after !== '') socket.write(after, 'latin1');
      socket.uncork();
    }
    // Gone to the kernel: the bytes are no longer needed. Otherwise wait, or a caller that does not read would fill the memory.
    if (socket.writableLength === 0) return true;
    const behind = this.#behind;
    socket.write(nothing, () => {
      this.#moved = true;
      behind?.resume();
    });
    return false;
  }

  end(): void {
    if (this.#framing.kind === 'chunks') this.#socket.write(lastChunk, 'latin1');
    this.#answered();
  }

  cut(): void {
    this.#behind = null;
    this.#socket.resetAndDestroy();
  }

  #keepsAlive(): boolean {
    return this.#head?.keepAlive === true && !this.#halfClosed && !this.#door.draining;
  }

  #onData(bytes: Buffer): void {
    if (this.#state === 'closing') return;
    if (this.#pending.length === 0) {
      if (this.#state === 'reading') this.#sinceMs = performance.now();
      this.#pending = bytes;
    } else {
      this.#pending = Buffer.concat([this.#pending, bytes]);
    }
    if (this.#state === 'reading') this.#readRequests();
    else if (this.#pending.length > maxPipelinedBytes) this.#socket.pause();
  }

  #readRequests(): void {
    // An answer given at once returns here instead of reading on by itself, or a thousand requests sent together would be a
    // thousand calls deep.
    if (this.#reading) return;
    this.#reading = true;
    this.#readEach();
    this.#reading = false;
  }

  #readEach(): void {
    while (this.#state === 'reading' && this.#pending.length > 0) {
      const stop = this.#pending.indexOf('\r\n\r\n', 0, 'latin1');
      if (stop === -1 || stop + 4 > maxHeadBytes) {
        const fault = checkPartialHead(this.#pending.toString('latin1', 0, maxHeadBytes + 1));
        if (fault !== null) this.#refuseHead(fault);
        return;
      }
      const text = this.#pending.toString('latin1', 0, stop + 4);
      this.#pending = stop + 4 === this.#pending.length ? nothing : this.#pending.subarray(stop + 4);
      const head = readRequestHead(text, this.#door.wantedHeaders);
      if ('code' in head) {
        this.#refuseHead(head);
        return;
      }
      this.#startAnswer(head);
    }
  }

  #startAnswer(head: RequestHead): void {
    this.#head = head;
    this.requestId = requestIdFor(head.headers.get('x-request-id'));
    this.#state = 'answering';
    this.#behind = null;
    this.#moved = true;
    const queryAt = head.target.indexOf('?');
    const path = queryAt === -1 ? head.target : head.target.slice(0, queryAt);
    const behind = ownPaths.has(path) ? this.#door.servePage(this, path) : this.#door.core.answer(this, this);
    // The answer can be complete already, and the next call begun.
    if (this.#answering(head)) this.#behind = behind;
  }

  #answering(head: RequestHead): boolean {
    return this.#state === 'answering' && this.#head === head;
  }

  #refuseHead(fault: HeadFault): void {
    this.#head = null;
    this.requestId = newRequestId();
    const details = [{ in: 'request' as const, name: fault.name, reason: fault.reason }];
    const refused = refusal(fault.code, details);
    this.#door.core.noteRefusal(this.requestId, '-', '-', refused.code, refused.status);
    this.refuse(refused);
  }

  /** The answer is written; the next request, if any, is read once the caller has taken most of it. */
  #answered(): void {
    const keepAlive = this.#keepsAlive();
    this.#behind = null;
    // What is held until the next call outlives the memory for young objects, and costs more to collect than to make.
    this.#head = null;
    this.requestId = '';
    this.#served = true;
    this.#sinceMs = performance.now();
    if (!keepAlive) {
      this.#close();
      return;
    }
    if (this.#socket.writableNeedDrain) {
      this.#state = 'draining';
      return;
    }
    this.#state = 'reading';
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#readRequests();
  }

  /** Ends our side and drops what still comes, so that the answer is not lost to a reset. */
  #close(): void {
    this.#state = 'closing';
    this.#sinceMs = performance.now();
    this.#pending = nothing;
    this.#socket.end();
    this.#socket.resume();
    if (this.#halfClosed) this.#socket.destroySoon();
  }

  #onDrain(): void {
    if (this.#state !== 'draining') return;
    this.#state = 'reading';
    this.#socket.resume();
    this.#readRequests();
  }

  #onEnd(): void {
    this.#halfClosed = true;
    if (this.#state === 'reading' || this.#state === 'closing') this.#socket.destroySoon();
  }

  #onClose(): void {
    this.#state = 'closed';
    this.#unwatch();
    this.#behind?.cancel();
    this.#behind = null;
    this.#door.closed(this);
  }

  #tick(nowMs: number): void {
    if (this.#moved) {
      this.#moved = false;
      this.#sinceMs = nowMs;
    }
    const quietMs = nowMs - this.#sinceMs;
    if (this.#state === 'reading') this.#tickReading(quietMs);
    else if (this.#state === 'answering') {
      // The call has its own deadline; the second bound holds for the proxy's own pages.
      const boundMs = this.#halfClosed ? this.#door.times.halfClosedMs : this.#door.core.config.deadlineMs + 1000;
      if (quietMs >= boundMs) this.#socket.destroy();
    } else if (this.#state === 'draining') {
      if (quietMs >= this.#door.core.config.deadlineMs) this.#socket.destroy();
    } else if (
      quietMs >= (this.#socket.writableLength > 0 ? this.#door.core.config.deadlineMs : this.#door.times.lingerMs)
    )
      this.#socket.destroy();
  }

  #tickReading(quietMs: number): void {
    if (this.#pending.length > 0) {
      if (quietMs < this.#door.times.headMs) return;
      this.#head = null;
      this.requestId = newRequestId();
      const refused = refusal('request-timeout');
      this.#door.core.noteRefusal(this.requestId, '-', '-', refused.code, refused.status);
      this.refuse(refused);
    } else if (quietMs >= (this.#served ? this.#door.times.idleMs : this.#door.times.headMs)) this.#socket.destroy();
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
