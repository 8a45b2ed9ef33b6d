import { connect, type Socket } from 'node:net';
import { readMessages, type WireMessage, type WireReading } from './read-messages.ts';

/** How a connection ended. */
export type Ending = 'open' | 'closed' | 'reset';

/** A client on a raw socket. */
export class RawClient {
  readonly socket: Socket;
  ending: Ending = 'open';
  readonly #bodiless: (index: number) => boolean;
  #wake: () => void = () => {};
  #pieces: Buffer[] = [];
  #unread: Buffer[] = [];
  readonly #messages: WireMessage[] = [];

  constructor(port: number, bodiless: (index: number) => boolean = () => false, host = '127.0.0.1') {
    this.#bodiless = bodiless;
    this.socket = connect({ port, host, allowHalfOpen: true });
    this.socket.on('data', (bytes: Buffer) => {
      this.#pieces.push(bytes);
      this.#unread.push(bytes);
      this.#wake();
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
    const { messages, rest, problem } = readMessages(Buffer.concat(this.#unread), (index) =>
      this.#bodiless(before + index),
    );
    this.#messages.push(...messages);
    this.#unread = [rest];
    return { messages: [...this.#messages], rest, problem };
  }

  /** Waits until so many responses are here or the connection has ended; gives what is here. */
  async responses(count: number, timeoutMs = 15_000): Promise<readonly WireMessage[]> {
    await this.until(() => this.reading().messages.length >= count, timeoutMs);
    return this.reading().messages;
  }

  /** Waits until the connection has ended. */
  async ended(timeoutMs = 15_000): Promise<Ending> {
    await this.until(() => false, timeoutMs);
    return this.ending;
  }

  /** Waits for a condition about what has come, or for the end of the connection. */
  async until(condition: () => boolean, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!condition() && this.ending === 'open') {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0)
        throw new Error(
          `nothing more came in ${timeoutMs} ms; so far: ${this.received.toString('latin1').slice(0, 400)}`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.socket.destroy();
  }

  #end(ending: Ending): void {
    if (this.ending === 'open') this.ending = ending;
    this.#wake();
  }
}

/** Status of a response. */
export function statusOf(response: WireMessage | undefined): number {
  return Number(response?.start.split(' ')[1] ?? 0);
}
