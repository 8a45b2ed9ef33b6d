import type { Dirent } from 'node:fs';
import {
  appendFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Every way in which an archive touches the disk, by full paths. Tests put faults and crashes in between. */
export const disk = {
  /** Makes one folder; `false` where it exists. */
  makeFolder: (path: string) => unless('EEXIST', () => mkdir(path).then(() => true), false),
  /** Makes a folder and those above it. Node's own recursion never ends where a file system makes none, as in /proc. */
  async makeFolders(path: string): Promise<void> {
    if ((await disk.stat(path)) !== undefined) return;
    if (dirname(path) !== path) await disk.makeFolders(dirname(path));
    await disk.makeFolder(path);
  },
  /** `undefined` where there is no such file. */
  read: (path: string): Promise<Uint8Array | undefined> => unless('ENOENT', () => readFile(path), undefined),
  /** Size and permission bits of a file, `undefined` where there is none. */
  stat: (path: string) => unless('ENOENT', () => stat(path), undefined),
  /** Paths of the files, or of the folders, of a folder and, unless `deep` is `false`, below it, relative to it, in order. */
  async list(folder: string, kind: 'files' | 'folders' = 'files', below = '', deep = true): Promise<readonly string[]> {
    const none: Dirent[] = [];
    const entries = await unless('ENOENT', () => readdir(join(folder, below), { withFileTypes: true }), none);
    // Node's own recursion follows links to folders, also in a circle.
    const listed = entries.map(async (entry) => {
      const path = below + entry.name;
      const isKind = entry.isDirectory() === (kind === 'folders');
      const isInner = deep && entry.isDirectory();
      return [...(isKind ? [path] : []), ...(isInner ? await disk.list(folder, kind, `${path}/`) : [])];
    });
    return (await Promise.all(listed)).flat().sort();
  },
  /** Writes a new file and waits until it is on the disk. */
  write: (path: string, content: Uint8Array | string, mode?: number) => writeFile(path, content, { mode, flush: true }),
  /** Writes a file that must not exist yet; `false` where it does. */
  writeExclusively: (path: string, content: string) =>
    unless('EEXIST', () => writeFile(path, content, { flag: 'wx', flush: true }).then(() => true), false),
  /** Appends and waits until it is on the disk. */
  append: (path: string, content: string) => appendFile(path, content, { flush: true }),
  async truncate(path: string, size: number): Promise<void> {
    await using file = await open(path, 'r+');
    await file.truncate(size);
    await file.sync();
  },
  rename: (from: string, to: string) => rename(from, to),
  /** Says that a file is in use now. Needs no room on the disk; `false` where the file is gone. */
  touch: (path: string) => unless('ENOENT', () => utimes(path, new Date(), new Date()).then(() => true), false),
  /** Waits until new, renamed and removed names of a folder are on the disk. */
  async syncFolder(path: string): Promise<void> {
    // Windows has no way to open a folder; there the rename itself is durable.
    if (process.platform === 'win32') return;
    await using folder = await open(path);
    await folder.sync();
  },
  remove: (path: string) => rm(path, { force: true }),
  /** Removes a folder if it is empty; `false` where it is not. One that is gone is fine. */
  removeFolder: (path: string) =>
    unless('ENOTEMPTY', () => unless('ENOENT', () => rmdir(path).then(() => true), true), false),
};

/** How an archive reads and writes files. */
export type FileLayer = Readonly<typeof disk>;

async function unless<Result, Otherwise>(
  code: string,
  run: () => Promise<Result>,
  otherwise: Otherwise,
): Promise<Result | Otherwise> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return otherwise;
    throw error;
  }
}

export async function textOf(files: FileLayer, path: string): Promise<string | undefined> {
  const bytes = await files.read(path);
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** Where a file is before it has its name. No pattern of a reader matches it. */
export function temporaryOf(path: string, mark = ''): string {
  return join(dirname(path), `.${basename(path)}${mark}.tmp`);
}

/** Makes a folder and those above it, down from `root`, so that a crash afterwards does not lose them. */
export async function makeFolders(files: FileLayer, root: string, path: string): Promise<void> {
  let at = root;
  for (const name of path.split('/')) {
    const above = at;
    at = join(at, name);
    if (await files.makeFolder(at)) await files.syncFolder(above);
  }
}

/**
 * Replaces a file whole: whenever a crash comes, a reader finds the old content or the new one. That it is the new one is sure once its
 * folder is on the disk as well.
 *
 * @param written where the new content is before it has its name
 */
export async function placeFile(
  files: FileLayer,
  path: string,
  content: Uint8Array | string,
  mode?: number,
  written = temporaryOf(path),
) {
  await files.write(written, content, mode);
  await files.rename(written, path);
}

/** Replaces a file whole. When this resolves, the new content survives a crash. */
export async function replaceFile(...file: Parameters<typeof placeFile>) {
  await placeFile(...file);
  const [files, path] = file;
  await files.syncFolder(dirname(path));
}
