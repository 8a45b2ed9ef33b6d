/** A calendar day as the number of days since 1 January 1970. */
export type Day = number;

export const millisecondsPerDay = 86_400_000;

/** The day of eight digits yyyyMMdd that were already checked to name one. */
export function dayOfBasicDate(text: string): Day {
  return Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T00:00:00Z`) / millisecondsPerDay;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a zone at a moment, as if it were UTC, in milliseconds since 1970. @throws RangeError if the runtime does not know the zone. */
function wallClockMs(ms: number, zone: string): number {
  // "Factory" is the database's own zone for machines that were not set up. It is at UTC, and runtimes do not know it.
  if (zone === 'UTC' || zone === 'Factory') return ms;
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  const at: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(ms)) at[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = at;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The calendar day that a moment falls on in a zone. */
export function dayInZone(ms: number, zone: string): Day {
  return Math.floor(wallClockMs(ms, zone) / millisecondsPerDay);
}

/** The first moment of a day in a zone, taking the offset that holds at noon. */
export function midnightMs(day: Day, zone: string): number {
  const noonMs = (day + 0.5) * millisecondsPerDay;
  return day * millisecondsPerDay - (wallClockMs(noonMs, zone) - noonMs);
}
