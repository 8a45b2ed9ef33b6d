import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOrFail } from '../run.ts';
import { repositoryFolder, type WorkspacePackage } from '../workspace.ts';

const pnpm = join(repositoryFolder, 'node_modules/.bin/pnpm');

/** A package as it is published. */
export interface Tarball {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly sha256: string;
}

/** Packs a built package. pnpm replaces `workspace:` and `catalog:` by versions and adds the repository's licence. */
export async function pack(
  { manifest, folder }: WorkspacePackage,
  destination: string,
  env?: NodeJS.ProcessEnv,
): Promise<Tarball> {
  await mkdir(destination, { recursive: true });
  const file = join(destination, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`);
  await runOrFail(pnpm, ['pack', '--out', file], { cwd: folder, ...(env === undefined ? {} : { env }) });
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  return { name: manifest.name, version: manifest.version, file, sha256 };
}
