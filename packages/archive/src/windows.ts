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

/** Whether no further trips of a window are expected: it ended, in every zone, three days ago. */
export function isSettled({ to }: Window, fetchedAt: number): boolean {
  return fetchedAt >= (dayOf(to) + 1) * msPerDay + settledAfterMs;
}

/** The days of a window, written yyyy-MM-dd. */
export function daysOf({ from, to }: Window): readonly string[] {
  return datesBetween(from, to);
}

/** Days as yyyy-MM-dd, in a zone. */
export function daysIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
}

/** The day before a day, both written yyyy-MM-dd. */
export function dayBefore(date: string): string {
  return addDays(date, -1);
}

/** The day after a day, both written yyyy-MM-dd. */
export function dayAfter(date: string): string {
  return addDays(date, 1);
}

function dayOf(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00.000Z`) / msPerDay);
}
