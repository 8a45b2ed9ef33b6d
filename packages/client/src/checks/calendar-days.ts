/**
 * Days of the proleptic Gregorian calendar as whole numbers, in UTC; 0 is 1 January 1970. Local time has days of 23 and 25
 * hours.
 */
export const msPerDay = 86_400_000;

/** The number of a day written yyyyMMdd, or `undefined` where no such day exists. */
export function dayNumber(basicDate: string): number | undefined {
  const day = Date.parse(basicDate.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')) / msPerDay;
  // Some engines take 30 February for 2 March, so what was read is written again.
  return Number.isInteger(day) && basicDateOf(day) === basicDate ? day : undefined;
}

/** A day number written yyyyMMdd. */
export function basicDateOf(day: number): string {
  return new Date(day * msPerDay).toISOString().slice(0, 10).replaceAll('-', '');
}
