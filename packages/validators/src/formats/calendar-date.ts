/** The number that two ASCII digits of a text spell. */
export function twoDigits(text: string, start: number): number {
  return text.charCodeAt(start) * 10 + text.charCodeAt(start + 1) - 528;
}

/** How many days a month of the proleptic Gregorian calendar has. */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return 30 + ((month + (month >> 3)) & 1);
}

/** Whether the proleptic Gregorian calendar has this day. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** The year that four ASCII digits at the start of a text spell. */
export function yearOf(text: string): number {
  return twoDigits(text, 0) * 100 + twoDigits(text, 2);
}

/** Whether a text is eight ASCII digits, yyyyMMdd, that name a day of the calendar. Reads no clock and no time zone. */
export function isBasicDate(text: string): boolean {
  return /^\d{8}$/.test(text) && isCalendarDay(yearOf(text), twoDigits(text, 4), twoDigits(text, 6));
}

/** The position of a valid `yyyyMMdd` day in the calendar. Only differences of two positions have a meaning. */
export function dayNumber(text: string): number {
  const year = yearOf(text);
  const past = year - 1;
  let day = twoDigits(text, 6) + past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  for (let month = twoDigits(text, 4) - 1; month > 0; month--) day += daysIn(year, month);
  return day;
}
