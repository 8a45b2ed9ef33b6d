import { addDays, dateOf, datesBetween, msPerDay } from '#kit/calendar.js';

export { isDate } from '#kit/calendar.js';

/** One window of an archive, with both days included, written yyyy-MM-dd. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

/** A window of one vehicle. */
export interface VehicleWindow extends Window {
  readonly brand: string;
  /** Pseudonym of the vehicle. */
  readonly vehicle: string;
}

/** Most days of a window. Four of these make a month. */
const mostDays = 8;
/** How long trips may arrive late, and the furthest zone behind UTC. */
const settledAfterMs = 3 * msPerDay + 12 * 3_600_000;

/**
 * The windows that a range of days touches, whole. They begin on the same days of every month, so that every range has the same
 * windows, each inside one month. Windows that begin after tomorrow (UTC) are left out.
 *
 * @param maxDays how many days the last day of a call may lie after its first, from the contract
 */
export function windowsOf(from: string, to: string, now: number, maxDays: number): readonly Window[] {
  const [first, last] = [dayOf(from), Math.min(dayOf(to), Math.floor(now / msPerDay) + 1)];
  const days = Math.min(mostDays, maxDays + 1);
  const windows: Window[] = [];
  for (let day = first - mostDays; day <= last; day += 1) {
    const date = new Date(day * msPerDay);
    if ((date.getUTCDate() - 1) % days !== 0) continue;
    const monthEnd = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / msPerDay - 1;
    const end = Math.min(day + days - 1, monthEnd);
    if (end >= first) windows.push({ from: dateOf(day), to: dateOf(end) });
  }
  return windows;
}

/** Whether no further trips of a window, or of one day, are expected: it ended, in every zone, three days ago. */
export function isSettled({ to }: Window, fetchedAt: number): boolean {
  return fetchedAt >= (dayOf(to) + 1) * msPerDay + settledAfterMs;
}

/** How long a day has been over when an export takes it as complete: trips under way at midnight have ended and were sent. */
const closedAfterMs = 3_600_000;

/**
 * Whether a day, written yyyy-MM-dd, had been over for an hour at a time. Until then, each export fetches it.
 *
 * @param days from `daysIn`
 */
export function isClosed(day: string, at: number, days: Intl.DateTimeFormat): boolean {
  return !Number.isNaN(at) && days.format(at - closedAfterMs) > day;
}

/** Days in their order as the fewest ranges. */
export function rangesOf(days: readonly string[]): readonly Window[] {
  const ranges: { from: string; to: string }[] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last && dayAfter(last.to) === day) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}

/** The days of a window, written yyyy-MM-dd. */
export function daysOf({ from, to }: Window): readonly string[] {
  return datesBetween(from, to);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Days as yyyy-MM-dd, in a zone. */
export function daysIn(timeZone: string): Intl.DateTimeFormat {
  // Making one takes longer than a window that is settled.
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, made);
  return made;
}

/** The day before a day, both written yyyy-MM-dd. */
export function dayBefore(date: string): string {
  return dateOf(dayOf(date) - 1);
}

/** The day after a day, both written yyyy-MM-dd. */
export function dayAfter(date: string): string {
  return addDays(date, 1);
}

function dayOf(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00.000Z`) / msPerDay);
}
