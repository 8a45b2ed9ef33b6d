import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';

/** A program that responds to HTTP requests. */
export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a server on a free port of 127.0.0.1 and waits, for at most a minute, until it responds. */
export async function startServer(programOf: (port: number) => Program | Promise<Program>) {
  const port = await getPort();
  const url = `http://127.0.0.1:${port}`;
  const { command, args, cwd, env } = await programOf(port);
  // A process group of its own: npx starts the program as a child, and both have to end.
  const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (child.pid !== undefined && !hasEnded()) process.kill(-child.pid, 'SIGTERM');
    await closed;
  };
  child.once('error', ({ message }) => (output += message));
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && !hasEnded(); await delay(100)) {
    if (await fetch(url).catch(() => undefined)) return { url, stop };
  }
  await stop();
  throw new Error(`${command} does not respond:\n${output}`);
}
