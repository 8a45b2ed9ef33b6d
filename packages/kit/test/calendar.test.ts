import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, dateAt, dateIn, dateOf, datesBetween, dayNumber, daysFrom, isDate, timeIn } from '../src/calendar.ts';

const days = fc.integer({ min: dayNumber('0000-01-01') ?? 0, max: dayNumber('9999-12-31') ?? 0 });

test('a day and its number say the same, from the year 0 to 9999', () => {
  fc.assert(fc.property(days, (day) => dayNumber(dateOf(day)) === day));
});

test('days are added and counted across months, leap days and years', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2024-03-01', -1)).toBe('2024-02-29');
  expect(addDays('2025-12-31', 1)).toBe('2026-01-01');
  expect(daysFrom('2024-01-01', '2025-01-01')).toBe(366);
  expect(datesBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(datesBetween('2026-03-01', '2026-02-27')).toEqual([]);
});

test.each(['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '20260301', '2026-3-1', '2026-03-01T00:00', '', 7])(
  'no day is called %j',
  (text) => expect(isDate(text)).toBe(false),
);

test('a moment has its day in a zone, also before and after a change of the clock', () => {
  const ms = Date.parse('2026-03-28T23:30:00Z');
  expect([dateAt(ms), dateIn('Europe/Berlin', ms), dateIn('America/Los_Angeles', ms)]).toEqual([
    '2026-03-28',
    '2026-03-29',
    '2026-03-28',
  ]);
  expect(timeIn('Europe/Berlin', Date.parse('2026-03-29T01:00:00Z'))).toBe('2026-03-29 03:00');
  expect(dateIn('UTC', Date.parse('0999-05-01'))).toBe('0999-05-01');
  expect(() => dateIn('Mars/Base', 0)).toThrow(RangeError);
});
