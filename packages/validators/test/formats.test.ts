import { describe, expect, test } from 'vitest';
import { isBasicDate } from '../src/formats/calendar-date.js';
import { isDateTime } from '../src/formats/date-time.js';
import { isTimeZone } from '../src/formats/time-zone.js';
import { validateRequest } from '../src/index.js';
import { maxDays, tooLong } from './date-ranges.ts';

const day = 86_400_000;

describe('a calendar day', () => {
  test('is one that JavaScript has too, in years that are leap years and in years that are none', () => {
    for (const year of [1900, 1996, 2000, 2023, 2024, 2100]) {
      for (let month = 0; month <= 13; month++) {
        for (let date = 0; date <= 32; date++) {
          const [mm, dd] = [month, date].map((number) => String(number).padStart(2, '0'));
          const time = Date.parse(`${year}-${mm}-${dd}T00:00:00Z`);
          const exists = !Number.isNaN(time) && new Date(time).getUTCDate() === date;
          expect(isBasicDate(`${year}${mm}${dd}`), `${year}${mm}${dd}`).toBe(exists);
        }
      }
    }
  });

  test.each(['2024022', '202402290', ' 20240229', '20240229 ', '2024-02-29', '2024022９', '2024 229', '', 'abcdefgh'])(
    'is not written %j',
    (text) => {
      expect(isBasicDate(text)).toBe(false);
    },
  );
});

describe('a range of days', () => {
  const range = (from: number, days: number) => {
    const [startDate, endDate] = [from, from + days * day].map((time) =>
      new Date(time).toISOString().slice(0, 10).replaceAll('-', ''),
    );
    const parts = { path: { vin: 'SANDB0XA000000001' }, query: { startDate, endDate }, headers: { Brand: 'brand_a' } };
    const result = validateRequest('getDrivingData', parts);
    return result.ok ? '' : result.issues[0].message;
  };

  test('is as long as JavaScript says, over every end of a month and of a century', () => {
    for (const year of [1899, 1900, 1999, 2000, 2023, 2024, 2100]) {
      for (let from = Date.UTC(year, 0, 1); from < Date.UTC(year + 1, 0, 1); from += day) {
        expect(range(from, maxDays)).toBe('');
        expect(range(from, maxDays + 1)).toBe(tooLong());
      }
    }
  });

  test('is told in words that say how far the days are apart', () => {
    const from = Date.UTC(2024, 1, 28);
    expect(range(from, 0)).toBe('');
    expect(range(from, 366)).toBe(tooLong(366));
    expect(range(from, -1)).toBe('endDate is 1 day before startDate; it must not be before it');
    expect(range(from, -59)).toBe('endDate is 59 days before startDate; it must not be before it');
  });
});

describe('a date and time', () => {
  test.each([
    '2026-03-09T07:00:00Z',
    '2026-03-09t07:00:00.123456789z',
    '2024-02-29T23:59:59+14:00',
    '2016-12-31T23:59:60Z',
    '2017-01-01T00:59:60+01:00',
    '2016-12-31T15:59:60-08:00',
    '0000-01-01T00:00:00-23:59',
    '9999-12-31T23:59:59.9Z',
    '2026-03-09T00:00:00Z',
    '2026-03-09T07:00:00+23:59',
    '2026-03-09T07:00:00-00:00',
    '2016-12-31T23:59:60.25z',
    '2017-01-01T05:29:60+05:30',
    '2016-12-31T00:00:60-23:59',
  ])('%s passes', (text) => {
    expect(isDateTime(text)).toBe(true);
  });

  test.each([
    '2026-02-29T07:00:00Z',
    '2026-03-09T24:00:00Z',
    '2026-03-09T07:60:00Z',
    '2026-03-09T07:00:61Z',
    '2026-03-09T07:00:60Z',
    '2026-03-09 07:00:00Z',
    '2026-03-09T07:00:00',
    '2026-03-09T07:00:00.Z',
    '2026-03-09T07:00:00+01',
    '2026-03-09T07:00:00+0100',
    '2026-03-09T07:00:00+24:00',
    '2026-03-09T07:00:00+01:60',
    '2026-03-09T07:00Z',
    '2026-3-9T07:00:00Z',
    '20260309T070000Z',
    '2026-03-09T07:00:00Z\n',
    ' 2026-03-09T07:00:00Z',
    '2026-00-09T07:00:00Z',
    '2026-03-00T07:00:00Z',
    '2026-13-09T07:00:00Z',
    '2026-03-32T07:00:00Z',
    '2026-04-31T07:00:00Z',
    '2016-12-31T22:59:60Z',
    '2016-12-31T23:58:60Z',
    '2017-01-01T00:59:60-01:00',
    '2017-01-01T00:29:60+01:00',
    'x2026-03-09T07:00:00Z',
    '12026-03-09T07:00:00Z',
    '2016-12-31T23:59:61Z',
    '2016-12-31T23:59:99Z',
    '2026-03-09T07:00:00Zx',
    '2026-03-09T07:00:00',
    '2026-03-09T070:00:00Z',
    '2026-03-09T07:00:00+1:00',
    '2026-03-09T07:00:00,5Z',
    '２０２６-03-09T07:00:00Z',
    '',
  ])('%j is rejected', (text) => {
    expect(isDateTime(text)).toBe(false);
  });
});

describe('a time zone', () => {
  test.each(['UTC', 'GMT', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1', 'Zulu', 'Africa/Abidjan'])(
    'can be %s',
    (zone) => {
      expect(isTimeZone(zone)).toBe(true);
    },
  );

  test.each([
    '',
    'utc',
    'europe/Berlin',
    'Europe',
    'Berlin',
    'Europe/',
    '/UTC',
    ':UTC',
    'Europe/Berlin,Oslo',
    '+01:00',
    'PST',
  ])('cannot be %j', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});
