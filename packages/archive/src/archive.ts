import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SeriesName } from '@vehicle-data/client/series';
import { ArchiveError, requireArgument } from './archive-error.js';
import {
  type ArchiveFormat,
  type ArchiveSettings,
  type ArchiveShape,
  readSettings,
  settleSettings,
  storeSettings,
  type WantedSettings,
} from './archive-settings.js';
import { seriesContract, seriesNames } from './contract.js';
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
import { takeLock } from './lock.js';
import { openManifest, type Purge } from './manifest.js';
import { isTemporary } from './own-files.js';
import { readPseudonyms } from './pseudonyms.js';
import { purgeVehicle } from './purge.js';
import { type VerifyReport, verifyFiles } from './verify.js';
import { writeViews } from './views.js';
import { readFileTrips } from './window-file.js';

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
}

/** What a purge removed. */
export interface PurgeReport {
  readonly vehicles: readonly string[];
  readonly files: number;
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

/** A folder of trips. One process works on it at a time. */
export class Archive implements AsyncDisposable {
  readonly folder: string;
  readonly #opened: OpenArchive;
  readonly #unlock: () => Promise<void>;
  readonly #readOnly: boolean;
  #isClosed = false;
  #changing: Promise<unknown> | undefined;

  /** Waits for a call that changes the archive, then lets other processes work on it. This object changes nothing after that. */
  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    await this.#changing;
    await this.#unlock();
  };

  /** Use `createArchive` or `openArchive`. */
  constructor(opened: OpenArchive, unlock: () => Promise<void>, readOnly: boolean) {
    this.#opened = opened;
    this.#unlock = unlock;
    this.#readOnly = readOnly;
    this.folder = opened.folder;
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
      await writeViews(this.#opened);
      return report;
    });
  }

  /** What the archive holds. */
  vehicles(): readonly HeldTrips[] {
    const held = new Map<string, HeldTrips>();
    for (const { brand, vehicle, series, from, to, path, bytes, trips } of this.#opened.manifest.entries()) {
      const key = `${brand}/${vehicle}/${series}`;
      const before = held.get(key) ?? { brand, vehicle, series, files: 0, bytes: 0, trips: 0, from, to };
      const files = before.files + (path === null ? 0 : 1);
      held.set(key, { ...before, files, bytes: before.bytes + bytes, trips: before.trips + trips, to });
    }
    return [...held.values()];
  }

  /**
   * Trips as the service sent them, by window.
   *
   * @throws ArchiveError `not-lossless` for CSV and for samples.
   */
  async *trips(of: VehicleName & { readonly series: SeriesName }): AsyncGenerator<unknown, void, undefined> {
    const { files, folder, manifest, settings } = this.#opened;
    requireArgument(seriesNames.includes(of.series), 'no such series');
    const name = this.#nameOf(of);
    for (const { vehicle, series, path } of manifest.entries()) {
      if (vehicle !== name || series !== of.series || path === null) continue;
      const content = await files.read(join(folder, path));
      const trips = content && (await readFileTrips(settings, seriesContract(of.series), content));
      if (!trips) throw new ArchiveError('not-lossless', 'the files of this archive do not hold the trips as sent');
      yield* trips;
    }
  }

  /** Compares manifest and files both ways and reads every file. */
  verify(): Promise<VerifyReport> {
    return verifyFiles(this.#opened);
  }

  /**
   * Removes everything of one vehicle.
   *
   * @throws ArchiveError `archive-locked` while another call changes the archive.
   */
  purge(vehicle: VehicleName): Promise<PurgeReport> {
    return this.#purgeAll(async () => [{ vehicle: this.#nameOf(vehicle) }]);
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
      const held = new Set(this.vehicles().flatMap((each) => (each.brand === brand ? each.vehicle : [])));
      // Also those whose first line of the manifest a crash prevented.
      for (const path of await this.#opened.files.list(this.folder, 'folders')) {
        const [at, vehicle = ''] = path.split('/vehicle=');
        if (at === `brand=${brand}` && /^[0-9a-f]+$/.test(vehicle)) held.add(vehicle);
      }
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
      let files = 0;
      for (const purge of purges) files += await purgeVehicle(this.#opened, purge);
      await writeViews(this.#opened);
      return { vehicles: purges.map(({ vehicle }) => vehicle), files };
    });
  }

  /** Changes the archive; one call at a time does. */
  async #alone<Result>(change: () => Promise<Result>): Promise<Result> {
    requireArgument(!this.#readOnly, 'the archive was opened to read only');
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
  const { source, zoneId, format, shape } = options;
  requireArgument(typeof source === 'string' && source !== '', 'source must be a string');
  requireArgument(['parquet', 'ndjson', 'csv', undefined].includes(format), 'format must be parquet, ndjson or csv');
  requireArgument(['trips', 'samples', undefined].includes(shape), 'shape must be trips or samples');
  return openFolder(options, { source, zoneId, format, shape });
}

/**
 * Opens an existing archive with its own settings.
 *
 * @throws ArchiveError `archive-missing`, `archive-locked`, `key-file-missing`.
 */
export async function openArchive(options: OpenOptions): Promise<Archive> {
  return openFolder(options);
}

async function openFolder(options: OpenOptions, wanted?: WantedSettings): Promise<Archive> {
  const { files = disk, now = Date.now, readOnly = false } = options;
  const missing = 'the folder holds no archive; check the path, or restore archive.json';
  const folder = resolve(options.folder);
  const mayCreate = wanted !== undefined && !readOnly;
  if (mayCreate) await mkdir(folder, { recursive: true });
  else if (!(await readSettings(files, folder))) throw new ArchiveError('archive-missing', missing);
  const unlock = readOnly ? async () => {} : await takeLock(files, join(folder, 'archive.lock'));
  try {
    const stored = await readSettings(files, folder);
    const { keyId, pseudonymOf } = await readPseudonyms(files, join(folder, 'archive.key'), !stored);
    if (!stored && (await files.stat(join(folder, 'manifest.ndjson'))))
      throw new ArchiveError('archive-missing', missing);
    const manifest = await openManifest(files, folder, readOnly);
    const paths = await files.list(folder);
    // A first export may have failed because of a wrong address or zone.
    const isEmpty =
      wanted !== undefined &&
      manifest.isEmpty() &&
      !paths.some((path) => path.startsWith('brand=') && !isTemporary(path));
    const settings = settleSettings(stored, wanted ?? {}, keyId, isEmpty);
    if (settings !== stored && !readOnly) await storeSettings(files, folder, settings);
    const opened: OpenArchive = { files, folder, settings, manifest, now, pseudonymOf };
    if (readOnly) return new Archive(opened, unlock, readOnly);
    for (const path of paths) if (isTemporary(path)) await files.remove(join(folder, path));
    for (const purge of manifest.unfinishedPurges()) await purgeVehicle(opened, purge);
    await writeViews(opened);
    return new Archive(opened, unlock, readOnly);
  } catch (error) {
    await unlock().catch(() => undefined);
    throw error;
  }
}
