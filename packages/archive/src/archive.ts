// The archive as its users have it: one method for each thing to do. What is done stands in the files that are imported here.
import type { SeriesName } from '@vehicle-data/client/series';
import { ArchiveError, requireArgument } from './archive-error.js';
import type { ArchiveSettings } from './archive-settings.js';
import type { BackupOptions, BackupReport } from './backup/backup.js';
import { type ExportOptions, type ExportReport, exportTrips } from './export/export-trips.js';
import { noteSchema } from './export/note-schema.js';
import { type ExportRequest, type PlannedWindow, planExport } from './export/plan-export.js';
import type { FileLayer } from './file-layer.js';
import type { Access } from './folder/access-log.js';
import type { StoredReceipt } from './folder/folder-receipts.js';
import type { OpenArchive } from './folder/open-archive.js';
import { seriesContract, seriesNames } from './format/series-contract.js';
import { type HeldTrips, heldTrips } from './held-trips.js';
import { type MergeReport, mergeSettledMonths } from './merge-months.js';
import { purgeVehicles } from './purge.js';
import { archiveQuality } from './quality/quality.js';
import type { QualityOptions, QualityReport } from './quality/quality-report.js';
import { type ConsentList, missingFrom } from './reconcile.js';
import { type RepairReport, repairManifests } from './repair.js';
import type { Purge } from './store/state-store.js';
import { type VerifyReport, verifyFiles } from './verify.js';
import { writeViews } from './views.js';
import { readFileTrips } from './window-file.js';

/** What a purge removed. */
export interface PurgeReport {
  readonly vehicles: readonly string[];
  readonly files: number;
  /** Paths of the receipts from the folder of the archive: one for each brand that a vehicle was held of. */
  readonly receipts: readonly string[];
}

/** A vehicle by its VIN or by its pseudonym. */
export type VehicleName = { readonly vin: string } | { readonly vehicle: string };

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

  /** The name of a vehicle in the archive: a keyed hash. It is personal data. */
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
  async reconcile(list: ConsentList): Promise<PurgeReport> {
    return this.#purgeAll(missingFrom(this.#opened, list));
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
