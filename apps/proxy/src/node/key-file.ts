import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type KeyRecord, parseKeys, printKeys } from '../callers/key-record.js';
import { writeAtomically } from './atomic-file.js';
import { lockFile } from './file-lock.js';

const checkEveryMs = 1000;
const lockMs = 10_000;

/** The keys of a file, or `null` when it cannot be read or is not a key file. */
export function readKeyFile(path: string): readonly KeyRecord[] | null {
  try {
    return parseKeys(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Looks about once a second whether a key file has changed.
 *
 * @param onChange hears the keys, or `null` when the file can no longer be read
 * @returns ends the watching
 */
export function watchKeyFile(path: string, onChange: (records: readonly KeyRecord[] | null) => void): () => void {
  const look = () => onChange(readKeyFile(path));
  watchFile(path, { interval: checkEveryMs, persistent: false }, look);
  return () => unwatchFile(path, look);
}

/**
 * Changes a key file, which is made when there is none; no other change can come between.
 *
 * @throws {Error} when the file is locked, is no key file, or cannot be written
 */
export async function changeKeyFile(
  path: string,
  change: (records: readonly KeyRecord[]) => readonly KeyRecord[],
): Promise<void> {
  const unlock = await lockFile(`${path}.lock`, lockMs);
  if (unlock === null) throw new Error('somebody else is changing the key file just now');
  try {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw new Error('the key file cannot be read');
    });
    const records = text === null ? [] : parseKeys(text);
    if (records === null) throw new Error('the file is not a key file');
    await writeAtomically(path, printKeys(change(records)));
  } finally {
    await unlock();
  }
}
