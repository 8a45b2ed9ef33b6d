import { addDays, dateIn, datesBetween, daysFrom, isDate } from '#kit/calendar.js';
import { usageError } from './cli-error.js';

function todayIn(zone: string, nowMs: number): string {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    // The contract takes neither an offset nor another case; the runtime takes both.
    const isOtherCase = timeZone !== zone && timeZone.toLowerCase() === zone.toLowerCase();
    if (!isOtherCase && !/(^|\/)[^A-Z]/.test(zone)) return dateIn(zone, nowMs);
  } catch {
    // The runtime does not know it.
  }
  throw usageError('the zone must be a name of the IANA database, such as Europe/Berlin');
}

/** A day and those before it, in order. `before` is negative or 0. */
export const daysUntil = (last: string, before: number): readonly string[] => datesBetween(addDays(last, before), last);

/** The day after a day, both as `yyyy-MM-dd`. */
export const dayAfter = (day: string): string => addDays(day, 1);

/**
 * A calendar day of an option: `2026-03-01`, `20260301`, `today`, `yesterday` or `7d` (seven days ago).
 *
 * @returns the day as `yyyy-MM-dd`
 */
export function readDay(text: string, option: string, zone: string, nowMs = Date.now()): string {
  const today = todayIn(zone, nowMs);
  if (text === 'today') return today;
  if (text === 'yesterday') return addDays(today, -1);
  const ago = /^(\d{1,4})d$/.exec(text)?.[1];
  if (ago !== undefined) return addDays(today, -Number(ago));
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) ?? [];
  const written = `${year}-${month}-${day}`;
  if (!isDate(written))
    throw usageError(`${option} must be a day: 2026-03-01, 20260301, today, yesterday or 7d (seven days ago)`);
  return written;
}

/** The two days of a range. The end may not lie before the start, nor the start in the future, nor may there be more days. */
export function readRange(
  { from, to }: { readonly from: string; readonly to: string },
  zone: string,
  mostDays = Number.POSITIVE_INFINITY,
): { readonly from: string; readonly to: string } {
  const range = { from: readDay(from, '--from', zone), to: readDay(to, '--to', zone) };
  if (range.from > range.to) throw usageError('--to must not be before --from');
  if (range.from > readDay('today', '--from', zone)) throw usageError('--from is in the future');
  if (daysFrom(range.from, range.to) >= mostDays) throw usageError(`choose at most ${mostDays} days`);
  return range;
}
