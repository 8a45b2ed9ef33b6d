// What a backup looks like:
//
//   backup.json                     which archive it is of
//   keys/20261129T015324123Z.age    a generation of the key store: keys of all vehicles, sealed for the operator
//   keys/20261129T015324123Z.list   the folders whose keys are in it, and hashes of their vehicles
//   vehicles/<folder>/<name>.age    a file of a vehicle, sealed under the key of the vehicle
//   vehicles/<folder>/index-<time>-<name>.age   which files there are, sealed as well
//   receipts/                       receipts of what was purged, as they are
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ArchiveError } from '../archive-error.js';
import { type FileLayer, textOf } from '../file-layer.js';

/** Files of the archive itself that a generation of the key store holds. */
export const storeNames = ['archive.json', 'archive.key', 'archive.erased', 'receipts.key'] as const;

/** A generation of the key store, before it is sealed. */
export interface KeyStore {
  readonly version: 1;
  readonly files: Readonly<Partial<Record<(typeof storeNames)[number], string>>>;
  readonly vehicles: readonly { readonly brand: string; readonly vehicle: string; readonly key: string }[];
}

/** What a vehicle has in a backup, before it is sealed. */
export interface VehicleIndex {
  readonly version: 1;
  readonly files: readonly IndexedFile[];
  /** Files that an earlier index had, and when this was seen, in milliseconds since 1970 UTC. */
  readonly superseded: readonly { readonly name: string; readonly at: number }[];
}

/** A file of a vehicle in a backup. */
export interface IndexedFile {
  /** Path from the folder of the vehicle in the archive. */
  readonly path: string;
  readonly sha256: string;
  /** Name of the sealed file. */
  readonly name: string;
}

/** A generation of the key store by its time. */
export const generationOf = (time: number) => new Date(time).toISOString().replace(/[-:.]/g, '');

/** When a generation was made, in milliseconds since 1970 UTC. */
export function timeOfGeneration(name: string): number {
  return Date.parse(name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, '$1-$2-$3T$4:$5:$6.$7Z'));
}

/** The line of a vehicle among those that were erased: a hash, as in `archive.erased`. */
export const tombstoneOf = (vehicle: string) => createHash('sha256').update(`erased:${vehicle}`).digest('hex');

/** The generations of a key store, the oldest first. */
export async function generationsIn(files: FileLayer, keys: string): Promise<readonly string[]> {
  const names = await files.list(keys, 'files', '', false);
  return names.flatMap((name) => /^(\d{8}T\d{9}Z)\.age$/.exec(name)?.[1] ?? []);
}

/** The index of a vehicle by its file name. */
const indexPattern = /^index-(\d+)-([0-9a-f]{32})\.age$/;

/** The indexes among the files of a vehicle, the oldest first. */
export function indexesAmong(names: readonly string[]) {
  return names
    .flatMap((name) => {
      const [, time, mark] = indexPattern.exec(name) ?? [];
      return time === undefined || mark === undefined ? [] : [{ name, time: Number(time), mark }];
    })
    .sort((one, other) => one.time - other.time);
}

/** Writes a file whole. A crash leaves a name that ends in `.tmp`. The folder has to be synced afterwards. */
export async function writeWhole(files: FileLayer, path: string, content: Uint8Array | string, mode?: number) {
  await files.write(`${path}.tmp`, content, mode);
  await files.rename(`${path}.tmp`, path);
}

/** @throws ArchiveError `backup-differs` where a folder has the backup of another archive, or something else. */
export async function requireBackupOf(files: FileLayer, folder: string, keyId: string | undefined): Promise<boolean> {
  const text = await textOf(files, join(folder, 'backup.json'));
  if (text === undefined) return false;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const isBackup = typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
  if (!isBackup) throw new ArchiveError('backup-differs', 'backup.json is not of version 1');
  const isOther =
    keyId !== undefined && !('keyId' in (value as object) && (value as { keyId: unknown }).keyId === keyId);
  if (isOther)
    throw new ArchiveError('backup-differs', 'the folder has the backup of another archive; use another folder');
  return true;
}
