import { usageError } from './cli-error.js';

function todayIn(zone: string, nowMs: number): string {
  try {
    // Sweden writes dates as ISO 8601 does.
    const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
    const { timeZone } = calendar.resolvedOptions();
    // The contract takes neither an offset nor another case; the runtime takes both.
    const isOtherCase = timeZone !== zone && timeZone.toLowerCase() === zone.toLowerCase();
    if (!isOtherCase && !/(^|\/)[^A-Z]/.test(zone)) return calendar.format(nowMs);
  } catch {
    // The runtime does not know it.
  }
  throw usageError('the zone must be a name of the IANA database, such as Europe/Berlin');
}

const dayMs = 86_400_000;
const shift = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** A day and those before it, in order. `before` is negative or 0. */
export const daysFrom = (last: string, before: number): readonly string[] =>
  Array.from({ length: 1 - before }, (_, index) => shift(last, before + index));

/** The day after a day, both as `yyyy-MM-dd`. */
export const dayAfter = (day: string): string => shift(day, 1);

/**
 * A calendar day of an option: `2026-03-01`, `20260301`, `today`, `yesterday` or `7d` (seven days ago).
 *
 * @returns the day as `yyyy-MM-dd`
 */
export function readDay(text: string, option: string, zone: string, nowMs = Date.now()): string {
  const today = todayIn(zone, nowMs);
  if (text === 'today') return today;
  if (text === 'yesterday') return shift(today, -1);
  const ago = /^(\d{1,4})d$/.exec(text)?.[1];
  if (ago !== undefined) return shift(today, -Number(ago));
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) ?? [];
  const written = `${year}-${month}-${day}`;
  const ms = Date.parse(`${written}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== written)
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
  if (Date.parse(range.to) - Date.parse(range.from) >= mostDays * dayMs)
    throw usageError(`choose at most ${mostDays} days`);
  return range;
}

/** A time of a trip in a zone: `2026-03-02 07:45`. */
export function timeIn(zone: string, ms: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(ms);
}
