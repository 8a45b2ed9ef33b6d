import { readFileSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { replaceFile } from '#kit/replace-file.js';
import { attempt } from '../attempt.js';
import { waitForLock } from '../store/file-lock.js';
import { fileState, lookForChanges } from '../store/file-state.js';
import { type KeyRecord, parseKeys, printKeys } from './key-record.js';

const lockMs = 10_000;

/** The keys of a file, or `null` when it cannot be read or is not a key file. */
function readKeyFile(path: string): readonly KeyRecord[] | null {
  return attempt(() => parseKeys(readFileSync(path, 'utf8')));
}

/** @throws {Error} when the file cannot be read or is not a key file */
export function recordsIn(path: string): readonly KeyRecord[] {
  const records = readKeyFile(path);
  if (records === null) throw new Error('the key file cannot be read, or is not one');
  return records;
}

/** Reads a key file, and again whenever it has changed; `null` when it is none. Returns the keys of now, and what ends the watching. */
export function watchKeyFile(path: string, onChange: (records: readonly KeyRecord[] | null) => void) {
  let known = new Map([[path, fileState(path)]]);
  const look = () => {
    known = new Map([[path, fileState(path)]]);
    onChange(readKeyFile(path));
  };
  return { records: readKeyFile(path), close: lookForChanges(() => known, look) };
}

/**
 * Changes a key file, which is made when there is none. Owner, group and mode of the file stay as they are, so that the proxy
 * that reads it still can. Changes wait for each other.
 *
 * @throws {Error} when the file stays locked, is no key file, cannot be written, or cannot be kept for its owner
 */
export async function changeKeyFile(
  named: string,
  change: (records: readonly KeyRecord[]) => readonly KeyRecord[],
): Promise<void> {
  // A link stays a link.
  const path = await realpath(named).catch(() => named);
  const unlock = await waitForLock(`${path}.lock`, lockMs, lockMs).catch((error: unknown) => {
    throw new Error(
      error instanceof Error && 'syscall' in error
        ? 'the folder of the key file cannot be written'
        : 'another command has held the key file for ten seconds; try again',
    );
  });
  try {
    const owner = await stat(path).catch(() => null);
    const records = owner === null ? [] : recordsIn(path);
    await replaceFile(path, printKeys(change(records)), owner).catch((error: unknown) => {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      throw new Error(
        error.syscall === 'fchown'
          ? 'the key file belongs to another user or group; run the command as that user, or as root'
          : 'the key file cannot be written',
      );
    });
  } finally {
    await unlock();
  }
}
