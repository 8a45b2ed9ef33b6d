import { createServer, type Server, type Socket } from 'node:net';
import type { Hono } from 'hono';
import type { Resumable } from '../admission.js';
import type { ProxyCore } from '../core.js';
import { decisiveHeaders } from '../decide.js';
import { healthAnswer } from '../health.js';
import { sharedWatch, type Watch } from '../watch.js';
import { CallerConnection } from './caller-connection.js';

/** How long callers are waited for, in milliseconds. */
export interface CallerTimes {
  /** For a request's head to arrive in full, and for the first byte of a connection. Default ten seconds. */
  readonly headMs: number;
  /** For the next request on a connection. Default 65 seconds. */
  readonly idleMs: number;
  /** For progress with a caller that has closed its sending side. Default one second. */
  readonly halfClosedMs: number;
  /** For a refused caller to close, while what it still sends is dropped. Default one second. */
  readonly lingerMs: number;
}

/** Open connections of callers; further ones are closed at once, so that they cannot take all of the process's memory. */
const maxConnections = 16_384;

const defaultTimes: CallerTimes = { headMs: 10_000, idleMs: 65_000, halfClosedMs: 1000, lingerMs: 1000 };

// What a reader of a page says that changes its answer.
const headersOfReaders = ['accept-encoding', 'if-none-match'];

/** The proxy's door on Node: accepts connections and reads requests from the raw sockets. */
export class FrontDoor {
  readonly core: ProxyCore;
  readonly watch: Watch = sharedWatch();
  readonly times: CallerTimes;
  readonly wantedHeaders: ReadonlySet<string>;
  readonly #app: () => Promise<Hono>;
  readonly #server: Server;
  readonly #connections = new Set<CallerConnection>();
  #onEmpty: (() => void) | null = null;

  /** @param app answers requests for pages; asked for at each of them, so that nothing has to be read for calls */
  constructor(core: ProxyCore, app: () => Promise<Hono>, times: Partial<CallerTimes> = {}) {
    this.times = { ...defaultTimes, ...times };
    this.core = core;
    this.#app = app;
    this.wantedHeaders = new Set([...decisiveHeaders(), ...headersOfReaders]);
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
    this.#server.maxConnections = maxConnections;
  }

  get draining(): boolean {
    return this.core.draining;
  }

  /** Number of open connections. */
  get open(): number {
    return this.#connections.size;
  }

  /** Starts to accept connections; resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host, backlog: 1024 }, () => {
        this.#server.off('error', reject);
        // A connection that cannot be accepted, for want of descriptors, is its caller's loss alone.
        this.#server.on('error', () => {});
        const address = this.#server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  /**
   * Stops: no new connections, idle ones are closed, calls under way are finished.
   *
   * @param graceMs time after which what is left is broken off
   */
  async close(graceMs = 10_000): Promise<void> {
    this.core.drain();
    this.#server.close();
    // Requests that were sent before the callers could know are still read and answered.
    const sweep = setInterval(() => {
      for (const connection of this.#connections) connection.closeWhenIdle();
    }, 250);
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      if (this.#connections.size === 0) resolve();
    });
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([empty, new Promise((resolve) => (timer = setTimeout(resolve, graceMs)))]);
    clearTimeout(timer);
    clearInterval(sweep);
    for (const connection of this.#connections) connection.destroy();
    this.core.forwarder.transport.close();
  }

  /** A connection is gone. */
  closed(connection: CallerConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  /** Answers a request for one of the proxy's own pages: how it is at once, the others with the app. */
  servePage(connection: CallerConnection, path: string): Resumable | null {
    const health = healthAnswer(this.core, path);
    if (health !== null && (connection.method === 'GET' || connection.method === 'HEAD')) {
      if (typeof health === 'string') connection.whole(200, jsonType, Buffer.from(health));
      else connection.refuse(health);
      return null;
    }
    let goOn = () => {};
    let left = false;
    const run = async () => {
      const app = await this.#app();
      const response = await app.fetch(
        new Request(`http://proxy${connection.target}`, {
          method: connection.method,
          headers: headersOfReaders.flatMap((name) => {
            const value = connection.header(name);
            return value === undefined ? [] : [[name, value] as [string, string]];
          }),
        }),
      );
      const headers: string[] = [];
      const isPage = response.headers.has('etag');
      for (const [name, value] of response.headers)
        if (!ownHeaders.has(name) || (isPage && name === 'cache-control')) headers.push(name, value);
      const length = response.headers.get('content-length');
      const framed = length === null ? null : Number(length);
      const body = connection.method === 'HEAD' ? null : response.body;
      if (body === null && isPage) return connection.bodiless(response.status, headers, framed);
      if (body === null) return connection.whole(response.status, headers, new Uint8Array());
      connection.begin(response.status, headers, framed, isPage);
      for await (const chunk of body) {
        if (!connection.data(chunk)) await new Promise<void>((resolve) => (goOn = resolve));
        if (left) return;
      }
      connection.end();
    };
    run().catch(() => connection.cut());
    const cancel = () => {
      left = true;
      goOn();
    };
    return { resume: () => goOn(), cancel };
  }

  #accept(socket: Socket): void {
    this.#connections.add(new CallerConnection(this, socket));
  }
}

const jsonType = ['content-type', 'application/json'];

// The connection writes these itself.
const ownHeaders = new Set(['cache-control', 'content-length', 'x-content-type-options', 'x-request-id']);
