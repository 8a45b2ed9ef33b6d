/** The number that two ASCII digits of a text spell. */
export function twoDigits(text: string, start: number): number {
  return text.charCodeAt(start) * 10 + text.charCodeAt(start + 1) - 528;
}

/** The year that four ASCII digits at the start of a text spell. */
export function yearOf(text: string): number {
  return twoDigits(text, 0) * 100 + twoDigits(text, 2);
}

/** Counts days of the proleptic Gregorian calendar. Only differences have a meaning; a 13th month is the next January. */
function countDays(year: number, month: number, day: number): number {
  // In years that begin in March the leap day is the last, and every five months have 153 days.
  const marchYear = month < 3 ? year - 1 : year;
  const leapDays = (marchYear >> 2) - ((marchYear / 100) | 0) + ((marchYear / 400) | 0);
  return marchYear * 365 + leapDays + (((((month + 9) % 12) * 153 + 2) / 5) | 0) + day;
}

/** Whether the proleptic Gregorian calendar has this day. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  return month > 0 && month < 13 && day > 0 && countDays(year, month, day) < countDays(year, month + 1, 1);
}

/** Whether a text is eight ASCII digits, yyyyMMdd, that name a day of the calendar. Reads no clock and no time zone. */
export function isBasicDate(text: string): boolean {
  return /^\d{8}$/.test(text) && isCalendarDay(yearOf(text), twoDigits(text, 4), twoDigits(text, 6));
}

/** The position of a valid `yyyyMMdd` day in the calendar. Only differences of two positions have a meaning. */
export function dayNumber(text: string): number {
  return countDays(yearOf(text), twoDigits(text, 4), twoDigits(text, 6));
}
