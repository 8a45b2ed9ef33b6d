// What the job that packs leaves for the job that publishes: tarballs, their SBOMs, and a list with their hashes. It needs nothing that is
// installed, so that the job with the right to publish runs no code but this repository's and npm's.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where tarballs are left. */
export const packedFolder = fileURLToPath(new URL('../dist', import.meta.url));
const listFile = 'packages.json';

export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Name of the tarball in the folder of the list. */
  readonly file: string;
  readonly sha256: string;
}

export async function writeList(packages: readonly PackedPackage[], folder = packedFolder): Promise<void> {
  await writeFile(join(folder, listFile), `${JSON.stringify(packages, null, 2)}\n`);
}

/** Reads the list. @throws Error if it is empty, or if a tarball is not the one that was packed */
export async function readList(folder = packedFolder): Promise<readonly PackedPackage[]> {
  const packages: readonly PackedPackage[] = JSON.parse(await readFile(join(folder, listFile), 'utf8'));
  if (packages.length === 0) throw new Error(`${listFile} names no package`);
  for (const { file, sha256 } of packages)
    if ((await hashOf(join(folder, file))) !== sha256) throw new Error(`${file} is not the tarball that was packed`);
  return packages;
}

export async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** Where a package comes from, where it is described and where its faults go, for its manifest. @param path of its folder in the repository */
export const placesOf = (repository: string, path: string) => ({
  repository: { type: 'git', url: `git+${repository}.git`, directory: path },
  homepage: `${repository}/tree/main/${path}#readme`,
  bugs: { url: `${repository}/issues` },
});
