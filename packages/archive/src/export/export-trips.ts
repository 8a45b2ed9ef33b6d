import type { SeriesName } from '@vehicle-data/client/series';
import { ArchiveError, requireArgument } from '../archive-error.js';
import { storeSettings } from '../archive-settings.js';
import { contractDigest } from '../contract.js';
import type { OpenArchive } from '../folder/open-archive.js';
import { seriesContract, seriesNames } from '../format/series-contract.js';
import { memberOf } from '../format/trip-parts.js';
import type { VehicleKey, WindowEntry } from '../store/state-store.js';
import { isDate, rangesOf, type VehicleWindow, type Window, windowsOf } from '../windows.js';
import { findWindow, type WindowState } from './find-window.js';
import type { ReadWindow } from './read-window.js';
import { changedTrips, partToFetch } from './window-part.js';
import { fetchWindow, type WindowStores, type WindowTask, writeWindow } from './write-window.js';

/** What to export. */
export interface ExportRequest {
  readonly vehicles: readonly { readonly brand: string; readonly vin: string }[];
  /** Default: every series of the contract. */
  readonly series?: readonly SeriesName[] | undefined;
  /** First day, yyyy-MM-dd. The range is widened to whole windows. */
  readonly from: string;
  /** Last day, included, yyyy-MM-dd. Windows that begin after tomorrow are left out. */
  readonly to: string;
  /**
   * Asks for no day outside the range. Default false: for whole windows, so that all exports have the same files. The other days of
   * such a window are fetched by the first export without it.
   */
  readonly exactDays?: boolean | undefined;
  /** Continues an archive of another contract: new files are written with the current one, those that are there stay. Default false. */
  readonly acceptContract?: boolean | undefined;
}

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

/** One window of a plan. */
export interface PlannedWindow extends VehicleWindow {
  readonly series: SeriesName;
  readonly state: WindowState;
  /** Calls that an export makes for it now. */
  readonly requests: number;
}

/** Rejects an export into an archive of another contract, unless that is accepted and the windows are still the same. */
async function requireContract({ settings, state }: OpenArchive, acceptContract: boolean): Promise<void> {
  if (settings.contract === contractDigest) return;
  const isWindow = ({ series, from, to }: WindowEntry) => {
    const known = seriesNames.find((name) => name === series);
    // What is no series any more is not exported.
    if (known === undefined) return true;
    const windows = windowsOf(from, to, Number.POSITIVE_INFINITY, seriesContract(known).maxDays);
    // Those of a month may be in one file.
    return windows[0]?.from === from && windows.at(-1)?.to === to;
  };
  for await (const entry of state.windows()) {
    if (isWindow(entry)) continue;
    const reason = 'the contract has windows of other days than the archive; export into another folder';
    throw new ArchiveError('settings-differ', reason, { differences: ['windows'] });
  }
  if (acceptContract) return;
  const reason = 'the archive was written with another contract; accept the current one to continue it';
  throw new ArchiveError('settings-differ', reason, { differences: ['contract'] });
}

/**
 * The windows of a request and what the archive has of them. Fetches nothing.
 *
 * @throws ArchiveError `invalid-argument`, `settings-differ`.
 */
export async function planExport(archive: OpenArchive, request: ExportRequest): Promise<readonly PlannedWindow[]> {
  const planned: PlannedWindow[] = [];
  const { tasks } = await planOf(archive, request);
  for (const task of tasks()) {
    const { vin: _, only: __, ...window } = task;
    const { state, days } = await findWindow(archive, task);
    planned.push({ ...window, state, requests: rangesOf(days).length });
  }
  return planned;
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
  const { tasks, vehicles: named, windows } = await planOf(archive, options);
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

/** The windows of a request, vehicle by vehicle. They are made one after the other: a fleet has millions. */
async function planOf(
  archive: OpenArchive,
  { vehicles, series = seriesNames, from, to, exactDays = false, acceptContract = false }: ExportRequest,
) {
  const { pseudonymOf, now } = archive;
  await requireContract(archive, acceptContract);
  requireArgument(isDate(from) && isDate(to), 'from and to must be days, yyyy-MM-dd');
  requireArgument(from <= to, 'to must not be before from');
  requireArgument(Array.isArray(vehicles) && Array.isArray(series), 'vehicles and series must be lists');
  requireArgument(
    series.every((name) => seriesNames.includes(name)),
    `series must be of ${seriesNames.join(', ')}`,
  );
  const windows = [...new Set(series)].flatMap((name) =>
    windowsOf(from, to, now(), seriesContract(name).maxDays).map((window) => ({ ...window, series: name })),
  );
  requireArgument(windows.length > 0 || series.length === 0, 'the range is in the future');
  const named = new Map<string, VehicleKey & { readonly vin: string }>();
  for (const { brand, vin } of vehicles) {
    requireArgument(/^[\w-]+$/.test(brand), 'brand must be a name of letters, digits, _ and -');
    requireArgument(typeof vin === 'string' && vin !== '', 'vin must be a string');
    named.set(`${brand}/${vin}`, { brand, vin, vehicle: pseudonymOf(vin) });
  }
  function* tasks(): Generator<WindowTask, void, undefined> {
    const onlyOf = (window: Window) => (exactDays ? partOf(window, { from, to }) : undefined);
    for (const vehicle of named.values())
      for (const window of windows) yield { ...window, ...vehicle, only: onlyOf(window) };
  }
  return { tasks, windows, vehicles: [...named.values()] };
}

/** What of a window lies in a range that overlaps it: from the second of their four ends to the third. `undefined` where all of it does. */
function partOf(window: Window, range: Window): Window | undefined {
  const [from = '', to = ''] = [window.from, window.to, range.from, range.to].sort().slice(1, 3);
  return from === window.from && to === window.to ? undefined : { from, to };
}

function storesOf({ blobs, state, lease }: OpenArchive): WindowStores {
  if (!lease) throw new ArchiveError('invalid-argument', 'the archive was opened to read only');
  return { blobs, state, lease };
}

/** Errors of the SDK say what to do next; those about consent want the owner's agreement. */
function isConsentError(error: unknown): boolean {
  return memberOf(error, 'resolution') === 'ask-consent';
}
