// Settled months in one file: a quarter of the files, and of the time that engines take for each.
import { createHash } from 'node:crypto';
import type { OpenArchive } from './folder/open-archive.js';
import { vehiclePrefix, windowPath, windowPathOf } from './format/layout.js';
import { hasHash } from './has-hash.js';
import { mergedParquet } from './merged-file.js';
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
    const months = new Map<string, WindowEntry[]>();
    for (const entry of entries) {
      const key = `${entry.series}/${entry.from.slice(0, 7)}`;
      months.set(key, [...(months.get(key) ?? []), entry]);
    }
    let mayHaveParts = false;
    for (const windows of months.values()) {
      if (!isWholeMonth(windows, archive.now())) continue;
      const isMerged = windows.length > 1 && (await mergeMonth(archive, windows));
      if (isMerged) total.months += 1;
      mayHaveParts ||= isMerged || windows.length === 1;
    }
    if (mayHaveParts) total.filesRemoved += await removeParts(archive, vehicle);
  }
  return total;
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

async function mergeMonth(archive: OpenArchive, windows: readonly WindowEntry[]): Promise<boolean> {
  const { blobs, state, lease, settings } = archive;
  const [first, last] = [windows[0], windows.at(-1)];
  if (!first || !last || !lease) return false;
  const range = { from: first.from, to: last.to };
  const contents: Uint8Array[] = [];
  for (const { path, sha256 } of windows) {
    if (path === null) continue;
    const content = await blobs.get(path);
    if (!content || !hasHash(content, sha256)) return false;
    contents.push(content);
  }
  if (contents.length < 2) return false;
  const merged =
    settings.format === 'ndjson' ? Buffer.concat(contents) : await mergedParquet(contents, range, settings.codec);
  if (!merged) return false;
  const path = windowPathOf({ ...first, ...range }, settings.format);
  const sha256 = createHash('sha256').update(merged).digest('hex');
  await lease.check();
  await blobs.put(path, merged, { sha256 });
  const sum = (count: 'rows' | 'trips') => windows.reduce((all, one) => all + one[count], 0);
  const times = (of: 'fetchedAt' | 'firstSeenAt') => windows.flatMap((one) => one[of] ?? []).sort();
  const counts = { bytes: merged.byteLength, rows: sum('rows'), trips: sum('trips') };
  const seen = {
    fetchedAt: times('fetchedAt').at(-1) ?? first.fetchedAt,
    firstSeenAt: times('firstSeenAt')[0] ?? null,
  };
  const { replaced: _, ...entry } = first;
  const arrivals = windows.flatMap((one) => one.arrivals ?? []);
  const changed = windows.flatMap((one) => one.changed ?? []);
  const known = { ...(arrivals.length > 0 && { arrivals }), ...(changed.length > 0 && { changed }) };
  await state.upsert({ ...entry, ...range, ...counts, ...seen, ...known, path, sha256 }, lease);
  return true;
}

/** Removes files of windows whose month is in one file, after a look at that file. */
async function removeParts(archive: OpenArchive, vehicle: VehicleKey): Promise<number> {
  const { blobs, lease } = archive;
  const { entries } = await archive.state.readable(vehicle);
  const listed = new Set(entries.map(({ path }) => path));
  let removed = 0;
  for (const path of await filesOf(archive, vehicle)) {
    const { series, from = '', to = '' } = windowPath.exec(path)?.groups ?? {};
    if (series === undefined || listed.has(path)) continue;
    const month = entries.find((one) => one.series === series && one.from <= from && one.to >= to);
    if (!month?.path || !path.startsWith(vehiclePrefix(vehicle))) continue;
    if (!hasHash((await blobs.get(month.path)) ?? new Uint8Array(), month.sha256)) continue;
    await lease?.check();
    await blobs.remove(path);
    removed += 1;
  }
  return removed;
}
