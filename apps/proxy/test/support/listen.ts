import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Something that listens on a free port of this machine. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an HTTP server with this handler, over TLS as `localhost` where there is a certificate. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  certificate: { readonly key: Buffer; readonly cert: Buffer } | null = null,
): Promise<Listening> {
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => handler(request, response, body));
  };
  const server = certificate === null ? createServer(respond) : createSecureServer(certificate, respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${certificate === null ? 'http://127.0.0.1' : 'https://localhost'}:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
