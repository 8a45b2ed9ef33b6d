import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOrFail } from '../run.ts';
import { registryNpmrc } from './registry.ts';
import type { NodeBinary, RehearsalFolder } from './rehearsal-folder.ts';

const samples = fileURLToPath(new URL('../../consumers', import.meta.url));

/** An empty folder of a user who installs our packages with npm from the throw-away registry. */
export class Consumer {
  readonly rehearsal: RehearsalFolder;
  readonly folder: string;

  private constructor(rehearsal: RehearsalFolder, folder: string) {
    this.rehearsal = rehearsal;
    this.folder = folder;
  }

  static async create(rehearsal: RehearsalFolder, name: string, packages: readonly string[]): Promise<Consumer> {
    const consumer = new Consumer(rehearsal, rehearsal.in('consumers', name));
    await mkdir(consumer.folder, { recursive: true });
    await writeFile(
      join(consumer.folder, 'package.json'),
      `{ "name": "${name}", "private": true, "type": "module" }\n`,
    );
    await consumer.run('npm', ['install', '--prefer-offline', ...packages]);
    return consumer;
  }

  env(node?: NodeBinary): NodeJS.ProcessEnv {
    return this.rehearsal.env(node === undefined ? [] : [join(node.path, '..')], registryNpmrc);
  }

  run(command: string, args: readonly string[], node?: NodeBinary): Promise<string> {
    return runOrFail(command, args, { cwd: this.folder, env: this.env(node) });
  }

  async addSamples(): Promise<void> {
    await cp(samples, this.folder, { recursive: true });
  }

  /** The names of everything that npm put into the folder. */
  async installed(): Promise<readonly string[]> {
    const names: string[] = [];
    const modules = join(this.folder, 'node_modules');
    for (const name of await readdir(modules)) {
      if (name.startsWith('.')) continue;
      if (!name.startsWith('@')) names.push(name);
      else names.push(...(await readdir(join(modules, name))).map((inner) => `${name}/${inner}`));
    }
    return names.toSorted();
  }
}
