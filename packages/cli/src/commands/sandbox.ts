import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CliError } from '../cli-error.js';
import type { Context } from '../context.js';

/** Starts the sandbox and stays until it ends. */
export async function startSandbox({ streams }: Context, _: object, ...parameters: readonly string[]): Promise<void> {
  let program: string;
  try {
    program = fileURLToPath(new URL('./node.js', import.meta.resolve('@vehicle-data/sandbox')));
  } catch {
    throw new CliError('no-sandbox', 'the sandbox is not installed', {
      hint: 'Install it where vds is: npm install --global @vehicle-data/sandbox, or without --global in a project',
    });
  }
  const child = spawn(process.execPath, [program, ...parameters], { stdio: 'inherit', env: streams.env });
  const end = () => child.kill('SIGTERM');
  streams.signal.addEventListener('abort', end, { once: true });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0 && !streams.signal.aborted) throw new CliError('sandbox-ended', `the sandbox ended with code ${code}`);
}
