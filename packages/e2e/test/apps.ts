import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

export interface App {
  /** Base address, for example `http://127.0.0.1:43121`. */
  readonly address: string;
  readonly process: ChildProcess;
  /** Everything the app has printed so far. */
  output(): string;
}

const listeningWithinMs = 15_000;

/** Starts a built app of a repository on a free port; it is stopped when the test has finished. */
export function startApp(
  name: 'sandbox' | 'proxy',
  environment: Record<string, string>,
  root = repository,
): Promise<App> {
  return launchApp(name, environment, root, (child) => onTestFinished(() => stopProcess(child)));
}

/** Starts a built app of a repository on a free port; whoever starts it is notified of the process at once and stops it. */
export async function launchApp(
  name: 'sandbox' | 'proxy',
  environment: Record<string, string>,
  root: string,
  onStart: (child: ChildProcess) => void,
): Promise<App> {
  const child = spawn(process.execPath, [`${root}/apps/${name}/dist/node.js`, '--port', '0'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart(child);
  let printed = '';
  const address = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} did not listen: ${printed}`)), listeningWithinMs);
    const collect = (chunk: Buffer) => {
      printed += chunk;
      const found = /listening on (http:\S+)/.exec(printed)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`${name} ended with code ${code}: ${printed}`));
    });
  });
  return { address, process: child, output: () => printed };
}

/** A sandbox, and a proxy in front of it that forwards the client's token and allows the wide withdrawal. */
export async function startService(): Promise<{ readonly sandbox: App; readonly proxy: App }> {
  const sandbox = await startApp('sandbox', {});
  const proxy = await startApp('proxy', { VDS_UPSTREAM_URL: sandbox.address, VDS_ALLOW_STOP_ALL: 'true' });
  return { sandbox, proxy };
}

/** Asks a process to end and waits until it has. */
export function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** A calendar day as the contract writes it, counted from today in UTC. */
export function basicDate(daysFromToday: number): string {
  return new Date(Date.now() + daysFromToday * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
}
