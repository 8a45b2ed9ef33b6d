import { operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { type RequestParts, validateRequest } from '../src/index.js';
import { dayAfter, longestQuery, maxDays } from './date-ranges.ts';

const vin = 'SANDB0XA000000001';
const [brand] = operations.getDrivingData.parameters[0].rule.enum;
const range = 'startDate=20260302&endDate=20260302';
const driving = (query: RequestParts['query']) =>
  validateRequest('getDrivingData', { path: { vin }, query, headers: { brand } });

describe('a query', () => {
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

  test.each<[string, RequestParts['query']]>([
    ['begin with its question mark', `?${range}&zoneId=Europe%2FBerlin`],
    ['be percent-encoded', 'start%44ate=20260302&endDate=20260302&zoneId=Europe/Berlin'],
    ['come as URLSearchParams', new URLSearchParams(`${range}&zoneId=Europe/Berlin`)],
    ['come as a record', { startDate: '20260302', endDate: ['20260302'], zoneId: 'Europe/Berlin' }],
  ])('may %s', (_, query) => {
    expect(driving(query)).toMatchObject({ value: { query: { endDate: '20260302', zoneId: 'Europe/Berlin' } } });
  });

  test('never has a value repeated in an issue, not even as the name of an unknown parameter', () => {
    for (const query of [`${range}&${vin}=1`, `${range}&zoneId=${vin}`, `startDate=${vin}`]) {
      const result = driving(query);
      expect(result.ok).toBe(false);
      expect(JSON.stringify(result)).not.toContain(vin);
    }
  });
});

describe('the query of a request whose wide form affects every vehicle of a brand', () => {
  const stop = (query: unknown) =>
    validateRequest('stopDataSharing', { path: {}, query: query as RequestParts['query'], headers: { brand } });
  class Query {
    get vin(): string {
      return vin;
    }
  }

  test('is text, URLSearchParams or a plain record; only an empty one is the wide form', () => {
    for (const query of ['', {}, Object.create(null), new URLSearchParams()]) {
      expect(stop(query)).toEqual({ ok: true, value: { path: {}, query: {}, headers: { Brand: brand } } });
    }
    const hidden = Object.defineProperty({}, 'vin', { value: vin, enumerable: false });
    for (const query of [`vin=${vin}`, { vin }, { __proto__: null, vin }, new URLSearchParams({ vin }), hidden]) {
      expect(stop(query)).toMatchObject({ ok: true, value: { query: { vin } } });
    }
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
    ['a record with no VIN', { vin: undefined }],
    ['a record with null', { vin: null }],
    ['a record with an empty list', { vin: [] }],
    ['a record with a list of nothing', { vin: [undefined] }],
    ['a record with an empty VIN', { vin: '' }],
  ])('is not %s', (_, query) => {
    expect(stop(query).ok).toBe(false);
  });

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 5],
    ['a boolean', true],
    ['a date', new Date(0)],
    ['an empty list', []],
    ['an empty set', new Set()],
    ['a record that inherits its vin', Object.create({ vin })],
    ['an instance of a class', new Query()],
  ])('is no query when it is %s', (_, query) => {
    expect(stop(query)).toMatchObject({ ok: false, issues: [{ in: 'query', name: 'query', rule: 'type' }] });
  });
});
