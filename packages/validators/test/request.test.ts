import { operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { type RequestParts, validateRequest } from '../src/index.js';
import { dayAfter, longestQuery, maxDays, tooLong, tooLongQuery } from './date-ranges.ts';

const vin = 'SANDB0XA000000001';
const [brand] = operations.getDrivingData.parameters[0].rule.enum;

function driving(query: RequestParts['query'], headers: RequestParts['headers'] = { Brand: brand }) {
  return validateRequest('getDrivingData', { path: { vin }, query, headers });
}

function issueOf(result: ReturnType<typeof validateRequest>) {
  expect(result.ok).toBe(false);
  return result.ok ? undefined : result.issues[0];
}

describe('a date range', () => {
  test('of exactly the most days passes, and the time zone defaults to UTC', () => {
    expect(driving(longestQuery)).toEqual({
      ok: true,
      value: {
        path: { vin },
        query: { startDate: dayAfter(0), endDate: dayAfter(maxDays), zoneId: 'UTC' },
        headers: { Brand: brand },
      },
    });
  });

  test('of one day passes', () => {
    expect(driving('startDate=20260302&endDate=20260302').ok).toBe(true);
  });

  test('of one day more is rejected in words that say what is allowed', () => {
    expect(issueOf(driving(tooLongQuery))).toEqual({
      kind: 'request',
      in: 'query',
      name: 'endDate',
      pointer: '',
      rule: 'dateRange',
      message: tooLong(),
    });
  });

  test('that ends before it starts is rejected', () => {
    expect(issueOf(driving('startDate=20260302&endDate=20260301'))).toMatchObject({
      rule: 'dateRange',
      message: 'endDate is 1 day before startDate; it must not be before it',
    });
  });

  test('over a leap day counts that day', () => {
    const query = (year: number, days: number) => {
      const start = new Date(Date.UTC(year, 2, 1 - days)).toISOString().slice(0, 10).replaceAll('-', '');
      return `startDate=${start}&endDate=${year}0301`;
    };
    expect(driving(query(2024, maxDays)).ok).toBe(true);
    expect(driving(query(2024, maxDays + 1)).ok).toBe(false);
    expect(driving(query(2023, maxDays)).ok).toBe(true);
    expect(driving(query(2023, maxDays + 1)).ok).toBe(false);
  });

  test('needs days that exist', () => {
    expect(issueOf(driving('startDate=20230229&endDate=20230301'))).toMatchObject({
      name: 'startDate',
      rule: 'format',
    });
  });
});

describe('a query', () => {
  const range = 'startDate=20260302&endDate=20260309';

  test.each([
    ['an unknown parameter', `${range}&startdate=20260302`, 'unknownParameter', 'startdate'],
    ['a repeated parameter', `${range}&endDate=20260309`, 'repeatedParameter', 'endDate'],
    ['an empty parameter', `${range}&zoneId=`, 'emptyParameter', 'zoneId'],
    ['a parameter without an equals sign', `${range}&zoneId`, 'emptyParameter', 'zoneId'],
    ['a parameter without a name', `${range}&`, 'unknownParameter', ''],
    ['an empty part', `startDate=20260302&&endDate=20260309`, 'unknownParameter', ''],
    ['broken percent-encoding', `${range}&zoneId=%E0%A4%A`, 'percentEncoding', 'zoneId'],
    ['broken percent-encoding of a name', `${range}&%zz=1`, 'percentEncoding', ''],
    ['a missing parameter', 'startDate=20260302', 'required', 'endDate'],
    ['a time zone abbreviation', `${range}&zoneId=PST`, 'format', 'zoneId'],
    ['a time zone offset', `${range}&zoneId=%2B09:00`, 'format', 'zoneId'],
  ])('with %s is rejected', (_, query, rule, name) => {
    expect(issueOf(driving(query))).toMatchObject({ in: 'query', rule, name });
  });

  test.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1'])(
    'may name the time zone %s',
    (zoneId) => {
      expect(driving(`${range}&zoneId=${zoneId}`)).toMatchObject({ ok: true, value: { query: { zoneId } } });
    },
  );

  test('may be percent-encoded, begin with its question mark, or come as URLSearchParams or a record', () => {
    const queries: RequestParts['query'][] = [
      `?${range}&zoneId=Europe%2FBerlin`,
      `start%44ate=20260302&endDate=20260309&zoneId=Europe/Berlin`,
      new URLSearchParams(`${range}&zoneId=Europe/Berlin`),
      { startDate: '20260302', endDate: ['20260309'], zoneId: 'Europe/Berlin' },
    ];
    for (const query of queries) {
      expect(driving(query)).toMatchObject({
        ok: true,
        value: { query: { endDate: '20260309', zoneId: 'Europe/Berlin' } },
      });
    }
  });

  test('of a record may leave an optional parameter undefined', () => {
    expect(driving({ startDate: '20260302', endDate: '20260309', zoneId: undefined }).ok).toBe(true);
    expect(issueOf(driving({ startDate: '20260302', endDate: ['20260309', '20260309'] }))).toMatchObject({
      rule: 'repeatedParameter',
    });
    expect(issueOf(driving({ startDate: '20260302', endDate: [] }))).toMatchObject({ rule: 'emptyParameter' });
  });

  test('never has a value repeated in an issue, not even as the name of an unknown parameter', () => {
    for (const query of [`${range}&${vin}=1`, `${range}&zoneId=${vin}`, `startDate=${vin}`]) {
      expect(JSON.stringify(issueOf(driving(query)))).not.toContain(vin);
    }
  });

  test('can have several issues collected', () => {
    const result = validateRequest(
      'getDrivingData',
      { path: { vin: 'x' }, query: 'a=1&b=2', headers: {} },
      { maxIssues: 10 },
    );
    expect(result.ok ? [] : result.issues.map(({ in: place, name, rule }) => `${place} ${name} ${rule}`)).toEqual([
      'header Brand required',
      'path vin pattern',
      'query a unknownParameter',
      'query b unknownParameter',
      'query startDate required',
      'query endDate required',
    ]);
  });
});

describe('stopping all sharing', () => {
  function stop(query: RequestParts['query']) {
    return validateRequest('stopDataSharing', { path: {}, query, headers: { brand } });
  }

  test('takes no query at all', () => {
    expect(stop('')).toEqual({ ok: true, value: { path: {}, query: {}, headers: { Brand: brand } } });
    expect(stop({}).ok).toBe(true);
    expect(stop(new URLSearchParams()).ok).toBe(true);
  });

  test('of one vehicle takes exactly one valid VIN', () => {
    expect(stop(`vin=${vin}`)).toMatchObject({ ok: true, value: { query: { vin } } });
  });

  test.each([
    ['a bare question mark', '?'],
    ['an empty VIN', 'vin='],
    ['a VIN parameter without a value', 'vin'],
    ['a misspelt parameter', `Vin=${vin}`],
    ['two VINs', `vin=${vin}&vin=${vin}`],
    ['a short VIN', 'vin=SANDB0X'],
    ['an ampersand alone', '&'],
    ['an equals sign alone', '='],
    ['a fragment of an encoding', `vin=${vin}%`],
  ])('is not what %s does', (_, query) => {
    expect(stop(query).ok).toBe(false);
  });

  test('is not what a record with an undefined, null or empty VIN does', () => {
    const vins: unknown[] = [undefined, null, [], [undefined], ''];
    for (const value of vins) expect(stop({ vin: value as string }).ok).toBe(false);
  });
});

describe('the brand', () => {
  const query = 'startDate=20260302&endDate=20260309';

  test('is found under any case of the header name', () => {
    expect(driving(query, { brand }).ok).toBe(true);
    expect(driving(query, new Headers({ BRAND: brand })).ok).toBe(true);
  });

  test('is compared in exact case and stands once', () => {
    expect(issueOf(driving(query, { brand: brand.toUpperCase() }))).toMatchObject({
      kind: 'enumeration',
      in: 'header',
      name: 'Brand',
      rule: 'enum',
    });
    expect(issueOf(driving(query, { brand, Brand: brand }))).toMatchObject({ rule: 'repeatedParameter' });
    expect(issueOf(driving(query, {}))).toMatchObject({ rule: 'required', message: 'Brand is required' });
  });

  test('can be one of the deployment instead', () => {
    const parts = { path: { vin }, query, headers: { brand: 'other' } };
    expect(validateRequest('getDrivingData', parts, { brands: ['other'] }).ok).toBe(true);
    expect(validateRequest('getDrivingData', { ...parts, headers: { brand } }, { brands: ['other'] }).ok).toBe(false);
  });
});

test('an operation that the contract does not have is an issue, not an exception', () => {
  const id = '__proto__' as 'getLocation';
  expect(issueOf(validateRequest(id, { path: {}, query: '', headers: {} }))).toMatchObject({ rule: 'operation' });
});
