import { describe, expect, test, vi } from 'vitest';
import { isBasicDate } from '../src/formats/calendar-date.js';
import { isDateTime } from '../src/formats/date-time.js';
import { isTimeZone } from '../src/formats/time-zone.js';
import { validateRequest } from '../src/index.js';
import { dayAfter, maxDays, tooLong } from './date-ranges.ts';

describe('a calendar day', () => {
  test('is one that JavaScript has too, for every number of eight digits that looks like one', () => {
    for (let year = 1899; year <= 2101; year++) {
      for (let month = 0; month <= 13; month++) {
        for (let date = 0; date <= 32; date++) {
          const [mm, dd] = [month, date].map((number) => String(number).padStart(2, '0'));
          const time = Date.parse(`${year}-${mm}-${dd}T00:00:00Z`);
          const exists = !Number.isNaN(time) && new Date(time).getUTCDate() === date;
          if (isBasicDate(`${year}${mm}${dd}`) !== exists) expect.fail(`${year}${mm}${dd}`);
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
  /** What is said about a range that begins so many days after 2 March 2026. */
  const said = (from: number, days: number) => {
    const query = { startDate: dayAfter(from), endDate: dayAfter(from + days) };
    const brand = { Brand: 'brand_a' };
    const result = validateRequest('getDrivingData', { path: { vin: 'SANDB0XA000000001' }, query, headers: brand });
    return result.ok ? '' : result.issues[0].message;
  };

  test('is as long as JavaScript says, over every end of a month and of a century', () => {
    for (let from = -130 * 366; from < 75 * 366; from += from % 30 === 0 ? 27 : 1) {
      if (said(from, maxDays) !== '' || said(from, maxDays + 1) !== tooLong()) expect.fail(dayAfter(from));
    }
  });

  test('is told in words that say how far the days are apart', () => {
    expect(said(0, 0)).toBe('');
    expect(said(0, 366)).toBe(tooLong(366));
    expect(said(0, -1)).toBe('endDate is 1 day before startDate; it must not be before it');
    expect(said(0, -59)).toBe('endDate is 59 days before startDate; it must not be before it');
  });

  test('does not depend on the clock or on the time zone of the machine', () => {
    const verdicts = () =>
      Array.from({ length: 800 }, (_, from) => said(from - 400, maxDays) + said(from, maxDays + 1));
    const before = verdicts();
    for (const zone of ['America/New_York', 'Pacific/Apia', 'Australia/Lord_Howe']) {
      vi.stubEnv('TZ', zone);
      vi.setSystemTime(new Date('2024-02-29T23:59:59Z'));
      expect(new Date().getTimezoneOffset(), zone).not.toBe(0);
      expect(verdicts()).toEqual(before);
    }
    vi.unstubAllEnvs();
    vi.useRealTimers();
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
