// Stands between one proxy and the service, so that the proxy can be killed at a known moment of a withdrawal.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * How far a withdrawal is.
 *
 * - `sent`: the proxy has sent it, and the service has not got it
 * - `done`: the service has carried it out, and the proxy has not got the response
 * - `responded`: the proxy has the response
 */
export type Moment = 'sent' | 'done' | 'responded';

export class Relay {
  readonly #server: Server;
  readonly #targetPort: number;
  /** Called at each moment of a withdrawal, which waits for it. With `false`, the service never gets it. */
  onWithdrawal: (moment: Moment) => Promise<boolean> = async () => true;

  private constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#server = createServer((incoming, outgoing) => {
      // Whoever is killed leaves a connection that ends at any place.
      this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  static async start(targetPort: number): Promise<Relay> {
    const relay = new Relay(targetPort);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url, headers } = incoming;
    const body = await buffer(incoming);
    const at = method === 'DELETE' ? this.onWithdrawal : async () => true;
    if (!(await at('sent'))) {
      outgoing.destroy();
      return;
    }
    const sent = request({ host: '127.0.0.1', port: this.#targetPort, method, path: url, headers }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const content = await buffer(response);
    await at('done');
    const { 'transfer-encoding': _, ...own } = response.headers;
    outgoing.writeHead(response.statusCode ?? 502, { ...own, 'content-length': content.length });
    outgoing.end(content);
    await at('responded');
  }
}
