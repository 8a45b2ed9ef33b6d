import { createServer, type Server } from 'node:http';
import { isLoopback } from '../config/loopback.js';

/** A page of a port for operators. */
export interface AdminPage {
  readonly contentType: string;
  /** Status of the page. Default 200. */
  status?(): number;
  body(): string | Promise<string>;
}

/** Options of a port for operators. */
export interface AdminServerOptions {
  /** Whether several processes of this program share the port. Default `false` (no). */
  readonly shared?: boolean;
}

/** A port for operators and their tools. It serves no operation of the contract. */
export class AdminServer {
  readonly #server: Server;
  readonly #shared: boolean;
  #localOnly = false;

  /** @param pages by their path */
  constructor(pages: ReadonlyMap<string, AdminPage>, { shared = false }: AdminServerOptions = {}) {
    this.#shared = shared;
    this.#server = createServer((request, response) => {
      const end = (status: number, contentType: string, body: string) =>
        response
          .writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' })
          .end(request.method === 'HEAD' ? undefined : body);
      const { host = 'localhost' } = request.headers;
      const page = pages.get(request.url?.replace(/\?.*$/s, '') ?? '');
      // Only a browser on a page whose name was made to point here sends another name.
      if (this.#localOnly && !isLoopback(host.replace(/:\d+$/, '').toLowerCase()))
        end(403, 'text/plain', 'Host: use a name of this machine, such as localhost\n');
      else if (page === undefined) end(404, 'text/plain', `${[...pages.keys()].join('\n')}\n`);
      else if (request.method !== 'GET' && request.method !== 'HEAD') end(405, 'text/plain', 'GET only\n');
      else
        Promise.resolve(page.body()).then(
          (body) => end(page.status?.() ?? 200, page.contentType, body),
          () => end(500, 'text/plain', 'the page could not be made\n'),
        );
    });
    this.#server.requestTimeout = 10_000;
    this.#server.maxConnections = 256;
  }

  /** Starts to listen; resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    this.#localOnly = isLoopback(host);
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host, exclusive: !this.#shared }, () => {
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
