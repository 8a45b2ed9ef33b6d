import type { UpstreamAttempt, UpstreamRequest, UpstreamSink, UpstreamTransport } from '../upstream-transport.js';
import type { UpstreamAddress } from './connect-upstream.js';
import { type ConnectionOwner, UpstreamConnection } from './upstream-connection.js';

// As many as are at work at once: one that is closed here is opened again for the next request.
const maxIdle = 1024;
// Below the five seconds after which many servers close: a connection that is about to be closed is not used.
const idleMs = 3500;

/**
 * The way to the upstream on Node: HTTP/1.1 over sockets of our own, with a strict reader, so that every odd response has one
 * defined outcome and bytes go from socket to socket.
 */
export class SocketTransport implements UpstreamTransport, ConnectionOwner {
  readonly keepsCoding = true;
  readonly #address: UpstreamAddress;
  readonly #hostHeader: string;
  readonly #idle: UpstreamConnection[] = [];
  #sweeper: NodeJS.Timeout | undefined;

  /** @param upstreamUrl base address of the upstream; its path is not used here */
  constructor(upstreamUrl: string, { tls = {}, egress = null }: Partial<Pick<UpstreamAddress, 'tls' | 'egress'>> = {}) {
    const { protocol, hostname, host, port } = new URL(upstreamUrl);
    const hasTls = protocol === 'https:';
    this.#address = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (hasTls ? 443 : 80)),
      tls: hasTls ? { minVersion: 'TLSv1.2', ...tls } : null,
      egress,
      session: undefined,
    };
    this.#hostHeader = host;
  }

  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamAttempt {
    let head = `${request.method} ${request.target} HTTP/1.1\r\nhost: ${this.#hostHeader}\r\n`;
    for (let index = 0; index < request.headers.length; index += 2)
      head += `${request.headers[index]}: ${request.headers[index + 1]}\r\n`;
    // A used connection may be closing just now. A request that must not be repeated gets a new one.
    const used = request.repeatable && !request.fresh ? this.#takeIdle() : undefined;
    const connection = used ?? new UpstreamConnection(this.#address, this);
    connection.send(`${head}\r\n`, sink);
    return { resume: () => connection.resume(sink), cancel: () => connection.cancel(sink) };
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  free(connection: UpstreamConnection): void {
    if (this.#idle.length >= maxIdle) {
      connection.destroy();
      return;
    }
    connection.idleSinceMs = performance.now();
    this.#idle.push(connection);
    this.#sweeper ??= setInterval(() => this.#sweep(), 1000).unref();
  }

  gone(connection: UpstreamConnection): void {
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
  }

  /** The connection that was used last, unless that one is too old, and with it all others. */
  #takeIdle(): UpstreamConnection | undefined {
    const last = this.#idle.at(-1);
    if (last === undefined || last.idleSinceMs < performance.now() - idleMs) return undefined;
    return this.#idle.pop();
  }

  #sweep(): void {
    const staleMs = performance.now() - idleMs;
    for (const connection of [...this.#idle]) if (connection.idleSinceMs < staleMs) connection.destroy();
    if (this.#idle.length === 0) this.close();
  }
}
