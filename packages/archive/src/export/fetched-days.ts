// What of a window an export fetches: days that are not over yet, days that reached the age at which no further trips are expected, and
// nothing else.
import type { WindowEntry } from '../format/window-entry.js';
import { daysIn, daysOf, isClosed, isSettled, type Window } from '../windows.js';

/** When a day of a window was fetched last, ISO 8601 in UTC; `undefined` where it was not, or that is not known. */
export function dayFetchedAt(entry: WindowEntry, day: string): string | undefined {
  if (entry.days) return entry.days[day];
  // Version 1 wrote no first time and fetched windows whole. One before this version did not write down which days it fetched again.
  const isWhole = entry.settled || entry.firstSeenAt === null || entry.firstSeenAt === entry.fetchedAt;
  return isWhole ? entry.fetchedAt : undefined;
}

/** Which days of a window are fetched now, and how. */
export interface Look {
  readonly window: Window;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly zoneId: string;
  /** Whether the file of the window holds the trips as sent, so that some of its days can be fetched alone. */
  readonly isByDay: boolean;
}

/**
 * The days of a window that are fetched now. Each day is fetched until it has been over for an hour, and once more when no further trips of
 * it are expected. An export of every night so fetches what is new and one day more.
 */
export function daysToFetch(entry: WindowEntry, { window, now, zoneId, isByDay }: Look): readonly string[] {
  if (entry.settled && Date.parse(entry.fetchedAt) <= now) return [];
  const all = daysOf(window);
  const days = daysIn(zoneId);
  // What was fetched in the future was fetched with a wrong clock: trips may have been missing.
  const timeOf = (day: string) => {
    const at = Date.parse(dayFetchedAt(entry, day) ?? '');
    return at <= now ? at : Number.NaN;
  };
  const isOpen = (day: string) => !isClosed(day, timeOf(day), days);
  const isDue = (day: string) =>
    isSettled({ from: day, to: day }, now) && !isSettled({ from: day, to: day }, timeOf(day));
  if (isByDay) return all.filter((day) => isOpen(day) || isDue(day));
  return all.some(isOpen) || (isSettled(window, now) && all.some(isDue)) ? all : [];
}

/** Whether no further trips of any day of a window are expected, as they were fetched. */
export function isSettledByDays(window: Window, fetchedAt: (day: string) => string | undefined): boolean {
  return daysOf(window).every((day) => isSettled({ from: day, to: day }, Date.parse(fetchedAt(day) ?? '')));
}
