import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { bundle } from '../src/contract-gate/redocly-diff.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const leftOut = new Set(['node_modules', 'dist', 'generated', 'released', '.turbo']);

let bundled: Promise<string> | undefined;

/** The contract as one file. It is the same for every test of a file, so it is made once. */
async function bundleOnce(folder: string): Promise<string> {
  const output = join(folder, 'bundle.yaml');
  await bundle('openapi/openapi.yaml', output, folder);
  const text = await readFile(output, 'utf8');
  await rm(output);
  return text;
}

/** A copy of the contract and of nothing else, released as it stands, with no pending changeset. */
export class ContractRepository {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async released(): Promise<ContractRepository> {
    const folder = await mkdtemp(join(tmpdir(), 'contract-gate-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await cp(join(root, 'openapi'), join(folder, 'openapi'), {
      recursive: true,
      filter: (path) => !leftOut.has(basename(path)),
    });
    await mkdir(join(folder, '.changeset'));
    const repository = new ContractRepository(folder);
    bundled ??= bundleOnce(folder);
    await repository.write('openapi/released/openapi.yaml', await bundled);
    return repository;
  }

  async write(file: string, text: string): Promise<void> {
    const path = join(this.folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /** Replaces a text that must be in the file, and tells the line on which the new text starts. */
  async edit(file: string, from: string, to: string): Promise<number> {
    const text = await readFile(join(this.folder, file), 'utf8');
    const at = text.indexOf(from);
    if (at < 0) throw new Error(`${file} does not contain the text to replace`);
    await this.write(file, text.slice(0, at) + to + text.slice(at + from.length));
    return text.slice(0, at).split('\n').length;
  }

  changeset(type: 'patch' | 'minor' | 'major'): Promise<void> {
    return this.write(`.changeset/${type}.md`, `---\n'@vehicle-data/openapi': ${type}\n---\n\nA change.\n`);
  }
}
