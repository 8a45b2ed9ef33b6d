import { isInMonth } from './calendar-date.js';

// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
const grammar =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])t([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Whether a text is a date and time of RFC 3339 that the calendar and the clock have. */
export function isDateTime(text: string): boolean {
  return (
    grammar.test(text) &&
    // Every month has 28 days.
    (text.slice(8, 10) < '29' || isInMonth(Number(text.slice(0, 10).replaceAll('-', '')))) &&
    (text[17] !== '6' || isLastMinute(text))
  );
}

/** A leap second stands at the end of a day in UTC: https://www.rfc-editor.org/rfc/rfc3339#section-5.7 */
function isLastMinute(text: string): boolean {
  return new Date(text.replace(/:60(\.\d+)?/, '').toUpperCase()).toISOString().includes('T23:59');
}
