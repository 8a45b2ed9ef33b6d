import { createServer, type Server } from 'node:http';

/** A page of the admin port. */
export interface AdminPage {
  readonly contentType: string;
  body(): string | Promise<string>;
}

/** The port for operators and their tools: metrics, drift report, states of tokens. It serves no call of the contract. */
export class AdminDoor {
  readonly #server: Server;

  /** @param pages by their path */
  constructor(pages: ReadonlyMap<string, AdminPage>) {
    this.#server = createServer((request, response) => {
      const page = pages.get(request.url ?? '');
      const end = (status: number, contentType: string, body: string) =>
        response
          .writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' })
          .end(request.method === 'HEAD' ? undefined : body);
      if (page === undefined) end(404, 'text/plain', `${[...pages.keys()].join('\n')}\n`);
      else if (request.method !== 'GET' && request.method !== 'HEAD') end(405, 'text/plain', 'GET only\n');
      else
        Promise.resolve(page.body()).then(
          (body) => end(200, page.contentType, body),
          () => end(500, 'text/plain', 'the page could not be made\n'),
        );
    });
    this.#server.requestTimeout = 10_000;
  }

  /** Starts to listen; resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
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
