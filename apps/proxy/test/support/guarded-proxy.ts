import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app.js';
import type { ProxyConfig } from '../../src/config.js';
import { type CoreParts, ProxyCore } from '../../src/core.js';
import { FrontDoor } from '../../src/node/front-door.js';
import { SocketTransport } from '../../src/node/socket-transport.js';
import type { CallRecord } from '../../src/observer.js';
import { sharedWatch } from '../../src/watch.js';

/** Something that listens on a free port of this machine. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an HTTP server with this handler. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<Listening> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => handler(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Starts a proxy in this process with parts of the test's choice. */
export async function startGuarded(config: ProxyConfig, parts: Omit<CoreParts, 'transport'>) {
  const records: CallRecord[] = [];
  const observer = { call: (record: CallRecord) => void records.push(record) };
  const transport = new SocketTransport(config.upstreamUrl);
  const core = new ProxyCore(config, { watch: sharedWatch(), observer, ...parts, transport });
  const door = new FrontDoor(core, createApp(core, {}));
  const port = await door.listen(0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}`, core, records, close: () => door.close(0) };
}
