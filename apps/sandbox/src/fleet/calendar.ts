import { dateAt, msPerDay } from '#kit/calendar.js';

/** A calendar day as the number of days since 1 January 1970. */
export type Day = number;

/** The eight digits yyyyMMdd of the day of a moment in UTC. */
export function basicDate(ms: number): string {
  return dateAt(ms).replaceAll('-', '');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a zone at a moment, as if it were UTC, in milliseconds since 1970. @throws RangeError if the runtime does not know the zone. */
function wallClockMs(ms: number, zone: string): number {
  // "Factory" is the database's own zone for machines that were not set up. It is at UTC, and runtimes do not know it.
  if (zone === 'UTC' || zone === 'Factory') return ms;
  // Swedish dates are written as in ISO 8601. Making a format is slow.
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  return Date.parse(`${format.format(ms).replace(' ', 'T')}Z`);
}

export function dayInZone(ms: number, zone: string): Day {
  return Math.floor(wallClockMs(ms, zone) / msPerDay);
}

/** The first moment of a day in a zone, taking the offset that holds at noon. */
export function midnightMs(day: Day, zone: string): number {
  const noonMs = (day + 0.5) * msPerDay;
  return day * msPerDay - (wallClockMs(noonMs, zone) - noonMs);
}
