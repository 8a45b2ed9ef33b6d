import { execFile } from 'node:child_process';

/** What a finished program left behind. */
export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Kills the program after this many milliseconds; 5 minutes unless told. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end and never throws on its exit code. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  const { cwd, env = process.env, timeoutMs = 300_000 } = options;
  return new Promise((resolve) => {
    execFile(
      command,
      [...args],
      { cwd, env, timeout: timeoutMs, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ exitCode, stdout, stderr: error === null || stderr !== '' ? stderr : error.message });
      },
    );
  });
}

/** Runs a program and throws with all it printed when it fails. */
export async function runOrFail(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { exitCode, stdout, stderr } = await run(command, args, options);
  if (exitCode !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed with ${exitCode} in ${options.cwd}:\n${stdout}${stderr}`);
  }
  return stdout;
}
