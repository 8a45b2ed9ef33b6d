import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SeriesName } from '@vehicle-data/client/series';
import type { ArchiveSettings } from './archive-settings.js';
import { contractDigest, type SeriesContract } from './contract.js';
import { type FileLayer, makeFolders, replaceFile } from './file-layer.js';
import type { Manifest, WindowEntry } from './manifest.js';
import { memberOf } from './trip-parts.js';
import { makeFile } from './window-file.js';
import { isSettled, type Window } from './windows.js';

/** Fetches the trips of one window: the only way in which an archive reaches the service. */
export type ReadWindow = (request: WindowRequest) => Promise<readonly unknown[]>;

/** One call for trips. */
export interface WindowRequest {
  readonly brand: string;
  readonly vin: string;
  readonly series: SeriesName;
  /** First day, yyyyMMdd. */
  readonly startDate: string;
  /** Last day, included, yyyyMMdd. */
  readonly endDate: string;
  readonly zoneId: string;
  readonly signal: AbortSignal;
}

/** An archive that is open: what its functions work on. */
export interface OpenArchive {
  readonly files: FileLayer;
  readonly folder: string;
  readonly settings: ArchiveSettings;
  readonly manifest: Manifest;
  readonly now: () => number;
  readonly pseudonymOf: (vin: string) => string;
}

/** One window of one vehicle and series. */
export interface WindowTask extends Window {
  readonly brand: string;
  readonly vin: string;
  readonly vehicle: string;
  readonly series: SeriesContract;
}

/** Whether a window has to be fetched: `settled` ones are never fetched again. */
export type WindowState = 'missing' | 'provisional' | 'settled';

/** What the archive has of a window. A file that is missing or cut makes the window missing. */
export async function stateOf({ files, folder, manifest }: OpenArchive, task: WindowTask): Promise<WindowState> {
  const entry = manifest.find({ ...task, series: task.series.name });
  if (!entry) return 'missing';
  if (entry.path !== null && (await files.size(join(folder, entry.path))) !== entry.bytes) return 'missing';
  return entry.settled ? 'settled' : 'provisional';
}

/** A window whose trips could not be fetched or encoded. Other windows may still work. */
export class WindowError extends Error {}

/**
 * Fetches a window and puts its file in place: temporary file, fsync, rename, manifest line, fsync. A crash at any point
 * leaves the old file or the new one, and a window without a line is fetched again.
 */
export async function writeWindow(
  { files, folder, settings, manifest, now }: OpenArchive,
  task: WindowTask,
  readWindow: ReadWindow,
  signal: AbortSignal,
): Promise<WindowEntry> {
  const { brand, vin, vehicle, series, from, to } = task;
  const { zoneId, format } = settings;
  const fetchedAt = now();
  const [startDate, endDate] = [from.replaceAll('-', ''), to.replaceAll('-', '')];
  // The trips are garbage before anything is written: a disk may be slow, and they are the larger part of the memory.
  const { content, rows, ...counts } = await asWindowError(async () => {
    const trips = await readWindow({ brand, vin, series: series.name, startDate, endDate, zoneId, signal });
    if (!Array.isArray(trips)) throw new TypeError('readWindow must resolve to a list of trips');
    signal.throwIfAborted();
    const invalidTrips = trips.filter((trip) => !hasStart(series, trip)).length;
    const none = { content: undefined, rows: 0 };
    const made =
      trips.length === 0 ? none : await makeFile(settings, series, trips, { brand, vehicle, from, to, zoneId });
    return { ...made, trips: trips.length, invalidTrips };
  });
  const earlier = manifest.find({ brand, vehicle, series: series.name, from });
  const partition = `brand=${brand}/vehicle=${vehicle}/series=${series.name}/month=${from.slice(0, 7)}`;
  const path = content ? `${partition}/${from}_${to}.${format}` : null;
  const sha256 = content ? createHash('sha256').update(content).digest('hex') : null;
  if (content && path) {
    if (earlier?.sha256 !== sha256 || (await files.size(join(folder, path))) !== content.byteLength) {
      await makeFolders(files, folder, partition);
      await replaceFile(files, join(folder, path), content);
    }
  } else if (earlier?.path) await files.remove(join(folder, earlier.path));
  const entry: WindowEntry = {
    kind: 'window',
    brand,
    vehicle,
    series: series.name,
    from,
    to,
    path,
    bytes: content?.byteLength ?? 0,
    sha256,
    rows,
    ...counts,
    fetchedAt: new Date(fetchedAt).toISOString(),
    settled: isSettled(task, fetchedAt),
    contract: contractDigest,
    ...(earlier && earlier.sha256 !== sha256 && { replaced: earlier.sha256 }),
  };
  await manifest.add(entry);
  return entry;
}

async function asWindowError<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw new WindowError('a window failed', { cause });
  }
}

function hasStart({ startTime }: SeriesContract, trip: unknown): boolean {
  const start = memberOf(trip, startTime);
  return typeof start === 'string' && !Number.isNaN(Date.parse(start));
}
