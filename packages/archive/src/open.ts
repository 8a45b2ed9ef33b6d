// Opens archives: makes, repairs, unlocks and restores them.
import { join, resolve } from 'node:path';
import { Archive } from './archive.js';
import { ArchiveError, requireArgument } from './archive-error.js';
import type { ArchiveFormat, ArchiveShape, SignalNames, WantedSettings } from './archive-settings.js';
import type { RestoreOptions, RestoreReport } from './backup/restore.js';
import type { BackupKey } from './backup/sealing.js';
import { disk, type FileLayer } from './file-layer.js';
import { isDiskFull, takeFolderLease, unlockFolder } from './folder/folder-lease.js';
import { openStores } from './folder/open-folder.js';
import { issueReceipts, purgeVehicles } from './purge.js';
import type { RepairReport } from './repair.js';
import type { LeaseHolder } from './store/state-store.js';
import { writeViews } from './views.js';

/** Options of opening an archive. */
export interface OpenOptions {
  /** The folder of the archive. */
  readonly folder: string;
  /**
   * Changes nothing and takes no lock: for a look at an archive, or to verify a backup that cannot be written. Another process may
   * change the archive meanwhile. Default false.
   */
  readonly readOnly?: boolean | undefined;
  /** Milliseconds since 1970 UTC. Default: the clock of the machine. */
  readonly now?: (() => number) | undefined;
  /** How files are read and written. Default: the disk. */
  readonly files?: FileLayer | undefined;
}

/** Options of making an archive. One that holds a window must have the same. */
export interface ArchiveOptions extends OpenOptions {
  /** Where the trips come from: the base address, with a profile name where you have several. */
  readonly source: string;
  /** Time zone in which days are counted. Default UTC. */
  readonly zoneId?: string | undefined;
  /** Default parquet. */
  readonly format?: ArchiveFormat | undefined;
  /** Default trips; CSV always has samples, NDJSON always trips. */
  readonly shape?: ArchiveShape | undefined;
  /** `vss`: CSV in the names, units and types of the Vehicle Signal Specification. Default contract. */
  readonly names?: SignalNames | undefined;
}

/**
 * Opens the archive of a folder, or makes one.
 *
 * @example
 * await using archive = await createArchive({ folder: './archive', source: 'http://127.0.0.1:8787' });
 * @throws ArchiveError `settings-differ` where the folder holds trips with others, `archive-locked`, `key-file-unsafe`.
 */
export async function createArchive(options: ArchiveOptions): Promise<Archive> {
  const { source, zoneId, format, shape, names } = options;
  requireArgument(typeof source === 'string' && source !== '', 'source must be a string');
  requireArgument(['parquet', 'ndjson', 'csv', undefined].includes(format), 'format must be parquet, ndjson or csv');
  requireArgument(['trips', 'samples', undefined].includes(shape), 'shape must be trips or samples');
  requireArgument(['contract', 'vss', undefined].includes(names), 'names must be contract or vss');
  const fits = names !== 'vss' || format === 'csv';
  requireArgument(
    fits,
    'names vss needs format csv; an archive of Parquet has the views vss_driving and vss_powertrain',
  );
  return openFolder(options, { source, zoneId, format, shape, names });
}

/**
 * Opens an existing archive with its own settings. Without its key it can be listed, verified, repaired, and purged by pseudonyms.
 *
 * @throws ArchiveError `archive-missing`, `archive-locked`.
 */
export async function openArchive(options: OpenOptions): Promise<Archive> {
  return openFolder(options);
}

/**
 * Opens an archive whose manifests may be damaged and repairs them.
 *
 * @throws ArchiveError `archive-missing`, `archive-locked`.
 */
export async function repairArchive(options: OpenOptions): Promise<RepairReport> {
  await using archive = await openFolder({ ...options, readOnly: false, skipDamaged: true });
  return await archive.repair();
}

/**
 * Ends the lease of a process that works on an archive, whoever it is. If it still runs, it changes nothing more and fails with
 * `archive-locked`. Not needed for one that ended: its lease expires two minutes later.
 *
 * @returns who held the lease; `undefined` where nobody did
 * @throws ArchiveError `archive-missing`.
 */
export async function unlockArchive({ folder, files = disk }: OpenOptions): Promise<LeaseHolder | undefined> {
  if (!(await files.stat(join(resolve(folder), 'archive.json')))) throw new ArchiveError('archive-missing', missing);
  return unlockFolder(files, resolve(folder));
}

/**
 * Makes a key for backups, or tells the recipient of an age identity.
 *
 * @throws ArchiveError `invalid-argument` where it is none.
 */
export async function createBackupKey(identity?: string): Promise<BackupKey> {
  const { backupKey } = await import('./backup/sealing.js');
  return backupKey(identity);
}

/**
 * Makes an archive from its backup again, byte by byte. Vehicles that were purged since are left out.
 *
 * @throws ArchiveError `invalid-argument` where the folder holds an archive, `backup-missing`, `backup-differs`, `backup-sealed`.
 */
export async function restoreArchive(options: RestoreOptions): Promise<RestoreReport> {
  const { restoreBackup } = await import('./backup/restore.js');
  return restoreBackup(options);
}

const missing = 'the folder holds no archive; check the path, or restore archive.json';

async function openFolder(
  options: OpenOptions & { readonly skipDamaged?: boolean },
  wanted?: WantedSettings,
): Promise<Archive> {
  const { files = disk, now = Date.now, readOnly = false, skipDamaged = false } = options;
  const folder = resolve(options.folder);
  const isThere = async () => (await files.stat(join(folder, 'archive.json'))) !== undefined;
  if (wanted !== undefined && !readOnly) await files.makeFolders(folder);
  else if (!(await isThere())) throw new ArchiveError('archive-missing', missing);
  const lease = readOnly ? undefined : await takeFolderLease(files, folder, 'archive');
  try {
    const opened = await openStores({ files, folder, lease, now, wanted, skipDamaged });
    const archive = new Archive(opened, folder, files);
    if (readOnly) return archive;
    await purgeVehicles(opened, await opened.state.unfinishedPurges());
    // What frees room must work without any: receipts are issued and views are written whenever there is some.
    const whenFull = (error: unknown) => {
      if (!isDiskFull(error)) throw error;
    };
    await issueReceipts(opened).catch(whenFull);
    await writeViews(files, folder, opened).catch(whenFull);
    return archive;
  } catch (error) {
    await lease?.release().catch(() => undefined);
    throw error;
  }
}
