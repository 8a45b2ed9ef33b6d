import type { Socket } from 'node:net';
import { isLoopback, networkOf } from '../request/client-address.js';

/** Counts open connections by address, or by /64 of IPv6. Those of this machine are not counted. */
export class ConnectionsPerAddress {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  /** @param most open connections of one address */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a connection until it is closed. Returns `false` where its address has too many with it. */
  take(socket: Socket): boolean {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    if (isLoopback(address)) return true;
    const network = networkOf(address);
    const open = (this.#open.get(network) ?? 0) + 1;
    this.#open.set(network, open);
    socket.once('close', () => {
      const left = (this.#open.get(network) ?? 1) - 1;
      if (left === 0) this.#open.delete(network);
      else this.#open.set(network, left);
    });
    return open <= this.#most;
  }
}
