import net from 'node:net';
import { Duplex } from 'node:stream';

/** A proxy for outgoing connections, which takes `CONNECT`. */
export interface EgressProxy {
  readonly host: string;
  readonly port: number;
  /** Value of `Proxy-Authorization`, or empty. */
  readonly authorization: string;
}

const maxHeadBytes = 8192;

/** An error of the proxy through which connections leave. */
export class EgressError extends Error {
  readonly code = 'EGRESS_REJECTED';
}

/**
 * A connection through a proxy that takes `CONNECT`. What is written before the way is open waits; `connect` says that it is.
 *
 * {@link https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6}
 */
export class Tunnel extends Duplex {
  readonly #socket: net.Socket;
  #open = false;
  #head: Buffer = Buffer.alloc(0);
  #waiting: (() => void) | null = null;

  constructor({ host, port, authorization }: EgressProxy, targetHost: string, targetPort: number) {
    super({ autoDestroy: true });
    const target = `${net.isIPv6(targetHost) ? `[${targetHost}]` : targetHost}:${targetPort}`;
    const credentials = authorization === '' ? '' : `proxy-authorization: ${authorization}\r\n`;
    this.#socket = net.connect({ host, port, noDelay: true });
    this.#socket.on('connect', () =>
      this.#socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${credentials}\r\n`),
    );
    this.#socket.on('data', (bytes: Buffer) => (this.#open ? this.#pass(bytes) : this.#readHead(bytes)));
    this.#socket.on('error', (error) => this.destroy(error));
    this.#socket.on('end', () => this.push(null));
    this.#socket.on('close', () => this.destroy());
  }

  override _read(): void {
    if (this.#open) this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const write = () => void this.#socket.write(bytes, done);
    if (this.#open) write();
    else this.#waiting = write;
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #readHead(bytes: Buffer): void {
    this.#head = Buffer.concat([this.#head, bytes]);
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1 && this.#head.length <= maxHeadBytes) return;
    if (end === -1 || !/^HTTP\/1\.[01] 2\d\d[ \r]/.test(this.#head.toString('latin1', 0, end + 2))) {
      this.destroy(new EgressError('the egress proxy rejected the connection'));
      return;
    }
    this.#open = true;
    this.emit('connect');
    this.#waiting?.();
    this.#waiting = null;
    if (end + 4 < this.#head.length) this.#pass(this.#head.subarray(end + 4));
  }

  #pass(bytes: Buffer): void {
    if (!this.push(bytes)) this.#socket.pause();
  }
}
