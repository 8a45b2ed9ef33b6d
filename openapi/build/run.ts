import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Time after which the program is killed, in milliseconds. Default: five minutes. */
  readonly timeout?: number;
}

/** Runs a program to its end. @returns Its output. @throws Error with all that it printed if it fails. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const limits = { timeout: 300_000, killSignal: 'SIGKILL', maxBuffer: 256 * 1024 * 1024, ...options } as const;
  try {
    return (await promisify(execFile)(command, [...args], limits)).stdout;
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    const said = `${stdout}${stderr}` || String(error);
    throw new Error(`${command} ${args.join(' ')} failed with ${code} in ${options.cwd}:\n${said}`, { cause: error });
  }
}
