import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '../run.ts';
import { registryNpmrc } from './registry.ts';
import type { NodeBinary, RehearsalFolder } from './rehearsal-folder.ts';

export type Consumer = Awaited<ReturnType<typeof createConsumer>>;

/** A folder of a user who installs a package with npm from the throw-away registry. */
export async function createConsumer(rehearsal: RehearsalFolder, name: string) {
  const folder = rehearsal.in('consumers', name);
  const env = (node?: NodeBinary) => rehearsal.env(node ? [dirname(node.path)] : [], registryNpmrc);
  const runHere = (command: string, args: readonly string[], node?: NodeBinary) =>
    run(command, args, { cwd: folder, env: env(node) });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await runHere('npm', ['install', '--prefer-offline', name]);
  const lockfile = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8');
  const installed: { packages: Readonly<Record<string, { version: string }>> } = JSON.parse(lockfile);
  return {
    folder,
    env,
    run: runHere,
    /** The version of everything that npm put into the folder, by name. */
    installed: new Map(
      Object.entries(installed.packages).map(([path, { version }]) => [path.replace(/^.*node_modules\//, ''), version]),
    ),
  };
}
