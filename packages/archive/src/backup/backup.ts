// Copies an archive so that purging a vehicle also ends its copies: each vehicle is sealed under a key of its own, which goes with it.
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { requireArgument } from '../archive-error.js';
import { type FileLayer, replaceFile, textOf } from '../file-layer.js';
import type { OpenArchive } from '../folder/open-archive.js';
import { backupKeyName, receiptsFolder, vehiclePrefix } from '../format/layout.js';
import { hasHash } from '../has-hash.js';
import { stagedPath } from '../own-files.js';
import type { VehicleKey } from '../store/state-store.js';
import { filesOf } from '../verify.js';
import { type IndexedFile, indexesAmong, requireBackupOf, type VehicleIndex, writeWhole } from './backup-folder.js';
import { expireKeys, removeNoise, writeGeneration } from './key-generations.js';
import { identityPattern, makeIdentity, sealFor, type VehicleSeal, vehicleSeal } from './sealing.js';

/** How to back up. */
export interface BackupOptions {
  /** The folder of the backup. */
  readonly to: string;
  /** Who can restore: an age recipient, `age1…`. Its identity belongs elsewhere than the backup. */
  readonly recipient: string;
  /** Folder of the key store. Copies of it must not live longer than `keyDays`. Default: `keys` in `to`. */
  readonly keysTo?: string | undefined;
  /** Who backs up, for `accesses`. Default: a program. */
  readonly by?: string | undefined;
  /** Days that generations of the key store are kept: how long a vehicle can be restored after its purge, at most. Default 7. */
  readonly keyDays?: number | undefined;
  /** Days that earlier versions of files are kept. Default 30. */
  readonly keepDays?: number | undefined;
  /** Lets keys expire also of vehicles that are missing and were not purged. Default false. */
  readonly forgetMissing?: boolean | undefined;
}

/** What a backup did. */
export interface BackupReport {
  /** The generation of the key store that was written. */
  readonly generation: string;
  readonly vehicles: number;
  /** Files that were new or changed. */
  readonly sealed: number;
  readonly unchanged: number;
  /** Bytes of sealed files that were written. */
  readonly bytes: number;
  /** Generations of the key store that expired. */
  readonly generationsExpired: number;
  /** Folders of vehicles that were removed, since their keys are gone everywhere. */
  readonly foldersRemoved: number;
  /** Vehicles of earlier generations that are missing and were not purged. Their keys do not expire. */
  readonly missing: number;
  /** Paths of files that are not what the manifest says. What the backup had of them stays. */
  readonly damaged: readonly string[];
}

const msPerDay = 86_400_000;

/** @throws ArchiveError `invalid-argument`, `backup-differs`. */
export async function backupArchive(
  archive: OpenArchive,
  files: FileLayer,
  folder: string,
  options: BackupOptions,
): Promise<BackupReport> {
  const { keyDays = 7, keepDays = 30, forgetMissing = false, recipient, by = 'a program' } = options;
  const to = resolve(options.to);
  const keys = options.keysTo === undefined ? join(to, 'keys') : resolve(options.keysTo);
  requireArgument(
    [keyDays, keepDays].every((days) => days >= 0),
    'keyDays and keepDays must be at least 0',
  );
  requireArgument(!`${to}/`.startsWith(`${resolve(folder)}/`), 'a backup must not be inside its archive');
  await sealFor(recipient, '').catch(() => requireArgument(false, 'recipient must be an age recipient, age1…'));
  const now = archive.now();
  if (!(await requireBackupOf(files, to, archive.settings.keyId))) {
    await files.makeFolders(join(to, 'vehicles'));
    await writeWhole(
      files,
      join(to, 'backup.json'),
      `${JSON.stringify({ version: 1, keyId: archive.settings.keyId })}\n`,
    );
  }
  await files.makeFolders(join(to, 'vehicles'));
  await files.makeFolders(keys);
  await archive.log.copied({ at: new Date(now).toISOString(), by, to });
  const total = { sealed: 0, unchanged: 0, bytes: 0 };
  const damaged: string[] = [];
  const vehicles: (VehicleKey & { readonly seal: VehicleSeal })[] = [];
  for await (const vehicle of archive.state.vehicles()) {
    const seal = await sealOf(files, folder, vehicle);
    const done = await backupVehicle(archive, files, vehicle, seal, { to, now, keepMs: keepDays * msPerDay });
    total.sealed += done.sealed;
    total.unchanged += done.unchanged;
    total.bytes += done.bytes;
    damaged.push(...done.damaged);
    vehicles.push({ ...vehicle, seal });
  }
  await copyReceipts(files, folder, to);
  await archive.lease?.check();
  const generation = await writeGeneration(files, folder, keys, recipient, vehicles, now);
  const expired = await expireKeys(files, folder, keys, { generation, now, keyMs: keyDays * msPerDay, forgetMissing });
  const foldersRemoved = await removeNoise(files, to, keys);
  return { generation, vehicles: vehicles.length, ...total, ...expired, foldersRemoved, damaged };
}

/** The key of a vehicle, which is made for its first backup. A key that cannot be read is replaced: the next backup seals all files again. */
async function sealOf(files: FileLayer, folder: string, vehicle: VehicleKey): Promise<VehicleSeal> {
  const path = join(folder, vehiclePrefix(vehicle), backupKeyName);
  const known = (await textOf(files, path))?.trim();
  if (known !== undefined && identityPattern.test(known)) return vehicleSeal(known);
  const identity = await makeIdentity();
  await replaceFile(files, path, `${identity}\n`, 0o600, stagedPath(folder, vehiclePrefix(vehicle) + backupKeyName));
  return vehicleSeal(identity);
}

interface Target {
  readonly to: string;
  readonly now: number;
  readonly keepMs: number;
}

/** Seals what is new or changed of a vehicle: first the files, then their index. A crash in between leaves the index before it. */
async function backupVehicle(
  archive: OpenArchive,
  files: FileLayer,
  vehicle: VehicleKey,
  seal: VehicleSeal,
  { to, now, keepMs }: Target,
) {
  const at = join(to, 'vehicles', seal.folder);
  await files.makeFolders(at);
  const there = new Set(await files.list(at, 'files', '', false));
  for (const name of there) if (name.endsWith('.tmp')) await files.remove(join(at, name));
  const prefix = vehiclePrefix(vehicle);
  const { entries } = await archive.state.readable(vehicle);
  const hashes = new Map(entries.map(({ path, sha256 }) => [path, sha256] as const));
  const indexed: IndexedFile[] = [];
  const total = { sealed: 0, unchanged: 0, bytes: 0 };
  const damaged: string[] = [];
  for (const key of await filesOf(archive, vehicle)) {
    if (key.slice(prefix.length) === backupKeyName) continue;
    // What the manifest lists is read only where the backup does not have it yet.
    const listed = hashes.get(key);
    let content = listed ? undefined : await archive.blobs.get(key);
    const sha256 =
      listed ??
      createHash('sha256')
        .update(content ?? '')
        .digest('hex');
    const name = `${seal.nameOf('file', sha256)}.age`;
    const file = { path: key.slice(prefix.length), sha256, name };
    if (there.has(name)) {
      total.unchanged += 1;
      indexed.push(file);
      continue;
    }
    content ??= await archive.blobs.get(key);
    if (!content || !hasHash(content, sha256)) {
      damaged.push(key);
      continue;
    }
    const sealed = await seal.seal(content);
    await writeWhole(files, join(at, name), sealed);
    there.add(name);
    total.sealed += 1;
    total.bytes += sealed.byteLength;
    indexed.push(file);
  }
  const indexes = indexesAmong([...there]);
  const last = indexes.at(-1);
  const mark = seal.nameOf('index', JSON.stringify(indexed));
  if (last?.mark !== mark) {
    await files.syncFolder(at);
    const superseded = await supersededOf(files, at, seal, { there, indexed, last: last?.name, now });
    const gone = superseded.filter((one) => one.at < now - keepMs);
    const index: VehicleIndex = {
      version: 1,
      files: indexed,
      superseded: superseded.filter((one) => !gone.includes(one)),
    };
    // Later than the one before, whatever the clock says.
    const time = Math.max(now, (last?.time ?? 0) + 1);
    await writeWhole(files, join(at, `index-${time}-${mark}.age`), await seal.seal(JSON.stringify(index)));
    await files.syncFolder(at);
    for (const { name } of gone) await files.remove(join(at, name));
    for (const { name, time: made } of indexes) if (made < now - keepMs) await files.remove(join(at, name));
  }
  return { ...total, damaged };
}

/** Files that a vehicle had in earlier backups and does not have any more. */
async function supersededOf(
  files: FileLayer,
  at: string,
  seal: VehicleSeal,
  found: {
    readonly there: ReadonlySet<string>;
    readonly indexed: readonly IndexedFile[];
    readonly last: string | undefined;
    readonly now: number;
  },
): Promise<VehicleIndex['superseded']> {
  const sealed = found.last && (await files.read(join(at, found.last)));
  const before = sealed ? await readIndex(seal, sealed).catch(() => undefined) : undefined;
  const known = new Map(before?.superseded.map(({ name, at: since }) => [name, since]));
  const current = new Set(found.indexed.map(({ name }) => name));
  return [...found.there]
    .filter((name) => /^[0-9a-f]{32}\.age$/.test(name) && !current.has(name))
    .map((name) => ({ name, at: known.get(name) ?? found.now }));
}

/** Reads the index of a vehicle. Whoever could seal it had the key: its members are what was written. */
export async function readIndex(seal: VehicleSeal, sealed: Uint8Array): Promise<VehicleIndex> {
  return JSON.parse(Buffer.from(await seal.open(sealed)).toString('utf8')) as VehicleIndex;
}

async function copyReceipts(files: FileLayer, folder: string, to: string): Promise<void> {
  const [from, at] = [join(folder, receiptsFolder), join(to, receiptsFolder)];
  const there = new Set(await files.list(at, 'files', '', false));
  const missing = (await files.list(from, 'files', '', false)).filter(
    (name) => /^[^.].*\.(json|pem)$/.test(name) && !there.has(name),
  );
  if (missing.length === 0) return;
  await files.makeFolders(at);
  for (const name of missing) await writeWhole(files, join(at, name), (await files.read(join(from, name))) ?? '');
  await files.syncFolder(at);
}
