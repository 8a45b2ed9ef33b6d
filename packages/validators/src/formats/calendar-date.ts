/** Position of a day, the number that yyyyMMdd spells, in the Gregorian calendar. Only differences have a meaning; a 13th month is the next January. */
export function dayNumber(date: number): number {
  const month = ((date / 100) | 0) % 100;
  // In years that begin in March the leap day is the last, and every five months have 153 days.
  const year = ((date / 10_000) | 0) - (month < 3 ? 1 : 0);
  const leapDays = (year >> 2) - ((year / 100) | 0) + ((year / 400) | 0);
  return year * 365 + leapDays + (((((month + 9) % 12) * 153 + 2) / 5) | 0) + (date % 100);
}

/** Whether a month from 01 to 12 has the day, at least 01, that yyyyMMdd names. */
function isInMonth(date: number): boolean {
  return dayNumber(date) < dayNumber(date - (date % 100) + 101);
}

/** Whether a text is eight ASCII digits, yyyyMMdd, that name a day of the calendar. Reads no clock and no time zone. */
export function isBasicDate(text: string): boolean {
  return /^\d{4}(?!00|1[3-9])[01]\d(?!00|3[2-9])[0-3]\d$/.test(text) && isInMonth(Number(text));
}
