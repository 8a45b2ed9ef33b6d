// What the server asks of Node that its documentation does not promise. Each use is here, with its reason and what happens without it;
// `runtimes/node-internals.js` tries them on the Node that runs it. ADR 0019 says which of them matter behind nginx, and what was dropped.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endGently } from './end-gently.js';

/**
 * Takes over the connections of a server: what Node's own HTTP server would do with them is returned.
 *
 * Reason: the fast path reads a connection before Node's parser, which gets it only when it is needed. Without: Node's server reads all
 * connections, as without the fast path.
 *
 * @returns What gives a connection to Node's server; `undefined` where Node does not listen for connections this way
 */
export function takeConnections(server: Server): ((socket: Socket) => void) | undefined {
  const [toNode] = server.listeners('connection');
  if (toNode === undefined) return undefined;
  server.removeAllListeners('connection');
  return (socket) => void toNode.call(server, socket);
}

/**
 * Hands a connection, with bytes that were read from it, to what {@link takeConnections} has returned.
 *
 * Reason: a stream whose client has closed its side takes nothing back (`unshift`). Without: the first request of a connection that the
 * fast path does not recognize would be lost.
 */
export function handOver(socket: Socket, bytes: Buffer, toNode: (socket: Socket) => void): void {
  toNode(socket);
  // What has come since flows later, after these. Resumed before them, it would be read on where Node's server pauses it meanwhile.
  socket.emit('data', bytes);
  socket.resume();
  if (socket.readableEnded) socket.emit('end');
}

/**
 * Lets clients close their sending side and still get their response.
 *
 * Reason: `net` has this as an option, `http` only as a property. Without: such clients, `nc` for example, get no response.
 */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Drops what follows the last request of a connection, past Node's parser, which would make requests of it.
 *
 * Reason: what follows a rejected request can be anything. Without: it could be read as another request, and would be rejected as one.
 */
export function dropRest(socket: Socket): void {
  socket.removeAllListeners('data').on('data', () => {});
  // Node would close at once, and a client that still sends would lose the response.
  socket.destroySoon = () => endGently(socket);
}

/** What is left of the piece that is being written to a connection, in bytes. */
interface WriteQueue {
  readonly writeQueueSize?: number;
}

/**
 * Bytes that the system has taken of what was written to a connection. `bytesWritten` alone also grows with what waits.
 *
 * Reason: a client that takes nothing is told apart from one that takes little. Without: the piece in progress counts as taken, so a
 * client that takes nothing of it has its time once more.
 */
export function bytesTaken(socket: Socket): number {
  const handle: WriteQueue | null | undefined = Reflect.get(socket, '_handle');
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}

/**
 * Tells a response that its connection is closed.
 *
 * Reason: Node does not notify responses behind others: older versions never, newer ones not after `CONNECT`. Without: their requests go on
 * at the upstream, until they end.
 */
export function passClose(response: ServerResponse): void {
  response.emit('close');
}
