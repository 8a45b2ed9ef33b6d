/**
 * Days of the proleptic Gregorian calendar as whole numbers (0 is 1 January 1970). Pure arithmetic on purpose: `Date.parse`
 * takes 30 February for 2 March, and local time has days of 23 and 25 hours.
 */

/** The number of a day written yyyyMMdd, or `undefined` where no such day exists. */
export function dayNumber(basicDate: string): number | undefined {
  if (!/^[0-9]{8}$/.test(basicDate)) return undefined;
  const time = Date.UTC(+basicDate.slice(0, 4), +basicDate.slice(4, 6) - 1, +basicDate.slice(6));
  // Date.UTC reads the years 0 to 99 as 1900 to 1999 and rolls 30 February over; both show in the way back.
  const day = time / 86_400_000;
  return basicDate === basicDateOf(day) ? day : undefined;
}

/** A day number written yyyyMMdd. */
export function basicDateOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
}
