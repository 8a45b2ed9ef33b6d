// Connections of load balancers that begin each with a header of the PROXY protocol. Without VDS_PROXY_PROTOCOL_FROM there is none of this.
import { BlockList, isIP, type Socket } from 'node:net';
import { readProxyHeader } from './proxy-header.js';
import type { RefusedConnections } from './refused-connections.js';

const ignore = () => {};
const nothing = Buffer.alloc(0);

/** The set of some networks. @param networks such as `10.0.0.0/8`, or single addresses */
function setOf(networks: readonly string[]): BlockList {
  const set = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) set.addAddress(address, family);
    else set.addSubnet(address, Number(prefix), family);
  }
  return set;
}

/** Reads the header before anything else reads a connection, and gives the connection the address that stands there. */
export class ProxiedConnections {
  readonly #balancers: BlockList;
  readonly #refused: RefusedConnections;
  readonly #accept: (socket: Socket) => void;
  /** Connections whose header has not arrived in full, each with the time when it was made. */
  readonly #waiting = new Map<Socket, number>();

  /**
   * @param networks of the balancers; every other address is a client itself
   * @param accept takes a connection whose client is known
   */
  constructor(networks: readonly string[], refused: RefusedConnections, accept: (socket: Socket) => void) {
    this.#balancers = setOf(networks);
    this.#refused = refused;
    this.#accept = accept;
  }

  /** Connections whose header is waited for. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes a new connection. */
  take(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const family = isIP(remoteAddress);
    // One that has ended already has no address.
    if (family === 0 || !this.#balancers.check(remoteAddress, family === 6 ? 'ipv6' : 'ipv4')) {
      this.#accept(socket);
      return;
    }
    this.#waiting.set(socket, performance.now());
    let read: Buffer = nothing;
    const refuse = () => {
      this.#refused.add('no-proxy-header');
      socket.destroy();
    };
    const onData = (bytes: Buffer) => {
      read = read.length === 0 ? bytes : Buffer.concat([read, bytes]);
      const header = readProxyHeader(read);
      if (header === 'incomplete') return;
      if (header === 'malformed') return refuse();
      this.#waiting.delete(socket);
      socket.off('data', onData).off('end', onEnd).off('close', onClose).off('error', ignore);
      if (header.address !== null) Object.defineProperty(socket, 'remoteAddress', { value: header.address });
      this.#accept(socket);
      // What came with the header; the stream cannot take it back when the client has closed its side. What comes later follows it.
      if (header.length < read.length && !socket.destroyed) socket.emit('data', read.subarray(header.length));
    };
    // A balancer that only looks whether the port is open sends nothing.
    const onEnd = () => (read.length > 0 ? refuse() : socket.destroy());
    const onClose = () => this.#waiting.delete(socket);
    socket.on('data', onData).on('end', onEnd).on('close', onClose).on('error', ignore);
  }

  /** Closes connections whose header has been waited for that long, in milliseconds. */
  closeOlder(nowMs: number, thanMs: number): void {
    for (const [socket, sinceMs] of this.#waiting) {
      if (nowMs - sinceMs < thanMs) continue;
      this.#refused.add('no-proxy-header');
      socket.destroy();
    }
  }
}
