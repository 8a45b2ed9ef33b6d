import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A service that speaks in bytes, for responses that no HTTP library would give. */
export interface RawService {
  readonly url: string;
  /** Heads of the requests that arrived. */
  readonly requests: readonly string[];
  /** Connections that have carried a request and are open now. Runtimes may hold idle ones ready beside them. */
  busyConnections(): number;
}

export async function startRawService(response: (socket: Socket, index: number) => void): Promise<RawService> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const busy = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      busy.delete(socket);
    });
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      busy.add(socket);
      requests.push(bytes.toString('latin1'));
      response(socket, requests.length - 1);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, busyConnections: () => busy.size };
}

/** Waits until something is so, for at most two seconds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !holds(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
}
