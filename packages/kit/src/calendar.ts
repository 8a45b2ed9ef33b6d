// Days of the calendar, written yyyy-MM-dd. They are counted in UTC, whose days all have 24 hours.

export const msPerDay = 86_400_000;

/** The number of a day since 1 January 1970, or `undefined` where no such day exists. */
export function dayNumber(date: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined;
  const day = Date.parse(date) / msPerDay;
  // Some engines take 30 February for 2 March, so what was read is written again.
  return Number.isInteger(day) && dateOf(day) === date ? day : undefined;
}

/** A day by its number since 1 January 1970, in the years 0 to 9999. */
export function dateOf(day: number): string {
  return new Date(day * msPerDay).toISOString().slice(0, 10);
}

/** Whether a text is a day of the calendar. */
export function isDate(text: unknown): text is string {
  return typeof text === 'string' && dayNumber(text) !== undefined;
}

/** A day so many days after another; before it with a negative number. */
export function addDays(date: string, days: number): string {
  return dateOf(Date.parse(date) / msPerDay + days);
}

/** How many days one is before another. */
export function daysFrom(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / msPerDay;
}

/** The days from one to another, both included; none where the first is the later one. */
export function datesBetween(first: string, last: string): readonly string[] {
  return Array.from({ length: Math.max(0, daysFrom(first, last) + 1) }, (_, index) => addDays(first, index));
}

/** The day of a moment in UTC. */
export function dateAt(ms: number): string {
  return dateOf(Math.floor(ms / msPerDay));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A moment in a zone as `yyyy-MM-dd HH:mm`, which is how Swedish writes it. @throws RangeError if the runtime does not know the zone */
export function timeIn(zone: string, ms: number): string {
  // Making a format is slow.
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  return format.format(ms).padStart(16, '0');
}

/** The day of a moment in a zone. @throws RangeError if the runtime does not know the zone */
export function dateIn(zone: string, ms: number): string {
  return timeIn(zone, ms).slice(0, 10);
}
