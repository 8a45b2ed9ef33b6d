import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './apps.ts';

const run = promisify(execFile);

/** A copy of the repository's own files, installed from the local store, that a test may change and build. */
export class RepositoryCopy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<RepositoryCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'repository-'));
    const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: repository,
    });
    const files = listed.stdout.split('\0').filter((file) => file !== '');
    for (const file of files) await cp(join(repository, file), join(folder, file), { recursive: true });
    const copy = new RepositoryCopy(folder);
    // Outside of a repository, turbo would take its own outputs for inputs.
    await copy.run('git', 'init', '--quiet');
    await copy.run('git', 'add', '--all');
    await copy.run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline');
    return copy;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  /** Lays files over the copy; every one of them must be part of the contract. */
  async overlay(from: string): Promise<void> {
    await cp(join(from, 'openapi'), join(this.folder, 'openapi'), { recursive: true });
  }

  /** Replaces a text that must be in a file of the contract. */
  async editContract(file: string, from: string, to: string): Promise<void> {
    const path = join(this.folder, 'openapi', file);
    const text = await readFile(path, 'utf8');
    if (!text.includes(from)) throw new Error(`openapi/${file} does not contain the text to replace`);
    await writeFile(path, text.replace(from, to));
  }

  /** Runs a command of the workspace in the copy, and fails with what it printed. */
  async run(command: string, ...args: readonly string[]): Promise<string> {
    const bin = join(this.folder, 'node_modules/.bin');
    const program = command === 'pnpm' ? join(repository, 'node_modules/.bin/pnpm') : command;
    const { CI, npm_config_user_agent, TURBO_HASH, ...environment } = process.env;
    const env = {
      ...environment,
      PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
      TURBO_TELEMETRY_DISABLED: '1',
    };
    try {
      const { stdout, stderr } = await run(program, [...args], {
        cwd: this.folder,
        env,
        maxBuffer: 16 * 1024 * 1024,
        timeout: 170_000,
        killSignal: 'SIGKILL',
      });
      return `${stdout}${stderr}`;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
    }
  }
}
