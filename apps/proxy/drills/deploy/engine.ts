import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository, from which images are built. */
export const repository = fileURLToPath(new URL('../../../..', import.meta.url));
/** The files that are tried. */
export const deployFolder = fileURLToPath(new URL('../../deploy', import.meta.url));

/** Time for one command, in milliseconds: ten minutes, because building an image installs and compiles everything. */
const timeoutMs = 600_000;

/** What a command said. */
export interface CommandResult {
  readonly ok: boolean;
  readonly stdout: string;
  /** The last lines of both outputs. */
  readonly end: string;
}

/** Runs a command to its end. */
export function run(program: string, list: readonly string[], input = ''): Promise<CommandResult> {
  return new Promise((resolve) => {
    const options = { cwd: repository, timeout: timeoutMs, maxBuffer: 1 << 26 };
    const child = execFile(program, list, options, (error, stdout, stderr) => {
      const end = `${stdout}${stderr}`.trim().split('\n').slice(-12).join('\n');
      resolve({ ok: error === null, stdout: stdout.trim(), end });
    });
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** @throws {Error} with the end of what the engine said, when the command fails */
export async function docker(...list: string[]): Promise<string> {
  const { ok, stdout, end } = await run('docker', list);
  if (!ok) throw new Error(`docker ${list.slice(0, 2).join(' ')}:\n${end}`);
  return stdout;
}

/** Whether an engine answers. */
export async function hasEngine(): Promise<boolean> {
  return (await run('docker', ['version', '--format', '{{.Server.Version}}'])).ok;
}

const project = 'vds-drill';

/** Runs a command of Compose on the compose file. */
export type Compose = (...list: string[]) => Promise<string>;

/** Compose, or `null` when there is none. */
export async function findCompose(): Promise<Compose | null> {
  const file = join(deployFolder, 'compose.yaml');
  if ((await run('docker', ['compose', 'version'])).ok)
    return composeWith('docker', ['compose', '-p', project, '-f', file]);
  if (!(await run('docker-compose', ['version'])).ok) return null;
  // The first Compose, which some distributions still have, does not know the name of a project.
  const older = join(mkdtempSync(join(tmpdir(), 'vds-compose-')), 'compose.yaml');
  writeFileSync(older, readFileSync(file, 'utf8').replace(/^name: .*\n/m, ''));
  return composeWith('docker-compose', ['-p', project, '--project-directory', deployFolder, '-f', older]);
}

function composeWith(program: string, start: readonly string[]): Compose {
  return async (...list) => {
    const { ok, stdout, end } = await run(program, [...start, ...list]);
    if (!ok) throw new Error(`${program} ${list[0]}:\n${end}`);
    return stdout;
  };
}
