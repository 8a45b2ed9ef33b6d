import { randomUUID } from 'node:crypto';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file so that a reader, and whoever comes after a crash, finds either all of the old text or all of the new. Only the
 * owner can read it. Resolves when the text is on the disk.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
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
