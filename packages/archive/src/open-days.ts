// Which days of a window that is not settled are fetched again, and what stays of the others.

import type { OpenArchive } from './export-windows.js';
import { seriesContract } from './format/series-contract.js';
import { hasHash } from './has-hash.js';
import type { EarlierTrips, FetchedWindow, WindowTask } from './store/write-window.js';
import { startOf } from './trip-parts.js';
import { readFileTrips } from './window-file.js';
import { dayBefore, isSettled } from './windows.js';

/**
 * The trips of a window that are not fetched again: those that began more than a day before it was fetched last. Once the window is
 * settled, all of it is fetched a last time, for trips that arrived later than that.
 *
 * @returns `undefined` where every day has to be fetched: files that do not hold the trips as sent, a trip without a readable start,
 *   a clock that was ahead, a file that is not the one that was written
 */
export async function earlierTrips(archive: OpenArchive, task: WindowTask): Promise<EarlierTrips | undefined> {
  const { blobs, state, settings, now } = archive;
  const entry = await state.find(task);
  if (!entry?.path || entry.from !== task.from || entry.to !== task.to) return undefined;
  const fetchedAt = Date.parse(entry.fetchedAt);
  if (fetchedAt > now() || isSettled(task, now())) return undefined;
  const dayOf = daysIn(settings.zoneId);
  let from = dayBefore(dayOf.format(fetchedAt));
  if (from > task.to) from = task.to;
  if (from <= task.from) return undefined;
  const content = await blobs.get(entry.path);
  if (!content || !hasHash(content, entry.sha256)) return undefined;
  const contract = seriesContract(task.series);
  const held = await readFileTrips(settings, contract, content);
  const trips: unknown[] = [];
  for (const trip of held ?? []) {
    const start = startOf(contract, trip);
    if (start === null) return undefined;
    if (dayOf.format(start) < from) trips.push(trip);
  }
  return held && { from, trips };
}

/**
 * Trips of a window that are different, or gone, since it was fetched before: their starts in milliseconds since 1970 UTC. `undefined` where
 * files do not hold the trips as sent, or the file is not the one that was written.
 */
export async function changedTrips(
  { blobs, state, settings }: OpenArchive,
  task: WindowTask,
  fetched: FetchedWindow,
): Promise<readonly number[] | undefined> {
  const entry = await state.find(task);
  if (!entry || entry.from !== task.from || entry.to !== task.to) return undefined;
  if (entry.path === null || entry.sha256 === fetched.sha256) return [];
  const content = await blobs.get(entry.path);
  if (!content || !hasHash(content, entry.sha256)) return undefined;
  const contract = seriesContract(task.series);
  const [before, after = []] = [
    await readFileTrips(settings, contract, content),
    fetched.content && (await readFileTrips(settings, contract, fetched.content)),
  ];
  if (!before) return undefined;
  const held = new Set(after.map((trip) => JSON.stringify(trip)));
  const starts = before.flatMap((trip) => (held.has(JSON.stringify(trip)) ? [] : (startOf(contract, trip) ?? [])));
  return [...new Set(starts)].sort((one, other) => one - other);
}

/** Days as yyyy-MM-dd, in a zone. */
export function daysIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
}
