/**
 * Days of the proleptic Gregorian calendar as whole numbers (0 is 1 January 1970). Pure arithmetic on purpose: `Date.parse`
 * takes 30 February for 2 March, and local time has days of 23 and 25 hours.
 */

const msPerDay = 86_400_000;
/** The calendar repeats itself after 400 years, this many days. */
const daysOf400Years = 146_097;

/** The number of a day written yyyyMMdd, or `undefined` where no such day exists. */
export function dayNumber(basicDate: string): number | undefined {
  if (!/^[0-9]{8}$/.test(basicDate)) return undefined;
  const day = +basicDate.slice(6);
  // Date.UTC takes the years 0 to 99 for 1900 to 1999, so the year is moved by one cycle.
  const time = Date.UTC(+basicDate.slice(0, 4) + 400, +basicDate.slice(4, 6) - 1, day);
  const date = new Date(time);
  // 30 February rolls over into March; then day or month differ.
  const isReal = date.getUTCDate() === day && date.getUTCMonth() + 1 === +basicDate.slice(4, 6);
  return isReal ? time / msPerDay - daysOf400Years : undefined;
}

/** A day number written yyyyMMdd. */
export function basicDateOf(day: number): string {
  return new Date(day * msPerDay).toISOString().slice(0, 10).replaceAll('-', '');
}
