import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SeriesName } from '@vehicle-data/client/series';
import { ArchiveError } from './archive-error.js';
import {
  type ArchiveFormat,
  type ArchiveSettings,
  type ArchiveShape,
  checkSettings,
  readSettings,
  type WantedSettings,
  writeSettings,
} from './archive-settings.js';
import { contractDigest, seriesContract } from './contract.js';
import { replaceFile, temporary } from './durable-files.js';
import {
  type ExportOptions,
  type ExportReport,
  type ExportRequest,
  exportTrips,
  type PlannedWindow,
  planExport,
} from './export-trips.js';
import { disk, type FileLayer } from './file-layer.js';
import { takeLock } from './lock.js';
import { type Manifest, openManifest } from './manifest.js';
import { bestCodec } from './parquet-codec.js';
import { type Pseudonyms, readPseudonyms } from './pseudonyms.js';
import { type ConsentList, goneVehicles, type PurgeReport, purgeVehicle } from './purge.js';
import { type VerifyReport, verifyFiles } from './verify.js';
import { viewFiles, viewNames } from './views.js';
import { readFileTrips } from './window-file.js';

/** Options of opening an archive. */
export interface OpenOptions {
  /** The folder of the archive. */
  readonly folder: string;
  /** The file with the key of the pseudonyms, mode 0600. Default: `archive.key` in the folder. */
  readonly keyFile?: string | undefined;
  /** Goes on with another contract than the one before: files written from now on name the new one. Default false. */
  readonly acceptContract?: boolean | undefined;
  /** Milliseconds since 1970 UTC. Default: the clock of the machine. */
  readonly now?: (() => number) | undefined;
  /** How files are read and written. Default: the disk. */
  readonly files?: FileLayer | undefined;
}

/** Options of making an archive. An existing one must have the same. */
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

/** A vehicle by its VIN or by its pseudonym. */
export type VehicleName = { readonly vin: string } | { readonly vehicle: string };

/** A folder of trips. One process works on it at a time. */
export interface Archive extends AsyncDisposable {
  readonly folder: string;
  readonly settings: ArchiveSettings;
  /** The name under which a vehicle stands in the archive: a keyed hash. It is personal data. */
  pseudonymOf(vin: string): string;
  /** The windows of an export and what the archive has of them. Fetches nothing. */
  plan(request: ExportRequest): Promise<readonly PlannedWindow[]>;
  /**
   * Fetches every window that is missing or provisional. After a crash, the same call resumes, and the files are the same as
   * without it.
   *
   * @throws ArchiveError `invalid-argument` before any call. Errors of the disk end the export; failed windows do not.
   */
  export(options: ExportOptions): Promise<ExportReport>;
  /** What the archive holds. */
  vehicles(): readonly HeldTrips[];
  /**
   * Trips as the service sent them, by window.
   *
   * @throws ArchiveError `not-lossless` for CSV and for samples.
   */
  trips(of: VehicleName & { readonly series: SeriesName }): AsyncGenerator<unknown, void, undefined>;
  /** Compares manifest and files both ways and reads every file. */
  verify(): Promise<VerifyReport>;
  /** Removes everything of one vehicle. */
  purge(vehicle: VehicleName): Promise<PurgeReport>;
  /**
   * Purges the vehicles of a brand that no longer share data.
   *
   * @throws ArchiveError `purge-not-confirmed` where that is more than half of them and `confirmPurge` is not their number.
   */
  reconcile(list: ConsentList): Promise<PurgeReport>;
  /** Lets other processes work on the archive. */
  close(): Promise<void>;
}

/**
 * Opens the archive of a folder, or makes one.
 *
 * @example
 * await using archive = await createArchive({ folder: './archive', source: 'http://127.0.0.1:8787' });
 * @throws ArchiveError `settings-differ` where the folder holds an archive with others, `archive-locked`, `key-file-unsafe`.
 */
export async function createArchive(options: ArchiveOptions): Promise<Archive> {
  const { source, zoneId, format, shape } = options;
  if (typeof source !== 'string' || source === '') throw new ArchiveError('invalid-argument', 'source must be a text');
  if (format !== undefined && !['parquet', 'ndjson', 'csv'].includes(format)) {
    throw new ArchiveError('invalid-argument', 'format must be parquet, ndjson or csv');
  }
  if (shape !== undefined && !['trips', 'samples'].includes(shape)) {
    throw new ArchiveError('invalid-argument', 'shape must be trips or samples');
  }
  return openFolder(options, { source, zoneId, format, shape });
}

/**
 * Opens an existing archive with its own settings.
 *
 * @throws ArchiveError `archive-missing`, `archive-locked`, `key-file-missing`.
 */
export async function openArchive(options: OpenOptions): Promise<Archive> {
  return openFolder(options, undefined);
}

async function openFolder(options: OpenOptions, wanted: WantedSettings | undefined): Promise<Archive> {
  const { files = disk, now = Date.now, acceptContract = false } = options;
  const folder = resolve(options.folder);
  if (wanted) await mkdir(folder, { recursive: true });
  else if (!(await readSettings(files, folder))) throw missing();
  const unlock = await takeLock(files, join(folder, 'archive.lock'));
  try {
    const stored = await readSettings(files, folder);
    const keyFile = resolve(options.keyFile ?? join(folder, 'archive.key'));
    const pseudonyms = await readPseudonyms(files, keyFile, !stored);
    const settings = stored
      ? checkSettings(stored, wanted ?? {}, pseudonyms.keyId, acceptContract)
      : settingsOf(wanted ?? {}, pseudonyms);
    if (!stored && (await files.size(join(folder, 'manifest.ndjson'))) !== undefined) throw missing();
    if (settings !== stored) await writeSettings(files, folder, settings);
    for (const path of await files.list(folder)) if (temporary.test(path)) await files.remove(join(folder, path));
    const manifest = await openManifest(files, folder);
    for (const vehicle of manifest.purging) await purgeVehicle(files, folder, manifest, vehicle);
    const archive = { files, folder, settings, manifest, pseudonyms, now, unlock };
    await writeViews(archive);
    return archiveOf(archive);
  } catch (error) {
    await unlock().catch(() => undefined);
    throw error;
  }
}

interface Opened {
  readonly files: FileLayer;
  readonly folder: string;
  readonly settings: ArchiveSettings;
  readonly manifest: Manifest;
  readonly pseudonyms: Pseudonyms;
  readonly now: () => number;
  readonly unlock: () => Promise<void>;
}

/** Writes the views of the series that the archive has files of. */
async function writeViews({ files, folder, settings, manifest }: Opened): Promise<void> {
  if (settings.format !== 'parquet' || settings.shape !== 'trips') return;
  const held = new Set(manifest.entries().flatMap(({ series, path }) => (path === null ? [] : [series])));
  for (const [name, text] of viewFiles(held)) {
    const path = join(folder, name);
    if (`${await files.read(path)}` !== text) await replaceFile(files, path, text);
  }
}

function archiveOf(opened: Opened): Archive {
  const { files, folder, settings, manifest, pseudonyms, now, unlock } = opened;
  const own = new Set(['archive.json', 'archive.key', 'archive.lock', 'manifest.ndjson', ...viewNames]);
  const pseudonymOf = (vin: string) => pseudonyms.of(vin);
  const planner = { files, folder, settings, manifest, now, pseudonymOf };
  const nameOf = (name: VehicleName) => ('vin' in name ? pseudonymOf(name.vin) : name.vehicle);
  const purgeAll = async (vehicles: readonly string[]): Promise<PurgeReport> => {
    let removed = 0;
    for (const vehicle of vehicles) removed += await purgeVehicle(files, folder, manifest, vehicle);
    await writeViews(opened);
    return { vehicles, files: removed };
  };
  return {
    folder,
    settings,
    pseudonymOf,
    plan: (request) => planExport(planner, request),
    export: async (options) => {
      const report = await exportTrips(planner, options);
      await writeViews(opened);
      return report;
    },
    vehicles: () => heldTrips(manifest),
    async *trips(of) {
      const series = seriesContract(of.series);
      if (!series) throw new ArchiveError('invalid-argument', 'no such series');
      for (const { vehicle, series: name, path } of manifest.entries()) {
        if (vehicle !== nameOf(of) || name !== of.series || path === null) continue;
        const content = await files.read(join(folder, path));
        const trips = content && (await readFileTrips(settings, series, content));
        if (!trips) throw new ArchiveError('not-lossless', 'the files of this archive do not hold the trips as sent');
        yield* trips;
      }
    },
    verify: () => verifyFiles(files, folder, manifest, settings, own),
    purge: async (name) => purgeAll([nameOf(name)]),
    reconcile: async (list) => purgeAll(goneVehicles(manifest, list, pseudonymOf)),
    close: unlock,
    [Symbol.asyncDispose]: unlock,
  };
}

function heldTrips(manifest: Manifest): readonly HeldTrips[] {
  const held = new Map<string, HeldTrips>();
  for (const { brand, vehicle, series, from, to, path, bytes, trips } of manifest.entries()) {
    const key = `${brand}/${vehicle}/${series}`;
    const before = held.get(key) ?? { brand, vehicle, series, files: 0, bytes: 0, trips: 0, from, to };
    held.set(key, {
      ...before,
      files: before.files + (path === null ? 0 : 1),
      bytes: before.bytes + bytes,
      trips: before.trips + trips,
      to,
    });
  }
  return [...held.values()];
}

function settingsOf(
  { source = '', zoneId = 'UTC', format = 'parquet', shape }: WantedSettings,
  { keyId }: Pseudonyms,
): ArchiveSettings {
  return {
    source,
    zoneId,
    // Both were checked when they were passed.
    format: format as ArchiveFormat,
    shape: format === 'csv' ? 'samples' : format === 'ndjson' ? 'trips' : ((shape ?? 'trips') as ArchiveShape),
    codec: bestCodec,
    keyId,
    contract: contractDigest,
  };
}

function missing(): ArchiveError {
  return new ArchiveError('archive-missing', 'the folder holds no archive; check the path, or restore archive.json');
}
