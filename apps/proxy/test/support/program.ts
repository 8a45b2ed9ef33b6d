import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { attempt } from '../../src/attempt.js';
import { run } from './listening.ts';
import { clientOf } from './set-up.ts';

/** The program as it is built and installed. */
export const program = fileURLToPath(new URL('../../dist/node.js', import.meta.url));

/** The program in a few files, which start in half the time: `bundled-program.ts` makes them. */
export const bundled = process.env['PROXY_TEST_PROGRAM'] ?? '';

const fastPath = process.env['VDS_FAST_PATH'];
const NODE_COMPILE_CACHE = process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'compiled');

/** Numbers of the processes that a process has started. */
export function childrenOf(pid = 0): readonly number[] {
  const text = attempt(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()) ?? '';
  return text === '' ? [] : text.split(' ').map(Number);
}

/** A path in a new folder. */
export function newFile(name: string): string {
  return join(mkdtempSync(join(tmpdir(), 'vds-proxy-')), name);
}

/** Starts the program with exactly this environment and these flags. */
export function runProgram(
  environment: Record<string, string>,
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
  file = bundled,
  openFiles?: number,
) {
  // Whether the tests of this process run with the fast path, and where its code is kept once it is compiled.
  const usual = { ...(fastPath === undefined ? {} : { VDS_FAST_PATH: fastPath }), NODE_COMPILE_CACHE };
  const command = [process.execPath, ...nodeFlags, file, ...flags];
  const limited = ['/bin/sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh', ...command];
  return run(openFiles === undefined ? command : limited, { ...usual, ...environment });
}

/** Runs the program to its end. */
export async function runToEnd(environment: Record<string, string>, flags: readonly string[] = [], file = bundled) {
  const { exit, output } = runProgram(environment, flags, [], file);
  return { code: await exit, ...output };
}

/**
 * Starts the program and waits until it listens; fails with its error output when it ends before. It is killed when the test has
 * finished.
 */
export async function startProgram(
  environment: Record<string, string>,
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
  file = bundled,
  openFiles?: number,
) {
  const parts = [flags, nodeFlags, file, openFiles] as const;
  const started = runProgram({ VDS_PORT: '0', VDS_DRAIN_DELAY_MS: '0', ...environment }, ...parts);
  onTestFinished(() => {
    // Its processes would go on without it.
    const processes = childrenOf(started.process.pid);
    started.process.kill('SIGKILL');
    for (const pid of processes) attempt(() => process.kill(pid, 'SIGKILL'));
  });
  const listening = /listening on (http:\/\/\S+:(\d+))\n/;
  await new Promise<void>((resolve, reject) => {
    started.process.stdout.on('data', () => listening.test(started.output.stdout) && resolve());
    void started.exit.then((code) => reject(new Error(`the program ended with ${code}: ${started.output.stderr}`)));
  });
  const port = Number(listening.exec(started.output.stdout)?.[2]);
  const url = `http://127.0.0.1:${port}`;
  const admin = /metrics on (\S+)\/metrics\n/.exec(started.output.stdout)?.[1] ?? '';
  const read = async (address: string) => (await fetch(address)).text();
  /** Ends it as an operator does, and gives its log. */
  const stop = async () => {
    started.process.kill('SIGTERM');
    const code = await started.exit;
    const log = started.output.stderr.split('\n').filter((line) => line !== '');
    return { code, log };
  };
  /** Reads a page of the admin server. */
  const adminPage = (path: string) => read(admin + path);
  return { ...started, port, url, call: clientOf(url), admin, adminPage, ready: () => read(`${url}/readyz`), stop };
}
