// Settled months in one file: a quarter of the files, and of the time that engines take for each.
import { createHash } from 'node:crypto';
import type { ArchiveSettings } from './archive-settings.js';
import type { OpenArchive } from './folder/open-archive.js';
import { vehiclePrefix, windowPath, windowPathOf } from './format/layout.js';
import { hasHash } from './has-hash.js';
import { mergedParquet } from './merged-file.js';
import type { BlobStore } from './store/blob-store.js';
import type { VehicleKey, WindowEntry } from './store/state-store.js';
import { filesOf } from './verify.js';
import { dayAfter } from './windows.js';

/** What a merge did. */
export interface MergeReport {
  /** Months that are in one file now. */
  readonly months: number;
  /** Files of windows that are gone. */
  readonly filesRemoved: number;
}

/**
 * Puts the windows of each settled month of a vehicle and series into one file: a pure function of theirs. First the file, then its
 * entry, then the files of the windows go. A crash in between leaves some trips in two files until the next merge. Months with
 * windows that are missing, damaged or of several contracts stay as they are.
 */
export async function mergeSettledMonths(archive: OpenArchive): Promise<MergeReport> {
  const total = { months: 0, filesRemoved: 0 };
  const { format, shape } = archive.settings;
  if (format === 'csv' || shape !== 'trips') return total;
  for await (const vehicle of archive.state.vehicles()) {
    const { entries, damaged } = await archive.state.readable(vehicle);
    if (damaged.length > 0) continue;
    let mayHaveParts = false;
    for (const windows of settledMonths(entries, archive.now())) {
      const isMerged = await mergeMonth(archive, windows);
      if (isMerged) total.months += 1;
      mayHaveParts ||= isMerged || windows.length === 1;
    }
    if (mayHaveParts) total.filesRemoved += await removeParts(archive, vehicle);
  }
  return total;
}

/**
 * The months of a vehicle that are whole and settled, each with its windows in order. One that was merged has one.
 *
 * @param entries of one vehicle, in the order of their days
 * @param now milliseconds since 1970 UTC
 */
export function settledMonths(
  entries: readonly WindowEntry[],
  now: number,
): readonly (readonly [WindowEntry, ...WindowEntry[]])[] {
  const months = new Map<string, [WindowEntry, ...WindowEntry[]]>();
  for (const entry of entries) {
    const key = `${entry.series}/${entry.from.slice(0, 7)}`;
    const before = months.get(key);
    if (before) before.push(entry);
    else months.set(key, [entry]);
  }
  return [...months.values()].filter((windows) => isWholeMonth(windows, now));
}

/** Whether windows, in the order of their days, are all of a month and settled. */
function isWholeMonth(windows: readonly WindowEntry[], now: number): boolean {
  const [first, last] = [windows[0], windows.at(-1)];
  if (!first?.from.endsWith('-01') || !last || !dayAfter(last.to).endsWith('-01')) return false;
  const isNext = ({ from }: WindowEntry, index: number) =>
    index === 0 || from === dayAfter(windows[index - 1]?.to ?? from);
  return windows.every(
    (one, index) =>
      one.settled && Date.parse(one.fetchedAt) <= now && one.contract === first.contract && isNext(one, index),
  );
}

async function mergeMonth(archive: OpenArchive, windows: readonly [WindowEntry, ...WindowEntry[]]): Promise<boolean> {
  const { blobs, state, lease, settings } = archive;
  if (!lease) return false;
  const merged = await mergedMonth(blobs, windows, settings);
  if (!merged) return false;
  const { entry, content } = merged;
  await lease.check();
  await blobs.put(entry.path, content, { sha256: entry.sha256 });
  await state.upsert(entry, lease);
  return true;
}

/** A month in one file, which is not stored yet. */
export interface MergedMonth {
  /** What takes the place of the entries of its windows. */
  readonly entry: WindowEntry & { readonly path: string; readonly sha256: string };
  readonly content: Uint8Array;
}

/**
 * Makes one file of the windows of a month.
 *
 * @param windows from `settledMonths`
 * @returns `undefined` where there is nothing to merge, or a file is missing, damaged or of other columns
 */
export async function mergedMonth(
  blobs: Pick<BlobStore, 'get'>,
  windows: readonly [WindowEntry, ...WindowEntry[]],
  settings: Pick<ArchiveSettings, 'format' | 'codec'>,
): Promise<MergedMonth | undefined> {
  const [first] = windows;
  const range = { from: first.from, to: windows.at(-1)?.to ?? first.to };
  if (windows.filter(({ path }) => path !== null).length < 2) return undefined;
  const contents: Uint8Array[] = [];
  for (const { path, sha256 } of windows) {
    if (path === null) continue;
    const content = await blobs.get(path);
    if (!content || !hasHash(content, sha256)) return undefined;
    contents.push(content);
  }
  const content =
    settings.format === 'ndjson' ? Buffer.concat(contents) : await mergedParquet(contents, range, settings.codec);
  if (!content) return undefined;
  const path = windowPathOf({ ...first, ...range }, settings.format);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const sum = (count: 'rows' | 'trips') => windows.reduce((all, one) => all + one[count], 0);
  const times = (of: 'fetchedAt' | 'firstSeenAt') => windows.flatMap((one) => one[of] ?? []).sort();
  const counts = { bytes: content.byteLength, rows: sum('rows'), trips: sum('trips') };
  const seen = {
    fetchedAt: times('fetchedAt').at(-1) ?? first.fetchedAt,
    firstSeenAt: times('firstSeenAt')[0] ?? null,
  };
  const { replaced: _, ...entry } = first;
  const arrivals = windows.flatMap((one) => one.arrivals ?? []);
  const changed = windows.flatMap((one) => one.changed ?? []);
  const known = { ...(arrivals.length > 0 && { arrivals }), ...(changed.length > 0 && { changed }) };
  return { entry: { ...entry, ...range, ...counts, ...seen, ...known, path, sha256 }, content };
}

/** Removes files of windows whose month is in one file, after a look at that file. */
async function removeParts(archive: OpenArchive, vehicle: VehicleKey): Promise<number> {
  const { blobs, lease } = archive;
  const { entries } = await archive.state.readable(vehicle);
  let removed = 0;
  for (const { path, month } of mergedParts(await filesOf(archive, vehicle), entries)) {
    if (!path.startsWith(vehiclePrefix(vehicle))) continue;
    if (!hasHash((await blobs.get(month.path)) ?? new Uint8Array(), month.sha256)) continue;
    await lease?.check();
    await blobs.remove(path);
    removed += 1;
  }
  return removed;
}

/**
 * Files of windows that are part of a file of a month. They may go once that file has been looked at.
 *
 * @param paths every file of a vehicle
 * @param entries every entry of the vehicle
 */
export function mergedParts(paths: readonly string[], entries: readonly WindowEntry[]) {
  const listed = new Set(entries.map(({ path }) => path));
  return paths.flatMap((path) => {
    const { series, from = '', to = '' } = windowPath.exec(path)?.groups ?? {};
    if (series === undefined || listed.has(path)) return [];
    const month = entries.find((one) => one.series === series && one.from <= from && one.to >= to);
    return month?.path ? [{ path, month: { path: month.path, sha256: month.sha256 } }] : [];
  });
}
