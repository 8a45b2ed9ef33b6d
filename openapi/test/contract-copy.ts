import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';

const folder = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const leftOut = new Set(['node_modules', 'dist', 'generated', 'released', '.turbo']);

/** A copy of the contract's folder that a test may break; it is deleted when the test has finished. */
export async function copyContract() {
  const top = await mkdtemp(join(tmpdir(), 'contract-'));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const copy = join(top, 'openapi');
  await cp(folder, copy, { recursive: true, filter: (source) => !leftOut.has(basename(source)) });
  await cp(join(folder, '../tsconfig.base.json'), join(top, 'tsconfig.base.json'));
  await symlink(join(folder, 'node_modules'), join(copy, 'node_modules'));
  await symlink(join(folder, '../node_modules'), join(top, 'node_modules'));
  const run = (command: string, ...args: readonly string[]) =>
    new Promise<{ exitCode: number; output: string }>((resolve) => {
      execFile(command, args, { cwd: copy, timeout: 50_000, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
      });
    });
  const redocly = join(copy, 'node_modules/.bin/redocly');
  return {
    folder: copy,
    /** Replaces a text that must be in the file. */
    async edit(file: string, from: string, to: string): Promise<void> {
      const path = join(copy, file);
      const text = await readFile(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${file} does not contain the text to replace`);
      await writeFile(
        path,
        text.replace(from, () => to),
      );
    },
    /** Writes `overlay.yaml` with these actions. */
    overlay: (...actions: readonly object[]) =>
      writeFile(
        join(copy, 'overlay.yaml'),
        stringify({ overlay: '1.0.0', info: { title: 'Test', version: '1' }, actions }),
      ),
    lint: (...flags: readonly string[]) => run(redocly, 'lint', 'openapi.yaml', ...flags),
    build: () => run(process.execPath, 'build/main.ts'),
  };
}
