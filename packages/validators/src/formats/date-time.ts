// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
// What no calendar and no clock has is looked ahead for: V8 needs a quarter of a millisecond more to compile alternatives or /i.
const grammar =
  /^\d{4}-(?!00|1[3-9])[01]\d-(?!00|3[2-9])[0-3]\d[Tt](?!2[4-9])[0-2]\d:[0-5]\d:(?!6[1-9])[0-6]\d(\.\d+)?([Zz]|[+-](?!2[4-9])[0-2]\d:[0-5]\d)$/;

/** Whether a text is a date and time of RFC 3339 that the calendar and the clock have. */
export function isDateTime(text: string): boolean {
  return (
    grammar.test(text) &&
    // Every month has 28 days.
    (text.slice(8, 10) < '29' || isInMonth(text.slice(0, 10))) &&
    (text[17] !== '6' || isLastMinute(text))
  );
}

/** Whether a month has the day. A 30th of February is no date for some engines and the 2nd of March for others. */
function isInMonth(date: string): boolean {
  return new Date(date).getUTCDate() === Number(date.slice(8));
}

/** A leap second stands at the end of a day in UTC: https://www.rfc-editor.org/rfc/rfc3339#section-5.7 */
function isLastMinute(text: string): boolean {
  return new Date(text.replace(/:60(\.\d+)?/, '').toUpperCase()).toISOString().includes('T23:59');
}
