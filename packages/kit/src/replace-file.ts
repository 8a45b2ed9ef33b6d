// Files that are replaced in one step: a reader, and whoever comes after a crash, finds all of the old text or all of the new.
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
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
  // Windows has no way to open a folder; there the rename itself is durable.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
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
