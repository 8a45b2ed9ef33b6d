import type { Server } from 'node:http';
import { isLoopback } from '../request/client-address.js';
import { http } from './builtin.js';

/** A page of a port for operators. */
export interface AdminPage {
  /** Default 200. */
  readonly status?: number;
  readonly contentType: string;
  readonly body: string;
}

/** The pages of a port by their path, each made when it is requested. */
export type AdminPages = Readonly<Record<string, () => AdminPage | Promise<AdminPage>>>;

/** A page of JSON. */
export function jsonPage(value: unknown): AdminPage {
  return { contentType: 'application/json', body: `${JSON.stringify(value, null, 2)}\n` };
}

/** A port for operators and their tools. It serves no operation of the contract. */
export class AdminServer {
  readonly #server: Server;
  #localOnly = false;

  constructor(pages: AdminPages) {
    const text = (status: number, body: string): AdminPage => ({ status, contentType: 'text/plain', body });
    const respond = async (method = '', target = '', host = 'localhost'): Promise<AdminPage> => {
      const page = pages[target.replace(/\?.*$/s, '')];
      // Only a browser on a page whose name was made to point here sends another name.
      if (this.#localOnly && !isLoopback(host.replace(/:\d+$/, '').toLowerCase()))
        return text(403, 'Host: use a name of this machine, such as localhost\n');
      if (page === undefined) return text(404, `${Object.keys(pages).join('\n')}\n`);
      return method === 'GET' || method === 'HEAD' ? page() : text(405, 'GET only\n');
    };
    this.#server = http.createServer((request, response) => {
      respond(request.method, request.url, request.headers.host)
        .catch(() => text(500, 'the page could not be made\n'))
        .then(({ status = 200, contentType, body }) =>
          response
            .writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' })
            .end(request.method === 'HEAD' ? undefined : body),
        );
    });
    this.#server.requestTimeout = 10_000;
    this.#server.maxConnections = 256;
  }

  /** Starts to listen; resolves with the port. @param shared whether several processes of this program share the port */
  listen(port: number, host: string, shared = false): Promise<number> {
    this.#localOnly = isLoopback(host);
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host, exclusive: !shared }, () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  /** Stops at once. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
