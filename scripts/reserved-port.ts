import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports that are given: below those that a system chooses from, which begin at 32,768. */
const first = 10_000;
const count = 5000;

/** Whether this process could listen there. It then does, until `release`. */
async function listen(port: number) {
  // An unreferenced server keeps no process.
  const server = createServer().listen(port, '127.0.0.1').unref();
  const failed = await once(server, 'listening').then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
  );
  if (failed !== undefined && failed !== 'EADDRINUSE' && failed !== 'EACCES') throw new Error(`listen: ${failed}`);
  return { isHeld: failed === undefined, release: () => new Promise((resolve) => server.close(resolve)) };
}

/**
 * A port of 127.0.0.1 that nothing uses, for a program that cannot choose one by itself or is started again. Nobody else gets it, in this
 * process or beside it, until this process ends; and the system gives it to no connection.
 *
 * The port 5,000 above it, on which this process listens from now on, is what reserves it. The port 10,000 above it, which a Redis Cluster has
 * its bus on, is neither given nor a reservation.
 */
export async function reservedPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = first + Math.floor(Math.random() * count);
    const reservation = await listen(port + count);
    if (!reservation.isHeld) continue;
    const trial = await listen(port);
    await trial.release();
    if (trial.isHeld) return port;
    await reservation.release();
  }
  throw new Error('no port from 10,000 to 14,999 is free');
}
