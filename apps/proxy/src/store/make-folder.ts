import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder that only this user may open, and the folders above it. It stays as it is if it is there.
 *
 * Node's recursive `mkdir` tries forever where the system says ENOENT for a folder whose parent exists, as it does in `/proc`.
 *
 * @throws {Error} with the `code` of the system
 */
export async function makeFolder(path: string): Promise<void> {
  if (await make(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  if (!(await make(path))) throw Object.assign(new Error(`${path} cannot be made`), { code: 'ENOENT' });
}

/** Whether the folder is there now; `false` when that above it is not. */
async function make(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
