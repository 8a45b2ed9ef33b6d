import { dirname, join } from 'node:path';
import type { FileLayer } from './file-layer.js';

/** Names of files that a crash may leave behind. No pattern of a reader matches them. */
export const temporary = /(^|\/)\.[^/]*\.tmp$/;

/** Makes a folder and those above it, down from `root`, so that a crash afterwards does not lose them. */
export async function makeFolders(files: FileLayer, root: string, path: string): Promise<void> {
  let at = root;
  for (const name of path.split('/')) {
    const above = at;
    at = join(at, name);
    if (await files.makeFolder(at)) await files.syncFolder(above);
  }
}

/** Replaces a file whole: whenever a crash comes, a reader finds the old content or the new one. */
export async function replaceFile(
  files: FileLayer,
  path: string,
  content: Uint8Array | string,
  mode?: number,
): Promise<void> {
  const folder = dirname(path);
  const written = join(folder, `.${path.slice(folder.length + 1)}.tmp`);
  await files.write(written, content, mode);
  await files.rename(written, path);
  await files.syncFolder(folder);
}

/** Removes a file, and the folders above it, up to `root`, that are empty then. */
export async function removeFile(files: FileLayer, root: string, path: string): Promise<void> {
  const full = join(root, path);
  await files.remove(full);
  let folder = dirname(full);
  while (folder.length > root.length && (await files.removeFolder(folder))) folder = dirname(folder);
  await files.syncFolder(folder);
}
