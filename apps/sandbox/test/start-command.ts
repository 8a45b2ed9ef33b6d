import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../dist/node.js', import.meta.url));

/** The command as a process of its own. */
export interface Command {
  readonly process: ChildProcess;
  /** Everything it has written to standard output and standard error. */
  readonly output: { stdout: string; stderr: string };
  /** How it ended: its exit code, or null if a signal killed it. */
  readonly ended: Promise<number | null>;
}

export function startCommand(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Command {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], { env: { PATH, ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.on('data', (text) => {
    output.stderr += text;
  });
  return { process: child, output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** The address that a started command says it listens on. */
export async function addressOf({ process: child, output, ended }: Command): Promise<string> {
  const stdout = child.stdout;
  while (!output.stdout.includes('\n')) {
    const first = await Promise.race([ended.then(() => 'ended'), stdout ? once(stdout, 'data') : 'ended']);
    if (first === 'ended') throw new Error(`the command ended: ${output.stderr}`);
  }
  const [, address] = /^sandbox listening on (http:\/\/\S+)\n$/.exec(output.stdout) ?? [];
  if (address === undefined) throw new Error(`unexpected output: ${output.stdout}`);
  return address;
}

/** A folder for the length of one test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vds-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
