import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A message as it stood on the wire, read by a strict reader of the tests' own. */
export interface WireMessage {
  /** Request line or status line. */
  readonly start: string;
  /** Header lines in order, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** What the bytes of one direction of a connection hold. */
export interface WireReading {
  readonly messages: readonly WireMessage[];
  /** Bytes after the last whole message. */
  readonly rest: Buffer;
  /** What is wrong with the rest; empty when it may only be incomplete. */
  readonly problem: string;
  /** Bytes that the rest needs at least to hold more, as far as it says so. */
  readonly needs: number;
}

/** Every value of a header. */
export function valuesOf(message: WireMessage | undefined, name: string): string[] {
  return (message?.headers ?? []).filter(([each]) => each === name).map(([, value]) => value);
}

/** Status of a response. */
export function statusOf(response: WireMessage | undefined): number {
  return Number(response?.start.split(' ')[1] ?? 0);
}

function readHead(text: string): Omit<WireMessage, 'body'> | string {
  const [start = '', ...lines] = text.split('\r\n');
  if (/[^\x20-\x7e]/.test(start)) return 'a start line with other than visible ASCII';
  const headers: [string, string][] = [];
  for (const line of lines) {
    const parts = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/.exec(line);
    if (parts === null) return 'a line that is no header';
    headers.push([(parts[1] ?? '').toLowerCase(), parts[2] ?? '']);
  }
  return { start, headers };
}

/** A body, what is wrong with it, or how many bytes it needs at least where it is incomplete. */
type Body = { readonly body: Buffer; readonly end: number } | string | number;

/** Reads chunks. */
function readChunks(bytes: Buffer, from: number): Body {
  const pieces: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return bytes.length + 1;
    const digits = bytes.toString('latin1', at, lineEnd);
    if (!/^[0-9a-fA-F]+$/.test(digits)) return 'a chunk size that is no number';
    const size = Number.parseInt(digits, 16);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return end + 2;
    if (bytes.toString('latin1', end, end + 2) !== '\r\n') return 'a chunk without its end';
    pieces.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
    if (size === 0) return { body: Buffer.concat(pieces), end: at };
  }
}

function readBody(bytes: Buffer, from: number, head: Omit<WireMessage, 'body'>, bodiless: boolean): Body {
  const framings = head.headers.filter(([name]) => name === 'content-length' || name === 'transfer-encoding');
  if (framings.length > 1) return 'more than one framing';
  const [name, value] = framings[0] ?? ['content-length', '0'];
  if (bodiless) return { body: Buffer.alloc(0), end: from };
  if (name === 'transfer-encoding') return value === 'chunked' ? readChunks(bytes, from) : 'an unknown transfer coding';
  const end = from + Number(value);
  if (!Number.isInteger(end)) return 'a length that is no number';
  return bytes.length < end ? end : { body: bytes.subarray(from, end), end };
}

/**
 * Reads the messages of one direction.
 *
 * @param bodiless whether the message at this index has no body whatever its head says (responses to HEAD)
 */
export function readMessages(bytes: Buffer, bodiless: (index: number) => boolean = () => false): WireReading {
  const messages: WireMessage[] = [];
  let at = 0;
  const stop = (problem: string, needs = 0): WireReading => ({ messages, rest: bytes.subarray(at), problem, needs });
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd === -1) return stop('');
    const head = readHead(bytes.toString('latin1', at, headEnd));
    if (typeof head === 'string') return stop(head);
    const read = readBody(bytes, headEnd + 4, head, bodiless(messages.length));
    if (typeof read === 'string') return stop(read);
    if (typeof read === 'number') return stop('', read - at);
    messages.push({ ...head, body: read.body });
    at = read.end;
  }
  return stop('');
}

/** A client on a raw socket. */
export class RawClient {
  readonly socket: Socket;
  /** How the connection ended. */
  ending: 'open' | 'closed' | 'reset' = 'open';
  readonly #bodiless: (index: number) => boolean;
  readonly #events = new EventEmitter();
  #pieces: Buffer[] = [];
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  /** Bytes with which there is more to read: a long body is not put together again with every piece. */
  #needs = 0;
  readonly #messages: WireMessage[] = [];

  constructor(port: number, bodiless: (index: number) => boolean = () => false, host = '127.0.0.1') {
    this.#bodiless = bodiless;
    this.socket = connect({ port, host, allowHalfOpen: true });
    this.socket.on('data', (bytes: Buffer) => {
      this.#pieces.push(bytes);
      this.#unread.push(bytes);
      this.#unreadBytes += bytes.length;
      this.#events.emit('more');
    });
    this.socket.on('error', () => this.#end('reset'));
    this.socket.on('end', () => this.#end('closed'));
    this.socket.on('close', () => this.#end('closed'));
  }

  /** Every byte that has come. */
  get received(): Buffer {
    if (this.#pieces.length !== 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0] ?? Buffer.alloc(0);
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  reading(): WireReading {
    const before = this.#messages.length;
    const read = readMessages(Buffer.concat(this.#unread), (index) => this.#bodiless(before + index));
    this.#messages.push(...read.messages);
    this.#unread = [read.rest];
    this.#unreadBytes = read.rest.length;
    this.#needs = read.needs;
    return { ...read, messages: this.#messages };
  }

  /** Waits until so many responses are here or the connection has ended; gives what is here. */
  async responses(count: number, timeoutMs = 60_000): Promise<readonly WireMessage[]> {
    await this.until(() => {
      if (this.#unreadBytes >= this.#needs) this.reading();
      return this.#messages.length >= count;
    }, timeoutMs);
    return this.reading().messages;
  }

  /** Sends one more request, and gives its response. */
  async request(bytes: string): Promise<WireMessage | undefined> {
    const before = this.reading().messages.length;
    this.send(bytes);
    return (await this.responses(before + 1))[before];
  }

  /** Waits until the connection has ended. */
  async ended(timeoutMs = 60_000): Promise<string> {
    await this.until(() => false, timeoutMs);
    return this.ending;
  }

  /** Waits for a condition about what has come, or for the end of the connection. */
  async until(condition: () => boolean, timeoutMs: number): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    while (!condition() && this.ending === 'open')
      await once(this.#events, 'more', { signal }).catch(() => {
        throw new Error(`nothing more came in ${timeoutMs} ms; so far: ${this.received.toString('latin1', 0, 400)}`);
      });
  }

  /** Waits for a response with so many bytes of body, of which nothing is kept. */
  async longBody(bodyBytes: number): Promise<void> {
    let headBytes = 0;
    let bytes = 0;
    this.socket.removeAllListeners('data').on('data', (piece: Buffer) => {
      if (headBytes === 0) headBytes = piece.indexOf('\r\n\r\n') + 4;
      bytes += piece.length;
      this.#events.emit('more');
    });
    await this.until(() => headBytes > 0 && bytes >= headBytes + bodyBytes, 60_000);
    if (bytes !== headBytes + bodyBytes) throw new Error(`${bytes - headBytes} bytes came instead of ${bodyBytes}`);
  }

  close(): void {
    this.socket.destroy();
  }

  #end(ending: 'closed' | 'reset'): void {
    if (this.ending === 'open') this.ending = ending;
    this.#events.emit('more');
  }
}
