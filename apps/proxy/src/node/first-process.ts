// How processes that have lost their first one find the next: by a name that belongs to their port, and that the kernel drops with its
// process (`man 7 unix`, abstract sockets).
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** How often a process without a first one looks for the next, in milliseconds. */
const lookEveryMs = 200;

const ignore = () => {};
const readyWord = 'ready';

/** Only processes of one user can share a port. */
function nameOf(host: string, port: number): string {
  return `\0vds-proxy/${hash('sha256', `${process.getuid?.()} ${host} ${port}`, 'hex').slice(0, 32)}`;
}

/** Listens; `null` when something else has the place already. @throws {Error} when it cannot be listened on at all */
async function listenIfFree(server: Server, options: ListenOptions): Promise<Server | null> {
  try {
    await once(server.listen(options), 'listening');
    return server;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null;
    throw error;
  }
}

/** Whether nobody listens there, nor shares it. @throws {Error} when it cannot be listened on at all */
export async function isFree(host: string, port: number): Promise<boolean> {
  const server = await listenIfFree(createServer(), { host, port });
  server?.close();
  return server !== null;
}

/** The name of a port, which one first process has at a time. */
export class FirstProcess {
  readonly #server: Server;
  readonly #followers: Set<Socket>;
  #isReady = false;

  private constructor(server: Server, followers: Set<Socket>) {
    this.#server = server;
    this.#followers = followers;
    server.on('connection', (socket) => {
      if (this.#isReady) socket.end(readyWord);
    });
  }

  /** Takes the name of a port; `null` while another first process has it. */
  static async claim(host: string, port: number): Promise<FirstProcess | null> {
    const followers = new Set<Socket>();
    const server = createServer((socket) => {
      followers.add(socket);
      socket.on('error', ignore).on('close', () => followers.delete(socket));
    });
    const listening = await listenIfFree(server, { path: nameOf(host, port) });
    return listening && new FirstProcess(listening, followers);
  }

  /** Whether a process without a first one is there, or comes within this time, in milliseconds. */
  async hasFollower(withinMs: number): Promise<boolean> {
    if (this.#followers.size === 0)
      await once(this.#server, 'connection', { signal: AbortSignal.timeout(withinMs) }).catch(ignore);
    return this.#followers.size > 0;
  }

  /** Its own processes serve: those of the one before can end. */
  ready(): void {
    this.#isReady = true;
    for (const follower of this.#followers) follower.end(readyWord);
  }
}

/**
 * Waits until the next first process of a port has its own processes serving.
 *
 * @returns whether that came within this time, in milliseconds
 */
export async function nextIsReady(host: string, port: number, withinMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + withinMs;
  while (performance.now() < deadlineMs) {
    if (await isToldReady(nameOf(host, port), deadlineMs - performance.now())) return true;
    await wait(Math.max(0, Math.min(lookEveryMs, deadlineMs - performance.now())));
  }
  return false;
}

/** Whether the process that has a name says that it is ready before it ends, or the time is over. */
function isToldReady(path: string, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const late = setTimeout(() => socket.destroy(), withinMs);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1', 0, readyWord.length);
    });
    socket.on('error', ignore).on('close', () => {
      clearTimeout(late);
      resolve(text === readyWord);
    });
  });
}
