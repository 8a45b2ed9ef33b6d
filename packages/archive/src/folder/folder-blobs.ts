// The files of an archive in a folder: temporary name, fsync, rename, fsync.
import { dirname, join } from 'node:path';
import { type FileLayer, makeFolders, replaceFile } from '../file-layer.js';
import { manifestName } from '../format/layout.js';
import { isTemporary, stagedPath } from '../own-files.js';
import type { BlobPage, BlobStore } from '../store/blob-store.js';
import { allOf, emptyFolder, purgedFolders } from './purged-folders.js';

/** How many files a page of a list has. */
const pageSize = 1_000;

/** The blob store of a folder. */
export interface FolderBlobs extends BlobStore {
  /** `removeAll` for several prefixes: as quick as for one, where a disk takes long to force something to it. */
  removeFolders(prefixes: readonly string[]): Promise<number>;
}

/**
 * Files in a folder. Links are not followed. What stands in hidden folders is being purged: it is no object any more.
 */
export function folderBlobs(files: FileLayer, folder: string): FolderBlobs {
  /** The files whose paths come after another, in the order of their paths. */
  async function* walk(below: string, after: string): AsyncGenerator<string, void, undefined> {
    const [names, folders] = await Promise.all([
      files.list(folder, 'files', below, false),
      files.list(folder, 'folders', below, false),
    ]);
    // In the order of whole paths, in which a slash comes after a hyphen.
    const all = [...names, ...folders.map((name) => `${name}/`)].sort();
    for (const path of all) {
      if (path.endsWith('/')) {
        // All paths in it come before.
        if (path.startsWith('.purge-') || (path < after && !after.startsWith(path))) continue;
        yield* walk(path, after);
      } else if (path > after && !isTemporary(path)) yield path;
    }
  }
  async function removeFolders(prefixes: readonly string[]): Promise<number> {
    const hidden = await purgedFolders(files, folder);
    const counts = prefixes.map(async (prefix) => {
      const at = prefix.replace(/\/$/, '');
      const purged = hidden.filter(({ brand, vehicle }) => at === `brand=${brand}/vehicle=${vehicle}`);
      // The manifest is of the state, which says what was held until the purge is finished.
      const emptied = purged.map(({ name }) => emptyFolder(files, join(folder, name), manifestName));
      const paths = (await allOf([...emptied, emptyFolder(files, join(folder, at))])).flat();
      await files.removeFolder(join(folder, at));
      return paths.filter((path) => !path.startsWith('_')).length;
    });
    const removed = await allOf(counts);
    const above = new Set(prefixes.flatMap((prefix) => /^(.+)\/[^/]+\/?$/.exec(prefix)?.[1] ?? []));
    for (const at of above) if (!(await files.removeFolder(join(folder, at)))) await files.syncFolder(join(folder, at));
    await files.syncFolder(folder);
    return removed.reduce((sum, count) => sum + count, 0);
  }
  return {
    async put(key, bytes) {
      const inFolder = dirname(key);
      if (inFolder !== '.') await makeFolders(files, folder, inFolder);
      await replaceFile(files, join(folder, key), bytes, undefined, stagedPath(folder, key));
    },
    get: (key) => files.read(join(folder, key)),
    async head(key) {
      const found = await files.stat(join(folder, key));
      return found && { key, bytes: found.size };
    },
    async list(prefix, cursor = ''): Promise<BlobPage> {
      const blobs = [];
      for await (const key of walk(prefix, cursor)) {
        if (blobs.length === pageSize) return { blobs, cursor: blobs.at(-1)?.key };
        const found = await files.stat(join(folder, key));
        if (found) blobs.push({ key, bytes: found.size });
      }
      return { blobs };
    },
    remove: (key) => files.remove(join(folder, key)),
    async removeAll(prefix, mayRemove) {
      await mayRemove?.();
      return removeFolders([prefix]);
    },
    removeFolders,
  };
}
