import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lockFile } from './file-lock.js';
import { makeFolder } from './make-folder.js';
import { Store, type Unlock } from './memory-store.js';

/** State in a folder of one machine, shared by the processes that use the same folder. */
export class FileStore extends Store {
  readonly #folder: string;

  /** @param folder is made when it does not exist */
  constructor(folder: string) {
    super();
    this.#folder = folder;
  }

  async read(key: string): Promise<string | null> {
    try {
      return await readFile(this.#path(key), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  async write(key: string, text: string): Promise<void> {
    await makeFolder(this.#folder);
    await writeAtomically(this.#path(key), text);
  }

  async lock(key: string, ttlMs: number): Promise<Unlock | null> {
    await makeFolder(this.#folder);
    return lockFile(`${this.#path(key)}.lock`, ttlMs);
  }

  #path(key: string): string {
    return join(this.#folder, `${key.replaceAll(/[^0-9A-Za-z._-]/g, '_')}.json`);
  }
}

/**
 * Writes a file so that a reader, and whoever comes after a crash, finds either all of the old text or all of the new. Resolves
 * when the text is on the disk.
 *
 * @param owner who owns the file; default: this process, and nobody else can read it
 * @throws {Error} when the file cannot be written, or cannot be given to its owner
 */
export async function writeAtomically(
  path: string,
  text: string,
  owner: Pick<Stats, 'uid' | 'gid' | 'mode'> | null = null,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      if (owner !== null) {
        const { uid, gid } = await file.stat();
        if (uid !== owner.uid || gid !== owner.gid) await file.chown(owner.uid, owner.gid);
        await file.chmod(owner.mode & 0o777);
      }
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
  // The new name itself has to reach the disk, too.
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}
