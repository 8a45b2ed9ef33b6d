// Which days of a window that is not settled are fetched again, and what stays of the others.

import type { OpenArchive } from './export-windows.js';
import { seriesContract } from './format/series-contract.js';
import { hasHash } from './has-hash.js';
import type { EarlierTrips, FetchedDays, FetchedWindow, WindowTask } from './store/write-window.js';
import { startOf } from './trip-parts.js';
import { readFileTrips } from './window-file.js';
import { dayBefore, daysIn, daysOf, isSettled } from './windows.js';

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
  if (!entry?.path || entry.days || entry.from !== task.from || entry.to !== task.to) return undefined;
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
 * What an export of exact days fetches of a window: the days that are asked for, beside what is held of other ones.
 *
 * @returns `undefined` where the whole window is to be fetched: nobody asks for exact days, or the archive has all of them already
 */
export async function exactDays(archive: OpenArchive, task: WindowTask): Promise<FetchedDays | undefined> {
  const { blobs, state, settings, now } = archive;
  const { only } = task;
  const entry = await state.find(task);
  if (!only || (entry && !entry.days)) return undefined;
  const datesOf = (days: readonly string[]) =>
    Object.fromEntries(days.map((day) => [day, new Date(now()).toISOString()]));
  const asked = daysOf(only);
  const others = Object.entries(entry?.days ?? {}).filter(([day]) => !asked.includes(day));
  const days = { ...Object.fromEntries(others), ...datesOf(asked) };
  if (!entry || entry.path === null || others.length === 0) return { ...only, trips: [], days };
  const content = await blobs.get(entry.path);
  const contract = seriesContract(task.series);
  const held = content && hasHash(content, entry.sha256) ? await readFileTrips(settings, contract, content) : undefined;
  const dayOf = daysIn(settings.zoneId);
  const starts = held?.map((trip) => startOf(contract, trip)) ?? [null];
  if (held && !starts.includes(null))
    return { ...only, trips: held.filter((_, index) => !asked.includes(dayOf.format(starts[index] ?? 0))), days };
  // What is held cannot be told apart by its days: all of them are fetched again, and those between them.
  const all = Object.keys(days).sort();
  const range = { from: all[0] ?? only.from, to: all.at(-1) ?? only.to };
  return { ...range, trips: [], days: datesOf(daysOf(range)) };
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
