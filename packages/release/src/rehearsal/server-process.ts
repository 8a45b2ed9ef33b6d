import { spawn } from 'node:child_process';

/** A program that was started and has said where it listens. */
export interface ServerProcess {
  readonly url: string;
  readonly output: () => string;
  stop(): Promise<void>;
}

/** Starts a server and waits until it prints an address, for at most `timeoutMs` (default one minute). */
export async function startServer(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeoutMs?: number },
): Promise<ServerProcess> {
  const { cwd, env, timeoutMs = 60_000 } = options;
  // A process group of its own: npx starts the program as a child, and both have to end.
  const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGTERM');
    }
    await closed;
  };
  const address = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no address after ${timeoutMs} ms:\n${text}`)), timeoutMs);
    const settle = (action: () => void) => {
      clearTimeout(timer);
      action();
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
        if (found !== undefined) settle(() => resolve(found));
      });
    }
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code) => settle(() => reject(new Error(`${command} ended with ${code}:\n${text}`))));
  });
  try {
    return { url: await address, output: () => text, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
