// An address that stays while the process behind it is killed and started again, each time on any free port.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

export class Front {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Where the process listens; `null` while there is none, and every connection is closed at once. */
  targetPort: number | null = null;

  private constructor() {
    this.#server = createServer((client) => {
      const target = this.targetPort === null ? undefined : connect(this.targetPort, '127.0.0.1');
      if (target === undefined) return void client.destroy();
      this.#sockets.add(client);
      client.once('close', () => this.#sockets.delete(client));
      // A kill ends connections at any place, for both sides.
      pipeline(client, target, () => {});
      pipeline(target, client, () => {});
    });
  }

  static async start(): Promise<Front> {
    const front = new Front();
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
