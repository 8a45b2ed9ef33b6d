import type { SeriesName } from '@vehicle-data/client/series';
import { ArchiveError } from './archive-error.js';
import { type SeriesContract, seriesContract, seriesNames } from './contract.js';
import {
  type ReadWindow,
  stateOf,
  type WindowContext,
  WindowError,
  type WindowState,
  type WindowTask,
  writeWindow,
} from './export-windows.js';
import { isDate, windowsOf } from './windows.js';

/** What to export. */
export interface ExportRequest {
  readonly vehicles: readonly { readonly brand: string; readonly vin: string }[];
  /** Default: every series of the contract. */
  readonly series?: readonly SeriesName[] | undefined;
  /** First day, yyyy-MM-dd. The range is widened to whole windows. */
  readonly from: string;
  /** Last day, included, yyyy-MM-dd. Windows that begin after tomorrow are left out. */
  readonly to: string;
}

/** How to export. */
export interface ExportOptions extends ExportRequest {
  readonly readWindow: ReadWindow;
  /** How many windows are fetched at a time, 1 to 16. Default 2. */
  readonly concurrency?: number | undefined;
  /** The export ends after so many windows failed; the same call goes on with them. Default 5. */
  readonly maxFailures?: number | undefined;
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
export interface WindowFailure {
  readonly series: SeriesName;
  readonly from: string;
  readonly to: string;
  readonly error: unknown;
}

/** What became of one vehicle. */
export interface VehicleOutcome {
  readonly brand: string;
  readonly vehicle: string;
  /**
   * - `complete`: every window is in the archive.
   * - `failed`: some are missing; the same call fetches those.
   * - `withheld`: the service says that the owner does not share the data. List the vehicles and call `reconcile`.
   * - `aborted`: the export ended before this vehicle was complete.
   */
  readonly outcome: 'complete' | 'failed' | 'withheld' | 'aborted';
  readonly failures: readonly WindowFailure[];
}

/** What an export did. */
export interface ExportReport {
  readonly windowsTotal: number;
  readonly windowsFetched: number;
  /** Windows that were settled already and cost no call. */
  readonly windowsSkipped: number;
  readonly trips: number;
  readonly invalidTrips: number;
  readonly bytes: number;
  readonly vehicles: readonly VehicleOutcome[];
}

/** One window of a plan. */
export interface PlannedWindow {
  readonly brand: string;
  readonly vehicle: string;
  readonly series: SeriesName;
  readonly from: string;
  readonly to: string;
  readonly state: WindowState;
}

type Planner = Omit<WindowContext, 'readWindow' | 'signal'> & { readonly pseudonymOf: (vin: string) => string };

/** The windows of a request and what the archive has of them. Fetches nothing. */
export async function planExport(planner: Planner, request: ExportRequest): Promise<readonly PlannedWindow[]> {
  const planned: PlannedWindow[] = [];
  for (const task of tasksOf(planner, request)) {
    const { brand, vehicle, series, from, to } = task;
    planned.push({ brand, vehicle, series: series.name, from, to, state: await stateOf(planner, task) });
  }
  return planned;
}

/** Fetches what is missing or provisional, window by window. */
export async function exportTrips(planner: Planner, options: ExportOptions): Promise<ExportReport> {
  const { concurrency = 2, maxFailures = 5, signal, onProgress, readWindow } = options;
  requireArgument(
    Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 16,
    'concurrency must be 1 to 16',
  );
  requireArgument(maxFailures >= 1, 'maxFailures must be 1 or more');
  requireArgument(typeof readWindow === 'function', 'readWindow must be a function');
  const tasks = tasksOf(planner, options);
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  const context: WindowContext = { ...planner, readWindow, signal: controller.signal };

  const vehicles = new Map<
    string,
    { brand: string; vehicle: string; left: number; isWithheld: boolean; failures: WindowFailure[] }
  >();
  for (const { brand, vehicle } of tasks) {
    const known = vehicles.get(brand + vehicle);
    if (known) known.left += 1;
    else vehicles.set(brand + vehicle, { brand, vehicle, left: 1, isWithheld: false, failures: [] });
  }
  const total = {
    windowsTotal: tasks.length,
    windowsFetched: 0,
    windowsSkipped: 0,
    trips: 0,
    invalidTrips: 0,
    bytes: 0,
  };
  let [failed, broken]: [number, unknown] = [0, undefined];
  let next = 0;

  async function work(): Promise<void> {
    for (;;) {
      const task = tasks[next];
      if (!task || controller.signal.aborted || broken !== undefined || failed >= maxFailures) return;
      next += 1;
      const vehicle = vehicles.get(task.brand + task.vehicle);
      if (!vehicle || vehicle.isWithheld) continue;
      try {
        if ((await stateOf(context, task)) === 'settled') total.windowsSkipped += 1;
        else {
          const { trips, invalidTrips, bytes } = await writeWindow(context, task);
          total.windowsFetched += 1;
          total.trips += trips;
          total.invalidTrips += invalidTrips;
          total.bytes += bytes;
        }
        vehicle.left -= 1;
      } catch (error) {
        if (controller.signal.aborted) return;
        if (!(error instanceof WindowError)) {
          // A disk that is full or read-only is so for every window.
          broken = error;
          controller.abort();
          return;
        }
        if (isConsentError(error.cause)) vehicle.isWithheld = true;
        else {
          failed += 1;
          vehicle.failures.push({ series: task.series.name, from: task.from, to: task.to, error: error.cause });
        }
      }
      const { windowsFetched, windowsSkipped, trips, bytes } = total;
      quietly(() =>
        onProgress?.({
          windowsDone: windowsFetched + windowsSkipped + failed,
          windowsTotal: tasks.length,
          trips,
          bytes,
        }),
      );
    }
  }

  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, tasks.length) }, work));
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  if (broken !== undefined) throw broken;
  return {
    ...total,
    vehicles: [...vehicles.values()].map(({ brand, vehicle, left, isWithheld, failures }) => ({
      brand,
      vehicle,
      outcome: isWithheld ? 'withheld' : failures.length > 0 ? 'failed' : left > 0 ? 'aborted' : 'complete',
      failures,
    })),
  };
}

function tasksOf(
  { pseudonymOf, now }: Planner,
  { vehicles, series = seriesNames, from, to }: ExportRequest,
): readonly WindowTask[] {
  requireArgument(isDate(from) && isDate(to), 'from and to must be days, yyyy-MM-dd');
  requireArgument(from <= to, 'to must not be before from');
  requireArgument(Array.isArray(vehicles) && Array.isArray(series), 'vehicles and series must be lists');
  const contracts = series.map((name): SeriesContract => {
    const contract = seriesContract(name);
    if (!contract) throw new ArchiveError('invalid-argument', `series must be of ${seriesNames.join(', ')}`);
    return contract;
  });
  const planned = contracts.map((one) => ({ series: one, windows: windowsOf(from, to, now(), one.maxDays) }));
  requireArgument(
    planned.every(({ windows }) => windows.length > 0),
    'the range is in the future',
  );
  const tasks = vehicles.flatMap(({ brand, vin }) => {
    requireArgument(/^[\w-]+$/.test(brand), 'brand must be a brand of the contract');
    requireArgument(typeof vin === 'string' && vin !== '', 'vin must be a text');
    const vehicle = pseudonymOf(vin);
    return planned.flatMap((one) =>
      one.windows.map((window): WindowTask => ({ ...window, brand, vin, vehicle, series: one.series })),
    );
  });
  return [
    ...new Map(tasks.map((task) => [`${task.brand}/${task.vehicle}/${task.series.name}/${task.from}`, task])).values(),
  ];
}

function requireArgument(isRight: boolean, reason: string): void {
  if (!isRight) throw new ArchiveError('invalid-argument', reason);
}

/** Errors of the SDK say what to do next; those about consent want the owner's agreement. */
function isConsentError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'resolution' in error && error.resolution === 'ask-consent';
}

function quietly(run: () => unknown): void {
  try {
    Promise.resolve(run()).catch(() => undefined);
  } catch {
    // Observing an export never ends it.
  }
}
