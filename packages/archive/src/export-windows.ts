import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SeriesName } from '@vehicle-data/client/series';
import type { ArchiveSettings } from './archive-settings.js';
import { contractDigest, seriesContract } from './contract.js';
import { type FileLayer, makeFolders, replaceFile } from './file-layer.js';
import type { Manifest, WindowEntry } from './manifest.js';
import { makeFile } from './window-file.js';
import { isSettled, type VehicleWindow } from './windows.js';

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
  /** Replaced where another contract is accepted. */
  settings: ArchiveSettings;
  readonly manifest: Manifest;
  readonly now: () => number;
  readonly pseudonymOf: (vin: string) => string;
}

export interface WindowTask extends VehicleWindow {
  readonly vin: string;
  readonly series: SeriesName;
}

/** Whether a window has to be fetched: `settled` ones are never fetched again. */
export type WindowState = 'missing' | 'provisional' | 'settled';

/** What the archive has of a window. A file that is missing or cut makes the window missing. */
export async function stateOf({ files, folder, manifest, now }: OpenArchive, task: WindowTask): Promise<WindowState> {
  const entry = manifest.find(task);
  if (!entry) return 'missing';
  if (entry.path !== null && (await files.stat(join(folder, entry.path)))?.size !== entry.bytes) return 'missing';
  // What was fetched in the future was fetched with a wrong clock: trips may have been missing.
  return entry.settled && Date.parse(entry.fetchedAt) <= now() ? 'settled' : 'provisional';
}

/**
 * Fetches a window and encodes its trips. Only the file is returned: trips take more memory, and a disk may be slow. When this fails,
 * other windows may still work.
 *
 * @returns `content` is `undefined` where the window has no trips
 */
export async function fetchWindow(
  { settings, now }: OpenArchive,
  { brand, vin, vehicle, series, from, to }: WindowTask,
  readWindow: ReadWindow,
  signal: AbortSignal,
) {
  const { zoneId } = settings;
  const contract = seriesContract(series);
  const fetchedAt = now();
  const [startDate, endDate] = [from.replaceAll('-', ''), to.replaceAll('-', '')];
  const trips = await readWindow({ brand, vin, series, startDate, endDate, zoneId, signal });
  if (!Array.isArray(trips)) throw new TypeError('readWindow must resolve to a list of trips');
  signal.throwIfAborted();
  const identity = { brand, vehicle, from, to, zoneId };
  const { content, rows } =
    trips.length === 0 ? { content: undefined, rows: 0 } : await makeFile(settings, contract, trips, identity);
  return { content, counts: { rows, trips: trips.length }, fetchedAt };
}

/**
 * Puts the file of a window in place: temporary file, fsync, rename, manifest line, fsync. A crash at any point leaves the old
 * file or the new one, and a window without a line is fetched again.
 */
export async function storeWindow(
  { files, folder, settings, manifest }: OpenArchive,
  task: WindowTask,
  { content, counts, fetchedAt }: Awaited<ReturnType<typeof fetchWindow>>,
): Promise<WindowEntry> {
  const { brand, vehicle, series, from, to } = task;
  const earlier = manifest.find(task);
  const partition = `brand=${brand}/vehicle=${vehicle}/series=${series}/month=${from.slice(0, 7)}`;
  const path = content ? `${partition}/${from}_${to}.${settings.format}` : null;
  const sha256 = content ? createHash('sha256').update(content).digest('hex') : null;
  if (content && path) {
    if (earlier?.sha256 !== sha256 || (await files.stat(join(folder, path)))?.size !== content.byteLength) {
      await makeFolders(files, folder, partition);
      await replaceFile(files, join(folder, path), content);
    }
  } else if (earlier?.path) await files.remove(join(folder, earlier.path));
  const entry: WindowEntry = {
    kind: 'window',
    brand,
    vehicle,
    series,
    from,
    to,
    path,
    bytes: content?.byteLength ?? 0,
    sha256,
    ...counts,
    fetchedAt: new Date(fetchedAt).toISOString(),
    settled: isSettled(task, fetchedAt),
    contract: contractDigest,
    ...(earlier && earlier.sha256 !== sha256 && { replaced: earlier.sha256 }),
  };
  await manifest.add(entry);
  return entry;
}
