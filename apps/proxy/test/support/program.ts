import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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

/** Starts the program and waits until it listens; fails with its error output when it ends before. */
export async function startProgram(
  environment: Record<string, string>,
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
) {
  const run = runProgram({ VDS_PORT: '0', ...environment }, flags, nodeFlags);
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
  return { ...run, port: await Promise.race([listening, ended]) };
}
