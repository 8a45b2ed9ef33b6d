// Of a window, what is fetched again and what stays as it is held.

import type { OpenArchive } from '../folder/open-archive.js';
import { seriesContract } from '../format/series-contract.js';
import { startOf } from '../format/trip-parts.js';
import { hasHash } from '../has-hash.js';
import type { WindowEntry } from '../store/state-store.js';
import { readFileTrips } from '../window-file.js';
import { daysIn, daysOf, isClosed, rangesOf } from '../windows.js';
import { dayFetchedAt } from './fetched-days.js';
import type { FetchedWindow, WindowPart, WindowTask } from './write-window.js';

/** A part of a window, and what was held of its days. */
export interface PartToFetch extends WindowPart {
  /** Trips that are held of days that are fetched again, where the days were over; `undefined` where that cannot be told. */
  readonly before: readonly unknown[] | undefined;
}

/**
 * What to fetch of a window so that some of its days are as they are now.
 *
 * @returns all days that were ever fetched, beside those that are wanted, where what is held cannot be told apart by its days: files that do
 *   not hold the trips as sent, a trip without a readable start, a file that is not the one that was written
 */
export async function partToFetch(
  archive: OpenArchive,
  task: WindowTask,
  wanted: readonly string[],
): Promise<PartToFetch> {
  const entry = await archive.state.find(task);
  // Nothing is held, or it is in the file of a month that is damaged.
  const isOwn = entry?.from === task.from && entry.to === task.to;
  if (!isOwn) return { ranges: rangesOf(wanted), trips: [], days: {}, before: undefined };
  const isWanted = new Set(wanted);
  const known = daysOf(task).flatMap((day) => {
    const at = dayFetchedAt(entry, day);
    return at === undefined ? [] : [[day, at] as const];
  });
  const held = await tripsByDay(archive, task, entry);
  if (!held) {
    const all = new Set([...known.map(([day]) => day), ...wanted]);
    return { ranges: rangesOf([...all].sort()), trips: [], days: {}, before: undefined };
  }
  const days = Object.fromEntries(known);
  const dayOf = daysIn(archive.settings.zoneId);
  return {
    ranges: rangesOf(wanted),
    trips: held.flatMap(({ day, trip }) => (isWanted.has(day) ? [] : [trip])),
    days: Object.fromEntries(known.filter(([day]) => !isWanted.has(day))),
    before: held.flatMap(({ day, trip }) =>
      isWanted.has(day) && isClosed(day, Date.parse(days[day] ?? ''), dayOf) ? [trip] : [],
    ),
  };
}

/** The trips that are held of a window, each with its day. */
async function tripsByDay({ blobs, settings }: OpenArchive, { series }: WindowTask, entry: WindowEntry) {
  if (entry.path === null) return [];
  const content = await blobs.get(entry.path);
  if (!content || !hasHash(content, entry.sha256)) return undefined;
  const contract = seriesContract(series);
  const held = await readFileTrips(settings, contract, content);
  const dayOf = daysIn(settings.zoneId);
  const found = held?.map((trip) => ({ trip, start: startOf(contract, trip) }));
  if (found?.some(({ start }) => start === null)) return undefined;
  return found?.map(({ trip, start }) => ({ trip, day: dayOf.format(start ?? 0) }));
}

/**
 * Trips that are different, or gone, since their days were fetched before: their starts in milliseconds since 1970 UTC. `undefined`
 * where that cannot be told.
 */
export async function changedTrips(
  { settings, state }: OpenArchive,
  task: WindowTask,
  { before }: PartToFetch,
  fetched: FetchedWindow,
): Promise<readonly number[] | undefined> {
  if (!before || before.length === 0 || (await state.find(task))?.sha256 === fetched.sha256) return before && [];
  const contract = seriesContract(task.series);
  const after = fetched.content ? await readFileTrips(settings, contract, fetched.content) : [];
  const texts = new Set(after?.map((trip) => JSON.stringify(trip)));
  return before.flatMap((trip) => (texts.has(JSON.stringify(trip)) ? [] : (startOf(contract, trip) ?? [])));
}
