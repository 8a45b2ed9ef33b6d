import { join, resolve } from 'node:path';
import type { SeriesName } from '@vehicle-data/client/series';
import { ArchiveError, requireArgument } from './archive-error.js';
import {
  type ArchiveFormat,
  type ArchiveSettings,
  type ArchiveShape,
  type SignalNames,
  storeSettings,
  type WantedSettings,
} from './archive-settings.js';
import type { BackupOptions, BackupReport } from './backup/backup.js';
import type { RestoreOptions, RestoreReport } from './backup/restore.js';
import type { BackupKey } from './backup/sealing.js';
import {
  type ExportOptions,
  type ExportReport,
  type ExportRequest,
  exportTrips,
  type PlannedWindow,
  planExport,
} from './export-trips.js';
import type { OpenArchive } from './export-windows.js';
import { disk, type FileLayer } from './file-layer.js';
import type { Access } from './folder/access-log.js';
import { isDiskFull, takeFolderLease, unlockFolder } from './folder/folder-lease.js';
import type { StoredReceipt } from './folder/folder-receipts.js';
import { openStores } from './folder/open-folder.js';
import { seriesContract, seriesNames } from './format/series-contract.js';
import { type MergeReport, mergeSettledMonths } from './merge-months.js';
import { issueReceipts, purgeVehicles } from './purge.js';
import { archiveQuality } from './quality/quality.js';
import type { QualityOptions, QualityReport } from './quality/quality-report.js';
import { type RepairReport, repairManifests } from './repair.js';
import type { LeaseHolder, Purge, WindowEntry } from './store/state-store.js';
import { type VerifyReport, verifyFiles } from './verify.js';
import { writeViews } from './views.js';
import { readFileTrips } from './window-file.js';
import { dayAfter, dayBefore, type Window } from './windows.js';

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

/** What an archive holds of one vehicle and series. */
export interface HeldTrips {
  readonly brand: string;
  readonly vehicle: string;
  readonly series: string;
  readonly files: number;
  readonly bytes: number;
  readonly trips: number;
  /** First day of the first window and last day of the last, yyyy-MM-dd. */
  readonly from: string;
  readonly to: string;
  /** Days between them that no window has: between two exports, or of windows that failed. */
  readonly gaps: readonly Window[];
}

/** What a purge removed. */
export interface PurgeReport {
  readonly vehicles: readonly string[];
  readonly files: number;
  /** Paths of the receipts from the folder of the archive: one for each brand that a vehicle was held of. */
  readonly receipts: readonly string[];
}

/** Who shares data according to the service. */
export interface ConsentList {
  readonly brand: string;
  /** VINs of all vehicles of the brand that share data, from `listVehicles`. */
  readonly vins: readonly string[];
  /** VINs of the only vehicles that are purged if they are not in the list. Default: all of the brand. */
  readonly among?: readonly string[] | undefined;
  /** How many vehicles may be missing from the list. Needed where that is more than half of the brand's. */
  readonly confirmPurge?: number | undefined;
}

/** A vehicle by its VIN or by its pseudonym. */
export type VehicleName = { readonly vin: string } | { readonly vehicle: string };

/** What is held of a vehicle by series. @param entries in the order of series and days */
function heldTrips(entries: readonly WindowEntry[]): readonly HeldTrips[] {
  const series = new Map<string, HeldTrips>();
  for (const entry of entries) {
    const { brand, vehicle, series: name, path, bytes, trips } = entry;
    const days = Object.keys(entry.days ?? {}).sort();
    const [from, to] = [days[0] ?? entry.from, days.at(-1) ?? entry.to];
    const none = { brand, vehicle, series: name, files: 0, bytes: 0, trips: 0, from, to: dayBefore(from), gaps: [] };
    const before: HeldTrips = series.get(name) ?? none;
    const next = dayAfter(before.to);
    series.set(name, {
      ...before,
      files: before.files + (path === null ? 0 : 1),
      bytes: before.bytes + bytes,
      trips: before.trips + trips,
      to,
      gaps: from > next ? [...before.gaps, { from: next, to: dayBefore(from) }] : before.gaps,
    });
  }
  return [...series.values()];
}

/** A folder of trips. One process works on it at a time. */
export class Archive implements AsyncDisposable {
  readonly folder: string;
  readonly #opened: OpenArchive;
  readonly #files: FileLayer;
  #isClosed = false;
  #changing: Promise<unknown> | undefined;

  /** Waits for a call that changes the archive, then lets other processes work on it. This object changes nothing after that. */
  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    await this.#changing;
    await this.#opened.lease?.release();
  };

  /** Use `createArchive` or `openArchive`. */
  constructor(opened: OpenArchive, folder: string, files: FileLayer) {
    this.#opened = opened;
    this.folder = folder;
    this.#files = files;
  }

  get settings(): ArchiveSettings {
    return this.#opened.settings;
  }

  /** The name under which a vehicle stands in the archive: a keyed hash. It is personal data. */
  pseudonymOf(vin: string): string {
    return this.#opened.pseudonymOf(vin);
  }

  /**
   * The windows of an export and what the archive has of them. Fetches and changes nothing.
   *
   * @throws ArchiveError as `export`.
   */
  plan(request: ExportRequest): Promise<readonly PlannedWindow[]> {
    return planExport(this.#opened, request);
  }

  /**
   * Fetches every window that is missing or provisional. After a crash, the same call resumes, and the files are the same as
   * without it.
   *
   * @throws ArchiveError `invalid-argument` before any call, `settings-differ` where the contract changed and was not accepted,
   *   `archive-locked` while another call changes the archive. Errors of the disk end the export; failed windows do not.
   */
  async export(options: ExportOptions): Promise<ExportReport> {
    return this.#alone(async () => {
      const report = await exportTrips(this.#opened, options);
      await noteSchema(this.#opened);
      await writeViews(this.#files, this.folder, this.#opened, options.series ?? seriesNames);
      return report;
    });
  }

  /**
   * What the archive holds. Reads the manifest of every vehicle, one after the other; those that are damaged as far as they can be
   * read.
   */
  async vehicles(): Promise<readonly HeldTrips[]> {
    const held: HeldTrips[] = [];
    for await (const one of this.eachVehicle()) held.push(one);
    return held;
  }

  /**
   * The same, one vehicle after the other, in the order of brand and pseudonym: who stops early reads no further.
   *
   * @param of Default: all vehicles.
   */
  async *eachVehicle(of?: VehicleName): AsyncGenerator<HeldTrips, void, undefined> {
    for await (const vehicle of this.#opened.state.vehicles({ vehicle: of && this.#nameOf(of) }))
      yield* heldTrips((await this.#opened.state.readable(vehicle)).entries);
  }

  /**
   * Who exported a vehicle into this archive, and who copied the archive since: when and to where. Goes with the vehicle when it is
   * purged. Archives of earlier versions did not write it down.
   */
  async accesses(of: VehicleName): Promise<readonly (Access & { readonly brand: string })[]> {
    const found: (Access & { readonly brand: string })[] = [];
    for await (const key of this.#opened.state.vehicles({ vehicle: this.#nameOf(of) }))
      for (const access of await this.#opened.log.of(key)) found.push({ brand: key.brand, ...access });
    return found;
  }

  /**
   * Trips as the service sent them, by window.
   *
   * @throws ArchiveError `not-lossless` for CSV and for samples.
   */
  async *trips(of: VehicleName & { readonly series: SeriesName }): AsyncGenerator<unknown, void, undefined> {
    const { blobs, state, settings } = this.#opened;
    requireArgument(seriesNames.includes(of.series), 'no such series');
    const name = this.#nameOf(of);
    for await (const { path } of state.windows({ vehicle: name, series: of.series })) {
      if (path === null) continue;
      const content = await blobs.get(path);
      const trips = content && (await readFileTrips(settings, seriesContract(of.series), content));
      if (!trips) throw new ArchiveError('not-lossless', 'the files of this archive do not hold the trips as sent');
      yield* trips;
    }
  }

  /**
   * What of the data is missing, late, changed or odd, by vehicle and month. Reads the files of the months that are wanted.
   *
   * @throws ArchiveError `invalid-argument` also for CSV and for samples, `archive-damaged`.
   */
  quality(options: QualityOptions = {}): Promise<QualityReport> {
    const { vehicles, ...rest } = options;
    return archiveQuality(this.#opened, rest, vehicles && new Set(vehicles.map((one) => this.#nameOf(one))));
  }

  /** Receipts of what was purged, in the order of brand, pseudonym and purge. Verify them with `@vehicle-data/archive/receipts`. */
  receipts(): Promise<readonly StoredReceipt[]> {
    return this.#opened.receipts.list();
  }

  /** The public keys that this archive signed receipts with, as PEM. Whoever verifies a receipt needs its key. */
  receiptKeys(): Promise<readonly string[]> {
    return this.#opened.receipts.publicKeys();
  }

  /** Compares manifest and files both ways and reads every file. */
  verify(): Promise<VerifyReport> {
    return verifyFiles(this.#opened);
  }

  /**
   * Makes the manifests from the files again, where they are cut, wrong or gone. No file is changed or removed. Windows that were not
   * listed, or not as they are, count as provisional: the next export of their days fetches them.
   *
   * @throws ArchiveError `archive-locked` while another call changes the archive.
   */
  repair(): Promise<RepairReport> {
    return this.#alone(() => repairManifests(this.#opened));
  }

  /**
   * Puts each settled month of a vehicle and series into one file, without fetching anything. Trips and their order stay as they are.
   * Archives of CSV and of samples stay as they are.
   *
   * @throws ArchiveError `archive-locked` while another call changes the archive.
   */
  async mergeMonths(): Promise<MergeReport> {
    return this.#alone(() => mergeSettledMonths(this.#opened));
  }

  /**
   * Copies what is new or changed into a backup. Each vehicle is sealed under a key of its own in the age format. Purging a vehicle
   * destroys that key, so that every copy of it becomes noise once the generations of the key store expired that have it.
   *
   * @throws ArchiveError `invalid-argument`, `backup-differs`, `archive-locked` while another call changes the archive.
   */
  async backup(options: BackupOptions): Promise<BackupReport> {
    return this.#alone(async () => {
      const { backupArchive } = await import('./backup/backup.js');
      return backupArchive(this.#opened, this.#files, this.folder, options);
    });
  }

  /**
   * Lets a vehicle that was purged be fetched again. Returns whether it had been.
   *
   * @throws ArchiveError `archive-locked` while another call changes the archive.
   */
  async readmit(vehicle: VehicleName): Promise<boolean> {
    return this.#alone(() => this.#opened.state.readmit(this.#nameOf(vehicle)));
  }

  /**
   * Removes everything of one vehicle, for good: it is not fetched again until `readmit` is called. What is left is a hash of its
   * pseudonym, and a receipt.
   *
   * @throws ArchiveError `invalid-argument` for a pseudonym that is none, `archive-locked` while another call changes the archive.
   */
  async purge(vehicle: VehicleName): Promise<PurgeReport> {
    const name = this.#nameOf(vehicle);
    requireArgument(/^[0-9a-f]{32}$/.test(name), 'a pseudonym has 32 hexadecimal digits');
    return this.#purgeAll(async () => [{ vehicle: name, erase: true }]);
  }

  /**
   * Purges the vehicles of a brand that no longer share data. What the archive has of other brands stays.
   *
   * @throws ArchiveError `purge-not-confirmed` where the list has less than half of them and `confirmPurge` is not the number of
   *   those that it does not have: an empty list by mistake, or that of another owner, must not empty the archive.
   *   `archive-locked` as `purge`.
   */
  async reconcile({ brand, vins, among, confirmPurge }: ConsentList): Promise<PurgeReport> {
    requireArgument(Array.isArray(vins), 'vins must be the list of vehicles that share data');
    const sharing = new Set(vins.map((vin) => this.pseudonymOf(vin)));
    const chosen = among && new Set(among.map((vin) => this.pseudonymOf(vin)));
    return this.#purgeAll(async () => {
      const held = new Set<string>();
      // Also those whose first entry a crash prevented.
      for await (const { vehicle } of this.#opened.state.vehicles({ brand })) held.add(vehicle);
      const missing = [...held].filter((vehicle) => !sharing.has(vehicle));
      const gone = missing.filter((vehicle) => chosen?.has(vehicle) ?? true);
      if (gone.length > 0 && missing.length * 2 > held.size && confirmPurge !== missing.length) {
        throw new ArchiveError(
          'purge-not-confirmed',
          `${missing.length} of ${held.size} vehicles no longer share data; check the list, then confirm the number to purge them`,
          { count: missing.length },
        );
      }
      return gone.map((vehicle) => ({ vehicle, brand }));
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #nameOf(name: VehicleName): string {
    return 'vin' in name ? this.pseudonymOf(name.vin) : name.vehicle;
  }

  #purgeAll(choose: () => Promise<readonly Purge[]>): Promise<PurgeReport> {
    return this.#alone(async () => {
      const purges = await choose();
      const { files, receipts } = await purgeVehicles(this.#opened, purges);
      await writeViews(this.#files, this.folder, this.#opened);
      return { vehicles: purges.map(({ vehicle }) => vehicle), files, receipts };
    });
  }

  /** Changes the archive; one call at a time does. */
  async #alone<Result>(change: () => Promise<Result>): Promise<Result> {
    requireArgument(this.#opened.lease !== undefined, 'the archive was opened to read only');
    requireArgument(!this.#isClosed, 'the archive was closed');
    if (this.#changing)
      throw new ArchiveError(
        'archive-locked',
        'another call changes this archive; wait for it, or end it by its signal',
      );
    const changing = change();
    this.#changing = changing.catch(() => {});
    try {
      return await changing;
    } finally {
      this.#changing = undefined;
    }
  }
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

/** Finds out once, for an archive of an earlier version, whether all of its files have the same columns. */
async function noteSchema(opened: OpenArchive): Promise<void> {
  if (opened.settings.oneSchema !== undefined) return;
  let oneSchema = true;
  for await (const vehicle of opened.state.vehicles()) {
    const { entries } = await opened.state.readable(vehicle);
    oneSchema &&= entries.every(({ path, contract }) => path === null || contract === opened.settings.contract);
  }
  opened.settings = { ...opened.settings, oneSchema };
  await storeSettings(opened.state, opened.settings);
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
