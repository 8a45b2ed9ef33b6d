import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';

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

/** Starts a built app of a repository on a free port; `onStart` receives its process at once. */
async function launchApp(
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

/**
 * A sandbox, and a proxy in front of it that forwards the client's token: one of each for the tests of a file. Every test finds the
 * sandbox as if it had just started.
 */
export function sharedService(settings: Record<string, string> = {}): { readonly sandbox: App; readonly proxy: App } {
  const processes: ChildProcess[] = [];
  const apps: { sandbox?: App; proxy?: App } = {};
  const appOf = (name: 'sandbox' | 'proxy') => {
    const app = apps[name];
    if (app === undefined) throw new Error(`${name} has not started`);
    return app;
  };
  beforeAll(async () => {
    const onStart = (child: ChildProcess) => void processes.push(child);
    const sandbox = await launchApp('sandbox', {}, repository, onStart);
    const environment = { VDS_UPSTREAM_URL: sandbox.address, ...settings };
    Object.assign(apps, { sandbox, proxy: await launchApp('proxy', environment, repository, onStart) });
  });
  beforeEach(async () => void (await fetch(`${appOf('sandbox').address}/sandbox/reset`, { method: 'POST' })));
  afterAll(() => Promise.all(processes.map(stopProcess)));
  return {
    get sandbox() {
      return appOf('sandbox');
    },
    get proxy() {
      return appOf('proxy');
    },
  };
}

/** Asks a process to end and waits until it has. */
export function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** Writes the command line as a program `vds` into a folder, for its PATH. */
export async function writeVds(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${repository}/packages/cli/dist/main.js' "$@"\n`;
  await writeFile(`${folder}/vds`, program, { mode: 0o755 });
}

/** A calendar day as the contract writes it, counted from today in UTC. */
export function basicDate(daysFromToday: number): string {
  return new Date(Date.now() + daysFromToday * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
}
