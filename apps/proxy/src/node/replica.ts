// What a process knows and says that the first of several has started (`VDS_WORKERS`).

const indexVariable = 'PROXY_PROCESS_INDEX';
const portVariable = 'PROXY_PROCESS_PORT';

/**
 * Whether each process can listen on the same port by itself. The kernel then spreads connections over them, and a process needs no other
 * one to go on. Elsewhere the first process has the port and passes connections on, so the others end with it.
 */
export const listensAlone = process.platform === 'linux';

/** The place of this process among its replicas, from 0; each needs a port of its own for its metrics. */
export function processIndex(): number {
  return Number(process.env[indexVariable] ?? 0);
}

/** Whether another process of the program has started this one. */
export function isReplica(): boolean {
  return process.env[indexVariable] !== undefined && process.send !== undefined;
}

/** The port that all replicas share; `null` for the first of them, which takes the port of the settings. */
export function sharedPort(): number | null {
  const port = Number(process.env[portVariable]);
  return port > 0 ? port : null;
}

/** How a replica listens where others listen too. */
export function shared(): { readonly reusePort?: true } {
  return isReplica() && listensAlone ? { reusePort: true } : {};
}

/** The environment of a replica. @param port that others listen on; 0 when there is none yet */
export function replicaEnvironment(index: number, port: number): Readonly<Record<string, string>> {
  return { [indexVariable]: String(index), [portVariable]: String(port) };
}

/** What a process sends again and again while the service manager has a watchdog. */
export const aliveMessage = 'alive';

/** What a process sends when it listens on all of its ports. */
export const startedMessage = (port: number) => `started ${port}`;

/** The port of a process that has started; `null` when the message says something else. */
export function startedPort(message: unknown): number | null {
  const port = /^started (\d+)$/.exec(String(message))?.[1];
  return port === undefined ? null : Number(port);
}

/** Tells the first process something. One that is gone is told nothing. */
export function tellFirst(message: string): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
