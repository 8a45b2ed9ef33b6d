// Makes an archive from its backup again.
import { dirname, join, resolve } from 'node:path';
import { ArchiveError, requireArgument } from '../archive-error.js';
import { disk, type FileLayer, makeFolders, textOf } from '../file-layer.js';
import { backupKeyName, receiptsFolder, vehiclePrefix } from '../format/layout.js';
import { hasHash } from '../has-hash.js';
import { readReceipt } from '../receipts/receipt.js';
import { readIndex } from './backup.js';
import {
  indexesAmong,
  type KeyStore,
  requireBackupOf,
  storeNames,
  timeOfGeneration,
  tombstoneOf,
  writeWhole,
} from './backup-folder.js';
import { requireGenerations } from './key-generations.js';
import { openWith, vehicleSeal } from './sealing.js';

/** How to restore. */
export interface RestoreOptions {
  /** The folder of the backup. */
  readonly from: string;
  /** The folder of the archive. It must not hold one. */
  readonly folder: string;
  /** The age identity of the recipient, `AGE-SECRET-KEY-1…`. */
  readonly identity: string;
  /** Folder of the key store. Default: `keys` in `from`. */
  readonly keysFrom?: string | undefined;
  /** Generation of the key store; vehicles are restored as they were then. Default: the newest, and files as they were copied last. */
  readonly generation?: string | undefined;
  /** How files are read and written. Default: the disk. */
  readonly files?: FileLayer | undefined;
}

/** What a restore did. */
export interface RestoreReport {
  readonly generation: string;
  readonly vehicles: number;
  readonly files: number;
  /** Vehicles that were purged after this generation was made. They are not restored. */
  readonly purged: number;
  /** Paths of what cannot be restored: it is missing in the backup, or was changed. */
  readonly problems: readonly string[];
}

/**
 * Restores an archive, byte by byte. After a crash, the same call continues.
 *
 * @throws ArchiveError `invalid-argument`, `backup-missing`, `backup-differs`, `backup-sealed` where the identity is another one's.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { files = disk } = options;
  const [from, folder] = [resolve(options.from), resolve(options.folder)];
  const keys = options.keysFrom === undefined ? join(from, 'keys') : resolve(options.keysFrom);
  requireArgument(
    (await files.stat(join(folder, 'archive.json'))) === undefined,
    'the folder holds an archive already',
  );
  if (!(await requireBackupOf(files, from, undefined)))
    throw new ArchiveError('backup-missing', 'the folder has no backup');
  const generations = await requireGenerations(files, keys);
  const generation = options.generation ?? generations.at(-1) ?? '';
  requireArgument(generations.includes(generation), `generation must be one of ${generations.join(', ')}`);
  const store = await openStore(files, join(keys, `${generation}.age`), options.identity);
  await files.makeFolders(folder);
  const purges = await purgesAfter(files, join(from, receiptsFolder), timeOfGeneration(generation));
  const problems: string[] = [];
  const tombstones: string[] = [];
  let [vehicles, restored, purged] = [0, 0, 0];
  for (const one of store.vehicles) {
    const purge = purges.get(`${one.brand}/${one.vehicle}`);
    if (purge) {
      purged += 1;
      if (purge === 'request') tombstones.push(tombstoneOf(one.vehicle));
      continue;
    }
    const until = options.generation === undefined ? Number.POSITIVE_INFINITY : timeOfGeneration(generation);
    restored += await restoreVehicle(files, { from, folder, until, problems }, one);
    vehicles += 1;
  }
  await restoreReceipts(files, from, folder);
  for (const name of storeNames.toReversed()) {
    // The settings come last: until then the folder holds no archive.
    const erased = name === 'archive.erased' ? tombstones : [];
    const lines = [...new Set([...(store.files[name] ?? '').split('\n'), ...erased])].filter(Boolean).sort();
    const text = name === 'archive.erased' ? lines.map((line) => `${line}\n`).join('') : store.files[name];
    if (text) await writeWhole(files, join(folder, name), text, name.endsWith('.key') ? 0o600 : undefined);
  }
  await files.syncFolder(folder);
  return { generation, vehicles, files: restored, purged, problems };
}

async function openStore(files: FileLayer, path: string, identity: string): Promise<KeyStore> {
  const sealed = (await files.read(path)) ?? new Uint8Array();
  try {
    return JSON.parse(Buffer.from(await openWith(identity, sealed)).toString('utf8')) as KeyStore;
  } catch {
    // The cause may repeat the identity.
    throw new ArchiveError(
      'backup-sealed',
      'the keys of the backup cannot be opened; use the age identity of its recipient',
    );
  }
}

interface Place {
  readonly from: string;
  readonly folder: string;
  /** Only what was copied until then, in milliseconds since 1970 UTC. */
  readonly until: number;
  readonly problems: string[];
}

async function restoreVehicle(
  files: FileLayer,
  { from, folder, until, problems }: Place,
  { brand, vehicle, key }: KeyStore['vehicles'][number],
): Promise<number> {
  const seal = await vehicleSeal(key);
  const at = join(from, 'vehicles', seal.folder);
  const prefix = vehiclePrefix({ brand, vehicle });
  const indexes = indexesAmong(await files.list(at, 'files', '', false)).filter(({ time }) => time <= until);
  const last = indexes.at(-1);
  const sealed = last && (await files.read(join(at, last.name)));
  const index = sealed && (await readIndex(seal, sealed).catch(() => undefined));
  if (!index) {
    problems.push(prefix);
    return 0;
  }
  const written = new Set<string>();
  for (const { path, sha256, name } of index.files) {
    const blob = await files.read(join(at, name));
    const content = blob && (await seal.open(blob).catch(() => undefined));
    const isInside = !path.split('/').includes('..') && !path.startsWith('/');
    if (!content || !hasHash(content, sha256) || !isInside) {
      problems.push(prefix + path);
      continue;
    }
    const inFolder = dirname(prefix + path);
    if (!written.has(inFolder)) await makeFolders(files, folder, inFolder);
    written.add(inFolder);
    await writeWhole(files, join(folder, prefix + path), content);
  }
  if (written.size === 0) await makeFolders(files, folder, prefix.slice(0, -1));
  await writeWhole(files, join(folder, prefix, backupKeyName), `${key}\n`, 0o600);
  for (const one of written) await files.syncFolder(join(folder, one));
  return index.files.length;
}

/** Why vehicles were purged after some time, by brand and pseudonym. */
async function purgesAfter(files: FileLayer, at: string, time: number): Promise<ReadonlyMap<string, string>> {
  const purges = new Map<string, string>();
  for (const name of await files.list(at, 'files', '', false)) {
    const receipt = name.endsWith('.json') ? readReceipt((await textOf(files, join(at, name))) ?? '') : undefined;
    if (!receipt || Date.parse(receipt.completed.time) < time) continue;
    purges.set(`${receipt.brand}/${receipt.pii_principal_id}`, receipt.signal.event_type);
  }
  return purges;
}

async function restoreReceipts(files: FileLayer, from: string, folder: string): Promise<void> {
  const at = join(from, receiptsFolder);
  const names = (await files.list(at, 'files', '', false)).filter((name) => !name.endsWith('.tmp'));
  if (names.length === 0) return;
  await makeFolders(files, folder, receiptsFolder);
  for (const name of names)
    await writeWhole(files, join(folder, receiptsFolder, name), (await files.read(join(at, name))) ?? '');
  await files.syncFolder(join(folder, receiptsFolder));
}
