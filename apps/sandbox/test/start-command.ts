import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../dist/node.js', import.meta.url));

/** The command as a process of its own. */
export function startCommand(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], { env: { PATH, ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  /** Everything it has written to standard output and standard error. */
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (text) => {
      output[name] += text;
    });
  }
  /** How it ended: its exit code, or null if a signal killed it. */
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { process: child, output, ended };
}

/** The address that a started command says it listens on. */
export async function addressOf({ process: child, output, ended }: ReturnType<typeof startCommand>): Promise<string> {
  while (!output.stdout.includes('\n')) {
    const first = await Promise.race([ended.then(() => 'ended'), once(child.stdout, 'data')]);
    if (first === 'ended') throw new Error(`the command ended: ${output.stderr}`);
  }
  return output.stdout.replace('sandbox listening on ', '').trim();
}

/** A folder for the length of one test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vds-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
