import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ListenOptions, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { handleNode, isMalformed } from '../handle-node.js';
import type { Pipeline } from '../pipeline.js';
import { http } from '../platform/builtin.js';
import { allowHalfOpen, handOver, passClose, takeConnections } from '../platform/node-internals.js';
import { maxHeadBytes, maxHeaderLines } from '../request/head-rules.js';
import { Connection, ignore, maxAtOnce } from './connection.js';
import { ConnectionsPerAddress } from './connections-per-address.js';
import { maxConnectionsWith } from './descriptors.js';
import { type ClientTimes, FastConnection } from './fast-path/fast-connection.js';
import { rejectParserError } from './parser-errors.js';
import { ProxiedConnections } from './proxied-connections.js';
import { RefusedConnections } from './refused-connections.js';

export interface ProxyServerOptions extends Partial<ClientTimes> {
  /** Whether requests of exactly the contract's shape are read and responded to past Node's own server. Default `true`. */
  readonly fastPath?: boolean;
  /**
   * Open connections from one address, or one /64 of IPv6. Those of this machine are not counted, nor any where own proxies in front make
   * the connections (`trustedHops`). Default: no limit.
   */
  readonly maxPerAddress?: number;
  /** Open connections of clients. Default: what the descriptors of the process allow, 16,384 at most. */
  readonly maxConnections?: number;
  /** Addresses and networks of load balancers that begin each connection with a header of the PROXY protocol. Default: none. */
  readonly proxyProtocolFrom?: readonly string[];
  /** Counts the connections that are refused. Default: they are counted, and nobody is notified. */
  readonly refused?: RefusedConnections;
}

/** Time for which a connection must have been idle before it is closed while draining, in milliseconds. */
const quietMs = 200;
/** Time between two looks at what is still under way while draining, in milliseconds. */
const lookMs = 20;
/** Time for a withdrawal that has succeeded: the fence, and then receipt and event, wait up to a second each. In milliseconds. */
const settleMs = 3000;

/** Stops reading a connection. `pause()` alone does nothing where the stream is still already, and its `resume` has just begun to read. */
function hold(this: Socket): void {
  this.pause();
  this.emit('pause');
}

/** Starts to listen; resolves with the port. @param onError receives what keeps a connection from being accepted */
export async function listen(server: Server, options: ListenOptions, onError: () => void = ignore): Promise<number> {
  await once(server.listen(options), 'listening');
  // A connection that cannot be accepted, for want of descriptors, is its client's loss alone.
  server.on('error', onError);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The server of the proxy on Node: Node's own server with the Hono app, and the fast path before it. */
export class ProxyServer {
  readonly times: ClientTimes;
  /** Open connections that clients may have. */
  readonly maxConnections: number;
  readonly refused: RefusedConnections;
  readonly #pipeline: Pipeline;
  readonly #server: Server;
  readonly #connections = new Map<Duplex, Connection>();
  readonly #perAddress: ConnectionsPerAddress;
  readonly #makeApp: () => Hono | Promise<Hono>;
  readonly #usesFastPath: boolean;
  /** `null` while no balancer sends headers. */
  readonly #proxied: ProxiedConnections | null;
  #runApp: ReturnType<typeof getRequestListener> | undefined;
  readonly #timeChecks: NodeJS.Timeout;

  /** @param makeApp makes the app for everything that does not take the fast path, when the first such request comes */
  constructor(pipeline: Pipeline, makeApp: () => Hono | Promise<Hono>, options: ProxyServerOptions = {}) {
    const { headMs = 10_000, idleMs = 65_000, halfClosedMs = 1000, fastPath = true } = options;
    this.times = { headMs, idleMs, halfClosedMs };
    this.#pipeline = pipeline;
    this.#perAddress = new ConnectionsPerAddress(options.maxPerAddress ?? Number.POSITIVE_INFINITY);
    this.maxConnections = options.maxConnections ?? maxConnectionsWith(pipeline.config.maxInFlight);
    this.refused = options.refused ?? new RefusedConnections();
    this.#makeApp = makeApp;
    this.#server = http.createServer({
      maxHeaderSize: maxHeadBytes,
      headersTimeout: headMs,
      requestTimeout: headMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: this.#checkIntervalMs,
      noDelay: true,
      // The rules about heads say it better.
      requireHostHeader: false,
    });
    this.#server.maxConnections = this.maxConnections;
    this.#server.on('drop', () => this.refused.add('too-many'));
    // One more than are allowed, so that too many can be seen; Node would drop the rest without a word.
    this.#server.maxHeadersCount = maxHeaderLines + 1;
    allowHalfOpen(this.#server);
    // What Node does by itself for these would bypass the rules.
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
      this.#server.on(event, (incoming, outgoing) => this.#onRequest(incoming, outgoing));
    const reject = (error: Error, socket: Duplex) => {
      const connection = this.#connections.get(socket);
      if (connection === undefined) return;
      connection.dropRest();
      rejectParserError(error, connection.socket, pipeline, () => connection.responses.size > 0);
    };
    this.#server.on('connect', (_incoming, socket) => reject(new Error(), socket));
    this.#server.on('clientError', (error, socket) => {
      const connection = this.#connections.get(socket);
      const isLate = 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
      if (!isLate || connection === undefined) return reject(error, socket);
      connection.rejectLateHead = () => reject(error, socket);
      // Its other half waits for the proxy itself, and gets its time when the connection is read again. Node reports it only once.
      if (!connection.isHeld) setImmediate(() => this.#rejectLate(connection));
    });
    const balancers = options.proxyProtocolFrom;
    const toNode = fastPath || balancers !== undefined ? takeConnections(this.#server) : undefined;
    if (toNode === undefined && balancers !== undefined)
      throw new Error('this version of Node cannot read headers of the PROXY protocol: use VDS_TRUSTED_HOPS instead');
    this.#usesFastPath = fastPath && toNode !== undefined;
    const accept = (socket: Socket) => {
      // Taken over for its header alone.
      if (!this.#usesFastPath) toNode?.(socket);
      const connection = this.#watch(socket);
      if (!this.#usesFastPath || toNode === undefined) return;
      connection.fast = new FastConnection(socket, pipeline, this.times, (bytes) => {
        connection.fast = null;
        this.#whenAppIsMade(socket, () => handOver(socket, bytes, toNode));
      });
    };
    const proxied = balancers === undefined ? null : new ProxiedConnections(balancers, this.refused, accept);
    this.#proxied = proxied;
    this.#server.on('connection', proxied === null ? accept : (socket) => proxied.take(socket));
    // One timer for all connections; a timer for each would be set again with every byte.
    // After what has come is read: a process that stalled would take clients for late that were not. The time is that before reading: of what
    // is resumed afterwards, nothing has been read yet.
    const check = () => void setImmediate((nowMs: number) => this.#checkTimes(nowMs), performance.now());
    this.#timeChecks = setInterval(check, this.#checkIntervalMs).unref();
  }

  /** Open connections of clients. */
  get open(): number {
    return this.#connections.size + (this.#proxied?.waiting ?? 0);
  }

  async listen(place: ListenOptions): Promise<number> {
    if (!this.#usesFastPath) await this.#loadApp();
    return listen(this.#server, { backlog: 1024, ...place }, () => this.refused.add('not-accepted'));
  }

  /**
   * Stops without losing a request: readiness says no from now on and every response closes its connection; after `delayMs` no new
   * connections are accepted, and idle ones are closed; requests under way are finished.
   *
   * @param delayMs time for load balancers to notice, in milliseconds
   * @param graceMs time after that for requests under way, in milliseconds; what is left then is broken off
   */
  async close(delayMs: number, graceMs: number): Promise<void> {
    this.#pipeline.draining = true;
    if (delayMs > 0) await wait(delayMs);
    // Right after those that have come were accepted: the kernel resets what waits on a port when it is closed.
    await turn();
    this.#server.close();
    const deadlineMs = performance.now() + graceMs;
    // Requests that were sent before their clients could know are still served.
    for (let round = 0; round === 0 || (this.open > 0 && performance.now() < deadlineMs); round++) {
      if (round % 10 === 0) {
        this.#proxied?.closeOlder(performance.now(), quietMs);
        for (const { fast } of this.#connections.values()) fast?.closeIfIdle(quietMs);
        this.#server.closeIdleConnections();
      }
      await wait(lookMs);
    }
    this.#pipeline.breaksOff = true;
    this.#proxied?.closeOlder(performance.now(), 0);
    for (const socket of this.#connections.keys()) socket.destroy();
    // Their requests are noted then, and a withdrawal in the audit log.
    for (let round = 0; this.#pipeline.inFlight > 0 && round < settleMs / lookMs; round++) await wait(lookMs);
    clearInterval(this.#timeChecks);
    this.#pipeline.forwarder.parts.transport.close();
  }

  /** How often connections are checked for clients that take too long, in milliseconds. */
  get #checkIntervalMs(): number {
    return Math.min(1000, this.times.headMs / 4);
  }

  #onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const connection = this.#connections.get(incoming.socket);
    // What follows the last request of a connection is never read as another one.
    if (connection === undefined || connection.isOver) return;
    const { socket, responses, waiting } = connection;
    responses.add(outgoing);
    connection.rejectLateHead = null;
    outgoing.once('close', () => {
      responses.delete(outgoing);
      if (socket.writable) waiting.shift()?.();
      if (responses.size !== maxAtOnce) return;
      connection.resumedMs = performance.now();
      socket.off('resume', hold).resume();
    });
    // The rules about heads come before the app, because it would read some of them otherwise.
    const malformed = isMalformed(incoming);
    // Node's parser loses what stands behind an upgrade that is not taken.
    const upgrades = incoming.headers.upgrade !== undefined;
    if (malformed || upgrades || this.#pipeline.draining || incoming.httpVersion === '1.0') {
      outgoing.shouldKeepAlive = false;
      connection.dropRest();
    }
    const begin = () => {
      // The adapter rejects a backslash in its own words, and resolves dot segments.
      if (malformed || /\\|\/\./.test(incoming.url ?? '')) handleNode(this.#pipeline, incoming, outgoing);
      else void this.#runApp?.(incoming, outgoing);
    };
    if (!connection.isHeld) {
      begin();
      return;
    }
    waiting.push(begin);
    // When all of this piece has been read: Node resumes the connection after each request, and what follows the last one is dropped.
    process.nextTick(() => {
      if (connection.isHeld && !connection.isOver) hold.call(socket.off('resume', hold).on('resume', hold));
    });
  }

  /** Makes the app with the first connection that needs it, because Node's `fetch` comes with it: ten megabytes. */
  async #loadApp(): Promise<void> {
    const [app, { getRequestListener }] = await Promise.all([this.#makeApp(), import('@hono/node-server')]);
    this.#runApp ??= getRequestListener(app.fetch, { hostname: 'localhost', overrideGlobalObjects: false });
  }

  /** Takes a step with a connection whose requests need the app. Until then, nothing is read from it. */
  #whenAppIsMade(socket: Socket, step: () => void): void {
    if (this.#runApp !== undefined) {
      step();
      return;
    }
    socket.pause();
    this.#loadApp().then(
      () => {
        if (!socket.destroyed) step();
      },
      () => socket.destroy(),
    );
  }

  #checkTimes(nowMs: number): void {
    this.#proxied?.closeOlder(nowMs, this.times.headMs);
    // A little more than a request under way may take, which ends on its own and is then logged.
    const mostMs = this.#pipeline.config.sendTimeoutMs + this.#checkIntervalMs;
    for (const connection of this.#connections.values()) {
      connection.fast?.checkTime(nowMs);
      if (connection.waitedMs(nowMs) >= mostMs) connection.socket.resetAndDestroy();
      if (!connection.isHeld && nowMs - connection.resumedMs >= this.times.headMs) this.#rejectLate(connection);
    }
  }

  /** Rejects a head that is late, unless the rest of it has been read meanwhile. */
  #rejectLate(connection: Connection): void {
    const { rejectLateHead } = connection;
    connection.rejectLateHead = null;
    rejectLateHead?.();
  }

  /** Keeps count of a connection, and ends one whose client has closed its sending side and takes nothing more. */
  #watch(socket: Socket): Connection {
    const connection = new Connection(socket);
    this.#connections.set(socket, connection);
    // It is destroyed then. Not everyone who has it listens: an error without a listener ends the process.
    socket.on('error', ignore);
    let timer: NodeJS.Timeout | undefined;
    socket.once('close', () => {
      clearInterval(timer);
      this.#connections.delete(socket);
      for (const outgoing of connection.responses) passClose(outgoing);
    });
    socket.once('end', () => {
      let written = socket.bytesWritten;
      // What waits for the client has a limit of its own.
      timer = setInterval(() => {
        if (socket.writableLength === 0 && socket.bytesWritten === written) socket.destroy();
        written = socket.bytesWritten;
      }, this.times.halfClosedMs);
    });
    // Own proxies in front make all connections, and have the limits of addresses.
    if (this.#pipeline.config.trustedHops > 0 || this.#perAddress.take(socket)) return connection;
    // Closed before anything is read from it.
    this.refused.add('too-many-of-address');
    socket.destroy();
    return connection;
  }
}
