import { isCalendarDay, twoDigits, yearOf } from './calendar-date.js';

// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
const grammar = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i;

/** Whether a text is a date and time of RFC 3339 that the calendar and the clock have. */
export function isDateTime(text: string): boolean {
  if (!grammar.test(text)) return false;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  let offset = 0;
  const { length } = text;
  if (text[length - 3] === ':') {
    const hours = twoDigits(text, length - 5);
    const minutes = twoDigits(text, length - 2);
    if (hours > 23 || minutes > 59) return false;
    offset = (hours * 60 + minutes) * (text[length - 6] === '-' ? -1 : 1);
  }
  return (
    isCalendarDay(yearOf(text), twoDigits(text, 5), twoDigits(text, 8)) &&
    hour < 24 &&
    minute < 60 &&
    // A leap second stands at the end of a day in UTC: https://www.rfc-editor.org/rfc/rfc3339#section-5.7
    (second < 60 || (second === 60 && (hour * 60 + minute - offset + 1440) % 1440 === 1439))
  );
}
