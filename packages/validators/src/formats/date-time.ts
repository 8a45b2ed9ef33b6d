import { digitsAt, isCalendarDay } from './calendar-date.js';

/** Whether a text is a date and time: https://www.rfc-editor.org/rfc/rfc3339#section-5.6 */
export function isDateTime(text: string): boolean {
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  const second = digitsAt(text, 17, 2);
  if (
    !(
      isCalendarDay(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2)) &&
      text[4] === '-' &&
      text[7] === '-' &&
      (text[10] === 'T' || text[10] === 't') &&
      text[13] === ':' &&
      text[16] === ':' &&
      hour <= 23 &&
      minute <= 59 &&
      second <= 60
    )
  ) {
    return false;
  }
  let end = 19;
  if (text[end] === '.') {
    do end++;
    while (digitsAt(text, end, 1) >= 0);
    if (end === 20) return false;
  }
  const offset = offsetAt(text, end);
  // A leap second stands at the end of a day in UTC: https://www.rfc-editor.org/rfc/rfc3339#section-5.7
  return second < 60 ? !Number.isNaN(offset) : (hour * 60 + minute - offset + 1440) % 1440 === 1439;
}

/** The offset from UTC in minutes that ends the text at this place, or NaN. */
function offsetAt(text: string, start: number): number {
  const sign = text[start];
  if (sign === 'Z' || sign === 'z') return text.length === start + 1 ? 0 : Number.NaN;
  const hours = digitsAt(text, start + 1, 2);
  const minutes = digitsAt(text, start + 4, 2);
  const shaped = (sign === '+' || sign === '-') && text[start + 3] === ':' && text.length === start + 6;
  if (!(shaped && hours <= 23 && minutes <= 59)) return Number.NaN;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}
