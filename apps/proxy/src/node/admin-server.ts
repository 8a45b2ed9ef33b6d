import type { IncomingMessage, Server } from 'node:http';
import { http } from '../platform/builtin.js';
import { isLoopback, namesThisMachine } from '../request/client-address.js';

export interface AdminPage {
  /** Default 200. */
  readonly status?: number;
  readonly contentType: string;
  readonly body: string;
}

export function jsonPage(value: unknown): AdminPage {
  return { contentType: 'application/json', body: `${JSON.stringify(value, null, 2)}\n` };
}

/**
 * Makes the server of a port for operators and their tools. It serves no operation of the contract.
 *
 * @param pages by their path, each made when it is requested
 * @param host address that it will listen on
 */
export function adminServer(
  pages: Readonly<Record<string, () => AdminPage | Promise<AdminPage>>>,
  host: string,
): Server {
  const text = (status: number, body: string): AdminPage => ({ status, contentType: 'text/plain', body });
  const respond = async ({ method, url = '', headers }: IncomingMessage): Promise<AdminPage> => {
    const page = pages[url.replace(/\?.*$/s, '')];
    if (isLoopback(host) && !namesThisMachine(headers.host))
      return text(403, 'Host: use a name of this machine, such as localhost\n');
    if (page === undefined) return text(404, `${Object.keys(pages).join('\n')}\n`);
    return method === 'GET' || method === 'HEAD' ? page() : text(405, 'GET only\n');
  };
  const server = http.createServer({ requestTimeout: 10_000 }, async (request, response) => {
    const page = await respond(request).catch(() => text(500, 'the page could not be made\n'));
    response.writeHead(page.status ?? 200, { 'content-type': page.contentType, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : page.body);
  });
  server.maxConnections = 256;
  return server;
}
