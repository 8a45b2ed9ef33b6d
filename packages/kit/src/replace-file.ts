// Files that are replaced in one step: a reader, and whoever comes after a crash, finds all of the old text or all of the new.
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';

const draftOf = (path: string) => `${path}.${randomUUID()}.tmp`;

/**
 * Replaces a file, or makes it. Resolves when the text and the name are on the disk.
 *
 * @param owner who owns the file; default: this process, and nobody else can read it
 * @throws {Error} when the file cannot be written, or cannot be given to its owner
 */
export async function replaceFile(
  path: string,
  text: string,
  owner: Pick<Stats, 'uid' | 'gid' | 'mode'> | null = null,
): Promise<void> {
  const draft = draftOf(path);
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
  await syncFolder(dirname(path));
}

/**
 * Makes a file under a name that nobody has, for this process alone to read. Of several that want the name one gets it. The text is on the disk
 * then; the name is once `syncFolder` has resolved.
 *
 * @returns `false` where somebody has the name
 */
export async function makeFile(path: string, text: string): Promise<boolean> {
  const draft = draftOf(path);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft).catch(() => {});
  }
}

/** Resolves when new, renamed and removed names of a folder are on the disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no way to open a folder; there a name is durable by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** The same before the next line of the program runs, for this process alone to read. A power failure may leave the old text. */
export function replaceFileSync(path: string, text: string): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
