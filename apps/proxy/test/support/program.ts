import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { clientOf } from './set-up.ts';

const entry = fileURLToPath(new URL('../../dist/node.js', import.meta.url));

const fastPath = process.env['VDS_FAST_PATH'];

/** A run of the program. */
export interface ProgramRun {
  readonly process: ChildProcess;
  /** What it has printed so far. */
  readonly output: { stdout: string; stderr: string };
  readonly exit: Promise<number | null>;
}

/** Starts the program with exactly this environment and these flags. */
export function runProgram(
  environment: Record<string, string>,
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): ProgramRun {
  const child = spawn(process.execPath, [...nodeFlags, entry, ...flags], {
    // Whether the tests of this process run with the fast path.
    env: { ...(fastPath === undefined ? {} : { VDS_FAST_PATH: fastPath }), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.stderr += text.toString()));
  const exit = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  return { process: child, output, exit };
}

/** Runs the program to its end. */
export async function runToEnd(environment: Record<string, string>, flags: readonly string[] = []) {
  const run = runProgram(environment, flags);
  const code = await run.exit;
  return { code, ...run.output };
}

/**
 * Starts the program and waits until it listens; fails with its error output when it ends before. It is killed when the test has
 * finished.
 */
export async function startProgram(
  environment: Record<string, string>,
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
) {
  const run = runProgram({ VDS_PORT: '0', ...environment }, flags, nodeFlags);
  onTestFinished(() => void run.process.kill('SIGKILL'));
  const listening = new Promise<number>((resolve) => {
    run.process.stdout?.on('data', () => {
      const port = /listening on http:\/\/\S+:(\d+)\n/.exec(run.output.stdout)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
  const ended = run.exit.then((code) => {
    throw new Error(`the program ended with ${code}: ${run.output.stderr}`);
  });
  ended.catch(() => {});
  const port = await Promise.race([listening, ended]);
  const url = `http://127.0.0.1:${port}`;
  const admin = /metrics on (\S+)\/metrics\n/.exec(run.output.stdout)?.[1] ?? '';
  const read = async (address: string) => (await fetch(address)).text();
  /** Ends it as an operator does, and gives its log. */
  const stop = async () => {
    run.process.kill('SIGTERM');
    const code = await run.exit;
    const log = run.output.stderr.split('\n').filter((line) => line !== '');
    return { code, log };
  };
  return {
    ...run,
    port,
    url,
    call: clientOf(url),
    admin,
    /** A page of the admin server. */
    adminPage: (path: string) => read(admin + path),
    ready: () => read(`${url}/readyz`),
    stop,
  };
}
