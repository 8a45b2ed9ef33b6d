import type { Socket } from 'node:net';

/** Time for a client to take an error response and close, in milliseconds. */
const lingerMs = 1000;

/** Closes our side of a connection, and reads on until its client has closed the other: with bytes unread it would be reset. */
export function endGently(socket: Socket): void {
  socket.end(() => {
    setTimeout(() => socket.destroy(), socket.readableEnded ? 0 : lingerMs).unref();
    socket.once('end', () => socket.destroy()).resume();
  });
}
