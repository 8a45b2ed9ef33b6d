import { createHmac, randomBytes } from 'node:crypto';
import { ArchiveError } from './archive-error.js';
import { type FileLayer, replaceFile, textOf } from './file-layer.js';

/** What the key of an archive gives. */
export interface Pseudonyms {
  /** `undefined` where there is no key. */
  readonly keyId: string | undefined;
  readonly pseudonymOf: (vin: string) => string;
}

/** Without its key, an archive can still be listed, verified, repaired, and purged by pseudonyms. */
export const noPseudonyms: Pseudonyms = {
  keyId: undefined,
  pseudonymOf() {
    throw new ArchiveError('key-file-missing', 'the key file of the archive is missing; restore it from a copy');
  },
};

/**
 * Reads the key of an archive, or makes one.
 *
 * @returns `keyId`, which tells one key from another without giving it away, and `pseudonymOf`, a keyed hash of a VIN: 32
 *   hexadecimal digits. Still personal data, since whoever has the key can test a VIN.
 * @throws ArchiveError `key-file-missing` where it must exist and does not, `key-file-unsafe` where others may read it.
 */
export async function readPseudonyms(files: FileLayer, path: string, mayCreate: boolean): Promise<Pseudonyms> {
  let text = await textOf(files, path);
  if (text === undefined && mayCreate) {
    await replaceFile(files, path, `${newPseudonymKey()}\n`, 0o600);
    text = await textOf(files, path);
  }
  if (text === undefined) {
    throw new ArchiveError('key-file-missing', 'the key file of the archive is missing; restore it from a copy');
  }
  const mode = (await files.stat(path))?.mode ?? 0;
  if (process.platform !== 'win32' && mode & 0o077) {
    throw new ArchiveError('key-file-unsafe', 'other users may read the key file; run chmod 600 on it');
  }
  return pseudonymsOf(text);
}

/** A new key, 64 hexadecimal digits. */
export const newPseudonymKey = (): string => randomBytes(32).toString('hex');

/** @throws ArchiveError `key-file-unsafe` where the text is no key. */
export function pseudonymsOf(text: string): Pseudonyms & { readonly keyId: string } {
  const key = Buffer.from(text.trim(), 'hex');
  if (key.length !== 32) throw new ArchiveError('key-file-unsafe', 'the key file must hold 64 hexadecimal digits');
  const hash = (purpose: string, value: string) =>
    createHmac('sha256', key).update(`${purpose}:${value}`).digest('hex');
  return { keyId: hash('key', '').slice(0, 16), pseudonymOf: (vin: string) => hash('vehicle', vin).slice(0, 32) };
}
