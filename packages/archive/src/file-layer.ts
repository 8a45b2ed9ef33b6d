import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Every way in which an archive touches the disk, by full paths. Tests put faults and crashes in between. */
export interface FileLayer {
  /** Makes one folder; `false` where it exists. */
  makeFolder(path: string): Promise<boolean>;
  /** `undefined` where there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Bytes of a file, `undefined` where there is none. */
  size(path: string): Promise<number | undefined>;
  /** Permission bits, `undefined` where there is no such file. */
  mode(path: string): Promise<number | undefined>;
  /** Paths of all files below a folder, relative to it, in order. */
  list(folder: string): Promise<readonly string[]>;
  /** Writes a new file and waits until it is on the disk. */
  write(path: string, content: Uint8Array | string, mode?: number): Promise<void>;
  /** Writes a file that must not exist yet; `false` where it does. */
  writeExclusively(path: string, content: string, mode?: number): Promise<boolean>;
  /** Appends and waits until it is on the disk. */
  append(path: string, content: string): Promise<void>;
  truncate(path: string, size: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Waits until new, renamed and removed names of a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Removes a folder if it is empty; `false` where it is not. */
  removeFolder(path: string): Promise<boolean>;
}

/** A file as text, `undefined` where there is none. */
export async function textOf(files: FileLayer, path: string): Promise<string | undefined> {
  const bytes = await files.read(path);
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** The disk. */
export const disk: FileLayer = {
  makeFolder: (path) => unless('EEXIST', () => mkdir(path).then(() => true), false),
  read: (path) => unless('ENOENT', () => readFile(path), undefined),
  size: (path) => unless('ENOENT', async () => (await stat(path)).size, undefined),
  mode: (path) => unless('ENOENT', async () => (await stat(path)).mode, undefined),
  async list(folder) {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
      .sort();
  },
  write: (path, content, mode) => writeSynced(path, 'w', content, mode),
  writeExclusively: (path, content, mode) =>
    unless('EEXIST', () => writeSynced(path, 'wx', content, mode).then(() => true), false),
  append: (path, content) => writeSynced(path, 'a', content),
  async truncate(path, size) {
    await using file = await open(path, 'r+');
    await file.truncate(size);
    await file.sync();
  },
  rename,
  async syncFolder(path) {
    // Windows has no way to open a folder; there the rename itself is durable.
    if (process.platform === 'win32') return;
    await using folder = await open(path, constants.O_RDONLY);
    await folder.sync();
  },
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => unless('ENOTEMPTY', () => rmdir(path).then(() => true), false),
};

async function writeSynced(path: string, flags: string, content: Uint8Array | string, mode?: number): Promise<void> {
  await using file = await open(path, flags, mode);
  await file.writeFile(content);
  await file.sync();
}

async function unless<Result>(code: string, run: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return otherwise;
    throw error;
  }
}
