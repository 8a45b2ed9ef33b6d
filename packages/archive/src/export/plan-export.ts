// What an export is to fetch: the windows of a request, checked, and what the archive has of them.
import type { SeriesName } from '@vehicle-data/client/series';
import { ArchiveError, requireArgument } from '../archive-error.js';
import { contractDigest } from '../contract.js';
import type { OpenArchive } from '../folder/open-archive.js';
import { seriesContract, seriesNames } from '../format/series-contract.js';
import type { VehicleKey, WindowEntry } from '../store/state-store.js';
import { isDate, rangesOf, type VehicleWindow, type Window, windowsOf } from '../windows.js';
import { findWindow, type WindowState } from './find-window.js';
import type { WindowTask } from './write-window.js';

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

/** One window of a plan. */
export interface PlannedWindow extends VehicleWindow {
  readonly series: SeriesName;
  readonly state: WindowState;
  /** Calls that an export makes for it now. */
  readonly requests: number;
}

/**
 * The windows of a request and what the archive has of them. Fetches nothing.
 *
 * @throws ArchiveError `invalid-argument`, `settings-differ`.
 */
export async function planExport(archive: OpenArchive, request: ExportRequest): Promise<readonly PlannedWindow[]> {
  const planned: PlannedWindow[] = [];
  const { tasks } = await tasksOf(archive, request);
  for (const task of tasks()) {
    const { vin: _, only: __, ...window } = task;
    const { state, days } = await findWindow(archive, task);
    planned.push({ ...window, state, requests: rangesOf(days).length });
  }
  return planned;
}

/** What a request asks for, checked. */
interface ExportTasks {
  /** The windows of all vehicles, vehicle by vehicle. They are made one after the other: a fleet has millions. */
  readonly tasks: () => Generator<WindowTask, void, undefined>;
  /** The windows of one vehicle. */
  readonly windows: readonly Window[];
  readonly vehicles: readonly VehicleKey[];
}

/** @throws ArchiveError `invalid-argument`, `settings-differ`. */
export async function tasksOf(
  archive: OpenArchive,
  { vehicles, series = seriesNames, from, to, exactDays = false, acceptContract = false }: ExportRequest,
): Promise<ExportTasks> {
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

/** What of a window lies in a range that overlaps it: from the second of their four ends to the third. `undefined` where all of it does. */
function partOf(window: Window, range: Window): Window | undefined {
  const [from = '', to = ''] = [window.from, window.to, range.from, range.to].sort().slice(1, 3);
  return from === window.from && to === window.to ? undefined : { from, to };
}
