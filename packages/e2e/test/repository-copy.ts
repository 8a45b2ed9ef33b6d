import { execFile } from 'node:child_process';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './apps.ts';

/** A copy of the repository's own files, with the dependencies that are installed, that a test may change and build. */
export async function copyRepository() {
  const folder = await mkdtemp(join(tmpdir(), 'repository-'));

  /** Runs a command of the workspace in the copy, and fails with what it printed. */
  async function run(command: string, ...args: readonly string[]): Promise<string> {
    const { CI, npm_config_user_agent, TURBO_HASH, ...environment } = process.env;
    const PATH = `${folder}/node_modules/.bin:${dirname(process.execPath)}:${process.env['PATH']}`;
    const { stdout, stderr } = await promisify(execFile)(command, args, {
      cwd: folder,
      env: { ...environment, PATH, TURBO_TELEMETRY_DISABLED: '1' },
      maxBuffer: 16 * 1024 * 1024,
      timeout: 170_000,
      killSignal: 'SIGKILL',
    }).catch((error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${command} ${args.join(' ')} failed:\n${error.stdout}${error.stderr}`, { cause: error });
    });
    return `${stdout}${stderr}`;
  }

  // Links between packages are relative, so that they lead to the copy. All other packages stay where they are installed.
  const files =
    'git ls-files -z --cached --others --exclude-standard; find . -maxdepth 3 -name node_modules -prune -print0';
  const pack = `cd '${repository}' && { ${files}; } | tar -c -f - --null --exclude=.pnpm --exclude=.vite --exclude=.vitest-cache -T -`;
  await run('bash', '-c', `(${pack}) | tar -x -f -`);
  await symlink(`${repository}/node_modules/.pnpm`, `${folder}/node_modules/.pnpm`);
  // Outside of a repository, turbo would take its own outputs for inputs.
  await run('git', 'init', '--quiet');
  await run('git', 'add', '--all');
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  await run('git', ...author, 'commit', '--quiet', '--no-gpg-sign', '--message', 'test: a copy');
  return { folder, run };
}
