import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const leftOut = new Set(['node_modules', 'dist', 'generated', 'released', '.turbo']);

/** A copy of the contract's folder that a test may break; it is deleted when the test has finished. */
export class ContractCopy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<ContractCopy> {
    const top = await mkdtemp(join(tmpdir(), 'contract-'));
    onTestFinished(() => rm(top, { recursive: true, force: true }));
    const copy = join(top, 'openapi');
    await cp(folder, copy, { recursive: true, filter: (source) => !leftOut.has(basename(source)) });
    await cp(join(folder, '../tsconfig.base.json'), join(top, 'tsconfig.base.json'));
    await symlink(join(folder, 'node_modules'), join(copy, 'node_modules'));
    return new ContractCopy(copy);
  }

  /** Replaces a text that must be in the file. */
  async edit(file: string, from: string, to: string): Promise<void> {
    const path = join(this.folder, file);
    const text = await readFile(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} does not contain the text to replace`);
    const edited = text.replace(from, () => to);
    await writeFile(path, edited);
  }

  lint(...flags: readonly string[]) {
    return this.#run(join(this.folder, 'node_modules/.bin/redocly'), 'lint', 'openapi.yaml', ...flags);
  }

  build() {
    return this.#run(process.execPath, 'build/main.ts');
  }

  #run(command: string, ...args: readonly string[]) {
    return new Promise<{ exitCode: number; output: string }>((resolve) => {
      execFile(command, args, { cwd: this.folder, timeout: 50_000, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
      });
    });
  }
}
