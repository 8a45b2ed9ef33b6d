import { type Day, dayOf, millisecondsPerDay } from './fleet/calendar.js';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The widest that a zone's clock has ever been from UTC. */
const widestOffsetMs = 16 * 3_600_000;

/** The calendar day that a moment falls on in a zone. @throws RangeError if the runtime does not know the zone. */
function dayInZone(ms: number, zoneId: string): Day {
  let format = formats.get(zoneId);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zoneId,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    });
    formats.set(zoneId, format);
  }
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of format.formatToParts(ms)) parts[type] = value;
  return dayOf(Number(parts.year), Number(parts.month), Number(parts.day));
}

/** Whether a moment falls on one of the calendar days from `first` to `last`, both included, in a zone. */
export function isWithinDays(ms: number, first: Day, last: Day, zoneId: string): boolean {
  const start = first * millisecondsPerDay;
  const end = (last + 1) * millisecondsPerDay;
  // The database's own zone for machines that were not set up; it is at UTC, and runtimes do not know it.
  if (zoneId === 'UTC' || zoneId === 'Factory') return ms >= start && ms < end;
  if (ms >= start + widestOffsetMs && ms < end - widestOffsetMs) return true;
  if (ms < start - widestOffsetMs || ms >= end + widestOffsetMs) return false;
  const day = dayInZone(ms, zoneId);
  return day >= first && day <= last;
}
