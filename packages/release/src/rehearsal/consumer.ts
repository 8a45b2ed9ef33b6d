import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../run.ts';
import { registryNpmrc } from './registry.ts';
import type { NodeBinary, RehearsalFolder } from './rehearsal-folder.ts';

const samples = fileURLToPath(new URL('../../consumers', import.meta.url));

export type Consumer = Awaited<ReturnType<typeof createConsumer>>;

/** A folder of a user who installs our packages with npm from the throw-away registry, and has our samples beside them. */
export async function createConsumer(rehearsal: RehearsalFolder, name: string, packages: readonly string[]) {
  const folder = rehearsal.in('consumers', name);
  const env = (node?: NodeBinary) => rehearsal.env(node ? [dirname(node.path)] : [], registryNpmrc);
  const runHere = (command: string, args: readonly string[], node?: NodeBinary) =>
    run(command, args, { cwd: folder, env: env(node) });
  await cp(samples, folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), `{ "name": "${name}", "private": true, "type": "module" }\n`);
  await runHere('npm', ['install', '--prefer-offline', ...packages]);
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
