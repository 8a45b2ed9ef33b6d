import type { UpstreamAttempt, UpstreamRequest, UpstreamSink, UpstreamTransport } from '../upstream-transport.js';
import { type UpstreamAddress, type UpstreamSecurity, usualSecurity } from './connect-upstream.js';
import type { EgressProxy } from './tunnel.js';
import { type ConnectionOwner, UpstreamConnection } from './upstream-connection.js';

// As many as are at work at once: one that is closed here is opened again for the next request.
const maxIdle = 1024;
// Below the five seconds after which many servers close: a connection that is about to be closed is not used.
const idleMs = 3500;

/** How connections to the upstream are made. */
export interface SocketTransportOptions {
  /** Default: the runtime's certificate authorities, no client certificate, TLS 1.2 or newer. */
  readonly security?: UpstreamSecurity;
  /** Default: none. */
  readonly egress?: EgressProxy | null;
}

/**
 * The way to the upstream on Node: HTTP/1.1 over sockets of our own, with a strict reader, so that every odd response has one
 * defined outcome and bytes go from socket to socket.
 */
export class SocketTransport implements UpstreamTransport, ConnectionOwner {
  readonly keepsCoding = true;
  readonly #address: UpstreamAddress;
  readonly #hostHeader: string;
  readonly #idle: UpstreamConnection[] = [];
  readonly #all = new Set<UpstreamConnection>();
  #session: Buffer | undefined;
  #sweeper: NodeJS.Timeout | undefined;

  /** @param upstreamUrl base address of the upstream; its path is not used here */
  constructor(upstreamUrl: string, options: SocketTransportOptions = {}) {
    const url = new URL(upstreamUrl);
    const secure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
    const { security = usualSecurity, egress = null } = options;
    this.#address = { tls: secure, host, port, security, egress };
    this.#hostHeader = url.host;
  }

  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamAttempt {
    let head = `${request.method} ${request.target} HTTP/1.1\r\nhost: ${this.#hostHeader}\r\n`;
    for (let index = 0; index < request.headers.length; index += 2)
      head += `${request.headers[index]}: ${request.headers[index + 1]}\r\n`;
    // A used connection may be closing just now. A request that must not be repeated gets a new one.
    const connection = (request.repeatable ? this.#idle.pop() : undefined) ?? this.#connect();
    connection.send(`${head}\r\n`, sink);
    return { resume: () => connection.resume(sink), cancel: () => connection.cancel(sink) };
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  /** Number of open connections. */
  get open(): number {
    return this.#all.size;
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
    this.#all.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
  }

  #connect(): UpstreamConnection {
    const connection = new UpstreamConnection(this.#address, this, this.#session, (session) => {
      this.#session = session;
    });
    this.#all.add(connection);
    return connection;
  }

  #sweep(): void {
    const staleMs = performance.now() - idleMs;
    for (const connection of [...this.#idle]) if (connection.idleSinceMs < staleMs) connection.destroy();
    if (this.#idle.length > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
