/** Days before the first of each month in a common year. */
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Whether the proleptic Gregorian calendar has this day. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (!(month >= 1 && month <= 12 && day >= 1)) return false;
  const days = (daysBefore[month] as number) - (daysBefore[month - 1] as number);
  return day <= days || (month === 2 && day === 29 && isLeap(year));
}

/** The number that a run of ASCII digits of a text spells, or NaN where one of the characters is no digit. */
export function digitsAt(text: string, start: number, count: number): number {
  let number = 0;
  for (let index = start; index < start + count; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** Whether a text is eight ASCII digits, yyyyMMdd, that name a day of the calendar. Reads no clock and no time zone. */
export function isBasicDate(text: string): boolean {
  return text.length === 8 && isCalendarDay(digitsAt(text, 0, 4), digitsAt(text, 4, 2), digitsAt(text, 6, 2));
}

/** The position of a valid `yyyyMMdd` day in the calendar. Only differences of two positions have a meaning. */
export function dayNumber(text: string): number {
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 4, 2);
  const past = year - 1;
  const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  return (
    past * 365 +
    leapDays +
    (daysBefore[month - 1] as number) +
    (month > 2 && isLeap(year) ? 1 : 0) +
    digitsAt(text, 6, 2)
  );
}
