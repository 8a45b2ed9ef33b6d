// Fetches what is missing or provisional and writes it: several windows at a time, and what became of each vehicle.
import type { SeriesName } from '@vehicle-data/client/series';
import { ArchiveError, requireArgument } from '../archive-error.js';
import { storeSettings } from '../archive-settings.js';
import { contractDigest } from '../contract.js';
import type { OpenArchive } from '../folder/open-archive.js';
import { seriesNames } from '../format/series-contract.js';
import { memberOf } from '../format/trip-parts.js';
import type { VehicleKey } from '../store/state-store.js';
import type { Window } from '../windows.js';
import { findWindow } from './find-window.js';
import { type ExportRequest, tasksOf } from './plan-export.js';
import type { ReadWindow } from './read-window.js';
import { changedTrips, partToFetch } from './window-part.js';
import { fetchWindow, type WindowStores, type WindowTask, writeWindow } from './write-window.js';

/** How to export. */
export interface ExportOptions extends ExportRequest {
  readonly readWindow: ReadWindow;
  /** How many windows are fetched at a time, 1 to 16. Default 2. */
  readonly concurrency?: number | undefined;
  /** Who exports, for `accesses`: a program, and a person where you know one. Default: a program. */
  readonly by?: string | undefined;
  /** Ends the export. Windows that are written stay. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each window. What it throws or rejects with is dropped. */
  readonly onProgress?: ((progress: ExportProgress) => unknown) | undefined;
}

/** How far an export has come. */
export interface ExportProgress {
  readonly windowsDone: number;
  readonly windowsTotal: number;
  readonly trips: number;
  readonly bytes: number;
}

/** A window that could not be fetched or written. */
export interface WindowFailure extends Window {
  readonly series: SeriesName;
  readonly error: unknown;
}

/** What became of one vehicle. */
export interface VehicleOutcome {
  readonly brand: string;
  readonly vehicle: string;
  /**
   * - `complete`: every window is in the archive.
   * - `failed`: some are missing; the same call fetches those. A vehicle is left after five failures.
   * - `withheld`: the service says that the owner does not share the data. List the vehicles and call `reconcile`.
   * - `erased`: it was purged for good. Nothing is fetched until it is readmitted.
   * - `aborted`: the export ended before this vehicle was complete: by its signal, or after ten failures in a row.
   */
  readonly outcome: 'complete' | 'failed' | 'withheld' | 'erased' | 'aborted';
  readonly failures: readonly WindowFailure[];
}

/** What an export did. */
export interface ExportReport {
  readonly windowsTotal: number;
  readonly windowsFetched: number;
  /** Windows that cost no call: settled already, or waiting for that. */
  readonly windowsSkipped: number;
  readonly trips: number;
  readonly bytes: number;
  readonly vehicles: readonly VehicleOutcome[];
}

/** A vehicle is left after so many of its windows failed, and the export ends after twice as many failures in a row. */
const mostFailures = 5;

/**
 * Fetches what is missing or provisional, window by window. Before that, arguments are checked and another contract is accepted.
 *
 * @throws ArchiveError `invalid-argument`, `settings-differ`.
 */
export async function exportTrips(archive: OpenArchive, options: ExportOptions): Promise<ExportReport> {
  const { concurrency = 2, signal, onProgress, readWindow, by = 'a program', from, to, series = seriesNames } = options;
  const isPossible = Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 16;
  requireArgument(isPossible, 'concurrency must be 1 to 16');
  requireArgument(typeof readWindow === 'function', 'readWindow must be a function');
  const { tasks, vehicles: named, windows } = await tasksOf(archive, options);
  const { state } = archive;
  const stores = storesOf(archive);
  if (archive.settings.contract !== contractDigest) {
    const accepted = { ...archive.settings, contract: contractDigest, oneSchema: false };
    await storeSettings(state, accepted);
    archive.settings = accepted;
  }
  // A disk that is full or read-only is so for every window.
  const diskFailure = new AbortController();
  const end = AbortSignal.any([diskFailure.signal, ...(signal ? [signal] : [])]);

  const vehicles = new Map<string, VehicleState>();
  const stateOfVehicle = ({ brand, vehicle }: VehicleKey) => {
    const known = vehicles.get(`${brand}/${vehicle}`);
    if (known) return known;
    const left = windows.length;
    const made: VehicleState = { brand, vehicle, left, isWithheld: false, isErased: false, failures: [] };
    vehicles.set(`${brand}/${vehicle}`, made);
    return made;
  };
  for (const one of named) stateOfVehicle(one).isErased = await state.isErased(one.vehicle);
  const windowsTotal = windows.length * named.length;
  const total = { windowsTotal, windowsFetched: 0, windowsSkipped: 0, trips: 0, bytes: 0 };
  let [failed, failedInARow] = [0, 0];

  async function exportWindow(task: WindowTask): Promise<void> {
    const vehicle = stateOfVehicle(task);
    if (vehicle.isErased || vehicle.isWithheld || vehicle.failures.length >= mostFailures) return;
    const fail = (error: unknown) => {
      if (end.aborted) return undefined;
      if (isConsentError(error)) vehicle.isWithheld = true;
      else {
        failed += 1;
        // Windows that were under way when their vehicle was left say nothing about others.
        if (vehicle.failures.length < mostFailures) failedInARow += 1;
        vehicle.failures.push({ series: task.series, from: task.from, to: task.to, error });
      }
      return undefined;
    };
    const found = await findWindow(archive, task).catch((error: unknown) => {
      // The manifest of one vehicle says nothing about those of others.
      if (!(error instanceof ArchiveError && error.code === 'archive-damaged')) throw error;
      return fail(error);
    });
    if (found?.days.length === 0) {
      total.windowsSkipped += 1;
      vehicle.left -= 1;
    } else if (found !== undefined) {
      const part = await partToFetch(archive, task, found.days);
      const fetched = await fetchWindow(archive.settings, task, readWindow, end, archive.now, part).catch(fail);
      if (end.aborted) return;
      if (fetched) {
        // A holder that lost its lease writes nothing.
        const access = { at: isoOf(archive.now()), by, series, from, until: to };
        vehicle.logged ??= stores.lease.check().then(() => archive.log.exported(vehicle, access));
        await vehicle.logged;
        const changed = await changedTrips(archive, task, part, fetched);
        const { trips, bytes } = await writeWindow(stores, task, { ...fetched, changed });
        failedInARow = 0;
        total.windowsFetched += 1;
        total.trips += trips;
        total.bytes += bytes;
        vehicle.left -= 1;
      }
    }
    const { windowsFetched, windowsSkipped, trips, bytes } = total;
    const windowsDone = windowsFetched + windowsSkipped + failed;
    // Observing an export never ends it.
    (async () => onProgress?.({ windowsDone, windowsTotal, trips, bytes }))().catch(() => undefined);
  }

  // The workers take tasks from one iterator.
  const queue = tasks();
  async function work(): Promise<void> {
    for (const task of queue) {
      // Windows come vehicle by vehicle: twice as many in a row means that a second vehicle failed as well.
      if (end.aborted || failedInARow >= 2 * mostFailures) return;
      await exportWindow(task).catch((error: unknown) => diskFailure.abort(error));
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  if (diskFailure.signal.aborted) throw diskFailure.signal.reason;
  return {
    ...total,
    vehicles: [...vehicles.values()].map((state) => {
      const { brand, vehicle, failures } = state;
      return { brand, vehicle, outcome: outcomeOf(state), failures };
    }),
  };
}

interface VehicleState extends Pick<VehicleOutcome, 'brand' | 'vehicle'> {
  /** Windows that are not in the archive yet. */
  left: number;
  isWithheld: boolean;
  isErased: boolean;
  failures: WindowFailure[];
  /** Resolves when this export stands in the log. */
  logged?: Promise<void>;
}

const isoOf = (time: number) => new Date(time).toISOString();

function outcomeOf({ isWithheld, isErased, failures, left }: VehicleState): VehicleOutcome['outcome'] {
  if (isErased) return 'erased';
  if (isWithheld) return 'withheld';
  if (failures.length > 0) return 'failed';
  return left > 0 ? 'aborted' : 'complete';
}

function storesOf({ blobs, state, lease }: OpenArchive): WindowStores {
  if (!lease) throw new ArchiveError('invalid-argument', 'the archive was opened to read only');
  return { blobs, state, lease };
}

/** Errors of the SDK say what to do next; those about consent want the owner's agreement. */
function isConsentError(error: unknown): boolean {
  return memberOf(error, 'resolution') === 'ask-consent';
}
