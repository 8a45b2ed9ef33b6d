// What the generated rules ask of text.
export { isTimeZone } from './time-zone.js';

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
  return /^\d{4}(?!00|1[3-9])[01]\d(?!00)\d\d$/.test(text) && isInMonth(Number(text));
}

// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
// What no calendar and no clock has is looked ahead for: V8 needs a quarter of a millisecond more to compile alternatives or /i.
const grammar =
  /^\d{4}-(?!00|1[3-9])[01]\d-(?!00|3[2-9])[0-3]\d[Tt](?!2[4-9])[0-2]\d:[0-5]\d:(?!6[1-9])[0-6]\d(\.\d+)?([Zz]|[+-](?!2[4-9])[0-2]\d:[0-5]\d)$/;

/** Whether a text is a date and time of RFC 3339 that the calendar and the clock have. */
export function isDateTime(text: string): boolean {
  return (
    grammar.test(text) &&
    // Every month has 28 days.
    (text.slice(8, 10) < '29' || hasDay(text.slice(0, 10))) &&
    (text[17] !== '6' || isLastMinute(text))
  );
}

/** Whether a month has the day. A 30th of February is no date for some engines and the 2nd of March for others. */
function hasDay(date: string): boolean {
  return new Date(date).getUTCDate() === Number(date.slice(8));
}

/** A leap second is at the end of a day in UTC: https://www.rfc-editor.org/rfc/rfc3339#section-5.7 */
function isLastMinute(text: string): boolean {
  return new Date(text.replace(/:60(\.\d+)?/, '').toUpperCase()).toISOString().includes('T23:59');
}

// JSON Schema counts the characters of a string as code points: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.3

/** Whether a text has at most this many code points. Reads no more of it than it must. */
export function isAtMost(text: string, count: number): boolean {
  return text.length <= count || (text.length <= 2 * count && codePoints(text) <= count);
}

/** Whether a text has at least this many code points. Reads no more of it than it must. */
export function isAtLeast(text: string, count: number): boolean {
  return text.length >= count && (text.length >= 2 * count || codePoints(text) >= count);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
