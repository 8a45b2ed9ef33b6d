import { createHash } from 'node:crypto';
import type { SeriesName } from '@vehicle-data/client/series';
import { contractDigest } from '../contract.js';
import { windowPathOf } from '../format/layout.js';
import { seriesContract } from '../format/series-contract.js';
import { startOf } from '../trip-parts.js';
import { type FileStyle, makeFile } from '../window-file.js';
import { isSettled, type VehicleWindow, type Window } from '../windows.js';
import type { BlobStore } from './blob-store.js';
import type { ReadWindow } from './read-window.js';
import type { Arrivals, Lease, StateStore, WindowEntry } from './state-store.js';

/** A window that is to be fetched. */
export interface WindowTask extends VehicleWindow {
  /** VIN, which only the service is told. */
  readonly vin: string;
  readonly series: SeriesName;
  /** The only days that are asked for. Default: the whole window. */
  readonly only?: Window | undefined;
}

/** What decides the bytes of a file, beside the trips. */
export interface FileContext extends FileStyle {
  readonly zoneId: string;
}

/** The file of a window that was fetched, before it is stored. */
export interface FetchedWindow {
  /** Key under which the file is stored; `null` where the window has no trips. */
  readonly path: string | null;
  /** `undefined` where the window has no trips. */
  readonly content: Uint8Array | undefined;
  /** SHA-256 of `content`, 64 hexadecimal digits. */
  readonly sha256: string | null;
  readonly rows: number;
  readonly trips: number;
  /** Starts of the trips that have one, in milliseconds since 1970 UTC. */
  readonly starts: readonly number[];
  /** Starts of trips that are different, or gone, since the window was fetched before. Default: not compared. */
  readonly changed?: readonly number[] | undefined;
  /** The only days that were fetched, and when. Default: every day of the window. */
  readonly days?: WindowEntry['days'];
  /** Milliseconds since 1970 UTC at which the call was begun. */
  readonly fetchedAt: number;
}

/** Where `writeWindow` writes. */
export interface WindowStores {
  readonly blobs: BlobStore;
  readonly state: Pick<StateStore, 'find' | 'upsert'>;
  readonly lease: Lease;
}

/**
 * The file of a window from its trips. A pure function of its arguments: the same trips in any order give the same bytes.
 *
 * @param fetchedAt milliseconds since 1970 UTC; passed through
 */
export async function encodeWindow(
  context: FileContext,
  window: VehicleWindow & { readonly series: SeriesName },
  trips: readonly unknown[],
  fetchedAt: number,
): Promise<FetchedWindow> {
  const { brand, vehicle, series, from, to } = window;
  if (trips.length === 0)
    return { path: null, content: undefined, sha256: null, rows: 0, trips: 0, starts: [], fetchedAt };
  const identity = { brand, vehicle, from, to, zoneId: context.zoneId };
  const { content, rows } = await makeFile(context, seriesContract(series), trips, identity);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const starts = startsOf(series, trips);
  const path = windowPathOf(window, context.format);
  return { path, content, sha256, rows, trips: trips.length, starts, fetchedAt };
}

/** What is known of a window that was fetched before. */
export interface EarlierTrips {
  /** First day that is fetched again, yyyy-MM-dd; a day of the window after its first. */
  readonly from: string;
  /** Trips that began before that day. */
  readonly trips: readonly unknown[];
}

/** Some days of a window that are fetched, beside trips of other days that are held. */
export interface FetchedDays extends Window {
  readonly trips: readonly unknown[];
  /** The days that the window has then, and when each was fetched. */
  readonly days: NonNullable<WindowEntry['days']>;
}

/**
 * Fetches a window and encodes its trips. Only the file is returned: trips take more memory, and a store may be slow. When this
 * fails, other windows may still work.
 *
 * @param now milliseconds since 1970 UTC
 * @param earlier Default: every day of the window is fetched.
 */
export async function fetchWindow(
  context: FileContext,
  task: WindowTask,
  readWindow: ReadWindow,
  signal: AbortSignal,
  now: () => number,
  earlier?: EarlierTrips | FetchedDays,
): Promise<FetchedWindow> {
  const { brand, vin, series } = task;
  const to = earlier && 'to' in earlier ? earlier.to : task.to;
  const fetchedAt = now();
  const [startDate, endDate] = [(earlier?.from ?? task.from).replaceAll('-', ''), to.replaceAll('-', '')];
  const trips = await readWindow({ brand, vin, series, startDate, endDate, zoneId: context.zoneId, signal });
  if (!Array.isArray(trips)) throw new TypeError('readWindow must resolve to a list of trips');
  signal.throwIfAborted();
  const fetched = await encodeWindow(context, task, [...(earlier?.trips ?? []), ...trips], fetchedAt);
  return earlier && 'days' in earlier ? { ...fetched, days: earlier.days } : fetched;
}

/**
 * Stores a window: the only way in which one is written. First the file under its final key, then its entry. A crash in between
 * leaves a whole file of the same window without an entry: the window is fetched again, and the same bytes are written.
 *
 * @returns the entry as it is stored
 * @throws ArchiveError `archive-locked` where the lease is lost.
 */
export async function writeWindow(
  { blobs, state, lease }: WindowStores,
  window: VehicleWindow & { readonly series: string },
  { path, content, sha256, rows, trips, starts, changed, days, fetchedAt }: FetchedWindow,
): Promise<WindowEntry> {
  const { brand, vehicle, series, from, to } = window;
  const earlier = await state.find(window);
  await lease.check();
  if (content && path && sha256) {
    // Read, since a disk may have changed a file of the same size.
    const there = earlier?.sha256 === sha256 ? await blobs.get(path) : undefined;
    const isThere = there !== undefined && createHash('sha256').update(there).digest('hex') === sha256;
    if (!isThere) await blobs.put(path, content, { sha256 });
  }
  const at = new Date(fetchedAt).toISOString();
  const settled = days === undefined && isSettled(window, fetchedAt);
  // Trips of days that nobody asked for before are not late.
  const arrivals = days || earlier?.days ? undefined : arrivalsOf(earlier, starts, at, settled);
  const entry: WindowEntry = {
    brand,
    vehicle,
    series,
    from,
    to,
    path,
    bytes: content?.byteLength ?? 0,
    sha256,
    rows,
    trips,
    fetchedAt: at,
    firstSeenAt: earlier ? earlier.firstSeenAt : at,
    settled,
    contract: contractDigest,
    ...(earlier && earlier.sha256 !== sha256 && { replaced: earlier.sha256 }),
    ...(arrivals && { arrivals }),
    ...(days && { days }),
    ...((changed ?? earlier?.changed)?.length && { changed: changed ?? earlier?.changed }),
  };
  await state.upsert(entry, lease);
  // Nothing refers to it any more.
  if (earlier?.path && earlier.path !== path) await blobs.remove(earlier.path);
  return entry;
}

/** Starts of trips, without those that cannot be read. */
function startsOf(series: SeriesName, trips: readonly unknown[]): readonly number[] {
  const contract = seriesContract(series);
  const times = trips.flatMap((trip) => startOf(contract, trip) ?? []);
  return [...new Set(times)].sort((one, other) => one - other);
}

/**
 * What is known of when trips arrived. Nothing of a window that was settled when it was fetched first, and nothing where an earlier
 * version of this package did not write it down.
 */
function arrivalsOf(
  earlier: WindowEntry | undefined,
  starts: readonly number[],
  at: string,
  settled: boolean,
): readonly Arrivals[] | undefined {
  const isKnown = earlier ? earlier.arrivals !== undefined || earlier.trips === 0 : !settled;
  if (!isKnown) return undefined;
  const before = earlier?.arrivals ?? [];
  const seen = new Set(before.flatMap((one) => one.starts));
  const found = starts.filter((start) => !seen.has(start));
  return found.length === 0 ? before : [...before, { after: earlier?.fetchedAt ?? null, at, starts: found }];
}
