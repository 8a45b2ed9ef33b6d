import { createHash } from 'node:crypto';
import type { SeriesName } from '@vehicle-data/client/series';
import { contractDigest } from '../contract.js';
import { windowPathOf } from '../format/layout.js';
import { seriesContract } from '../format/series-contract.js';
import { startOf } from '../format/trip-parts.js';
import type { BlobStore } from '../store/blob-store.js';
import type { Arrivals, Lease, StateStore, WindowEntry } from '../store/state-store.js';
import { type FileStyle, makeFile } from '../window-file.js';
import { daysIn, daysOf, type VehicleWindow, type Window } from '../windows.js';
import { dayFetchedAt, isSettledByDays } from './fetched-days.js';
import type { ReadWindow } from './read-window.js';

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
  /** Starts of trips that are different, or gone, since their days were fetched before. Default: not compared. */
  readonly changed?: readonly number[] | undefined;
  /** When each day was fetched last; one that is not there was not. Default: every day of the window, now. */
  readonly days?: WindowEntry['days'];
  /** Zone in which the days count. */
  readonly zoneId: string;
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
  const { zoneId } = context;
  if (trips.length === 0)
    return { path: null, content: undefined, sha256: null, rows: 0, trips: 0, starts: [], zoneId, fetchedAt };
  const identity = { brand, vehicle, from, to, zoneId };
  const { content, rows } = await makeFile(context, seriesContract(series), trips, identity);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const starts = startsOf(series, trips);
  const path = windowPathOf(window, context.format);
  return { path, content, sha256, rows, trips: trips.length, starts, zoneId, fetchedAt };
}

/** Some days of a window that are fetched, and what stays of the others. */
export interface WindowPart {
  /** What is fetched, in the order of the days: one call each. */
  readonly ranges: readonly Window[];
  /** Trips that are held of other days. */
  readonly trips: readonly unknown[];
  /** When each of the other days was fetched that are held. */
  readonly days: NonNullable<WindowEntry['days']>;
}

/**
 * Fetches a window and encodes its trips. Only the file is returned: trips take more memory, and a store may be slow. When this
 * fails, other windows may still work.
 *
 * @param now milliseconds since 1970 UTC
 * @param part Default: every day of the window is fetched.
 */
export async function fetchWindow(
  context: FileContext,
  task: WindowTask,
  readWindow: ReadWindow,
  signal: AbortSignal,
  now: () => number,
  part: WindowPart = { ranges: [task], trips: [], days: {} },
): Promise<FetchedWindow> {
  const { brand, vin, series } = task;
  const fetchedAt = now();
  const all = [...part.trips];
  for (const { from, to } of part.ranges) {
    const [startDate, endDate] = [from.replaceAll('-', ''), to.replaceAll('-', '')];
    const trips = await readWindow({ brand, vin, series, startDate, endDate, zoneId: context.zoneId, signal });
    if (!Array.isArray(trips)) throw new TypeError('readWindow must resolve to a list of trips');
    signal.throwIfAborted();
    for (const trip of trips) all.push(trip);
  }
  const fetched = part.ranges.flatMap(daysOf).map((day) => [day, isoOf(fetchedAt)] as const);
  const days = Object.fromEntries([...Object.entries(part.days), ...fetched].sort());
  return { ...(await encodeWindow(context, task, all, fetchedAt)), days };
}

const isoOf = (time: number) => new Date(time).toISOString();

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
  fetched: FetchedWindow,
): Promise<WindowEntry> {
  const { brand, vehicle, series, from, to } = window;
  const { path, content, sha256, rows, trips, fetchedAt } = fetched;
  const earlier = await state.find(window);
  await lease.check();
  if (content && path && sha256) {
    // Read, since a disk may have changed a file of the same size.
    const there = earlier?.sha256 === sha256 ? await blobs.get(path) : undefined;
    const isThere = there !== undefined && createHash('sha256').update(there).digest('hex') === sha256;
    if (!isThere) await blobs.put(path, content, { sha256 });
  }
  const at = isoOf(fetchedAt);
  const days = fetched.days ?? Object.fromEntries(daysOf(window).map((day) => [day, at]));
  const settled = isSettledByDays(window, (day) => days[day]);
  const arrivals = arrivalsOf(window, earlier, fetched, settled);
  const changed = [...new Set([...startsIn(window, earlier?.changed, fetched.zoneId), ...(fetched.changed ?? [])])];
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
    ...(!settled && { days }),
    ...(changed.length > 0 && { changed: changed.sort((one, other) => one - other) }),
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
  window: Window,
  earlier: WindowEntry | undefined,
  { starts, zoneId, fetchedAt }: FetchedWindow,
  settled: boolean,
): readonly Arrivals[] | undefined {
  const isKnown = earlier ? earlier.arrivals !== undefined || earlier.trips === 0 : !settled;
  if (!isKnown) return undefined;
  const before = (earlier?.arrivals ?? []).map((one) => ({ ...one, starts: startsIn(window, one.starts, zoneId) }));
  const seen = new Set(before.flatMap((one) => one.starts));
  const dayOf = daysIn(zoneId);
  const found = new Map<string | null, number[]>();
  for (const start of starts) {
    if (seen.has(start)) continue;
    const day = dayOf.format(start);
    const after = (earlier && (dayFetchedAt(earlier, day) ?? (earlier.days ? null : earlier.fetchedAt))) ?? null;
    found.set(after, [...(found.get(after) ?? []), start]);
  }
  const at = isoOf(fetchedAt);
  return [...before, ...[...found].map(([after, those]) => ({ after, at, starts: those }))];
}

/** Times in the days of a window: an entry may have been that of a whole month. */
function startsIn({ from, to }: Window, starts: readonly number[] = [], zoneId: string): readonly number[] {
  const dayOf = daysIn(zoneId);
  return starts.filter((start) => dayOf.format(start) >= from && dayOf.format(start) <= to);
}
