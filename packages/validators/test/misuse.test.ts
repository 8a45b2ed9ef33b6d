// What a program in JavaScript may pass by mistake. Nothing here throws, and nothing here widens what a request does.
import { describe, expect, test } from 'vitest';
import { getDrivingDataRequest, type RequestParts, validateRequest, validateResponse } from '../src/index.js';
import { createResponseChecker } from '../src/stream.js';

const vin = 'SANDB0XA000000001';
const headers = { Brand: 'brand_a' };

class Query {
  get vin(): string {
    return vin;
  }
}

describe('the query of a request whose wide form affects every vehicle of a brand', () => {
  const stop = (query: unknown) =>
    validateRequest('stopDataSharing', { path: {}, query: query as RequestParts['query'], headers });

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
  ])('is not %s', (_, query) => {
    const result = stop(query);
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.issues[0]).toMatchObject({ in: 'query', name: 'query', rule: 'type' });
  });

  test('is text, URLSearchParams or a plain record; only an empty one is the wide form', () => {
    for (const query of ['', {}, Object.create(null), new URLSearchParams()]) {
      expect(stop(query)).toMatchObject({ ok: true, value: { query: {} } });
    }
    const hidden = Object.defineProperty({}, 'vin', { value: vin, enumerable: false });
    for (const query of [`vin=${vin}`, { vin }, { __proto__: null, vin }, new URLSearchParams({ vin }), hidden]) {
      expect(stop(query)).toMatchObject({ ok: true, value: { query: { vin } } });
    }
  });
});

test.each([
  ['an empty list', []],
  ['a text', 'mine'],
  ['null', null],
])('brands given as %s are an issue, not the brands of the contract', (_, brands) => {
  const parts = { path: { vin }, query: { startDate: '20260302', endDate: '20260302' }, headers };
  const result = getDrivingDataRequest.validate(parts, { brands: brands as unknown as string[] });
  expect(result.ok).toBe(false);
  if (!result.ok) expect(result.issues[0]).toMatchObject({ name: 'Brand', rule: 'options' });
});

describe('options and arguments of the wrong type', () => {
  const thrower = {
    get maxIssues(): number {
      throw new Error('read');
    },
  };
  const hostile = {
    toString(): string {
      throw new Error('read');
    },
  };
  const wrong = { data: { trips: [1, 2, 3] }, meta: {} };

  test.each([
    ['a bigint', 5n, 1],
    ['a symbol', Symbol('five'), 1],
    ['a text', '5', 1],
    ['a fraction', 1.5, 1],
    ['not a number', Number.NaN, 1],
    ['a negative number', -1, 1],
    ['a whole number', 2, 2],
  ])('maxIssues as %s', (_, maxIssues, count) => {
    const result = validateResponse('getDrivingData', 200, wrong, { maxIssues: maxIssues as number });
    expect(result.ok ? 0 : result.issues.length).toBe(count);
  });

  test('never throw', () => {
    for (const options of [thrower, null, 5, 'x']) {
      expect(validateResponse('getDrivingData', 200, wrong, options as object).ok).toBe(false);
      expect(getDrivingDataRequest.validate({ path: {}, query: '', headers: {} }, options as object).ok).toBe(false);
    }
    for (const name of [hostile, Symbol('id'), undefined, 5] as unknown[]) {
      expect(validateResponse(name as 'getLocation', 200, {})).toMatchObject({ issues: [{ rule: 'operation' }] });
      expect(validateResponse('getLocation', name as 200, {})).toMatchObject({ issues: [{ rule: 'status' }] });
      expect(validateRequest(name as 'getLocation', { path: {}, query: '', headers })).toMatchObject({ ok: false });
      expect(createResponseChecker(name as 'getLocation', 200).end().ok).toBe(false);
    }
  });

  test('a checker reads bytes alone, and says so', () => {
    const checker = createResponseChecker('getLocation', 200);
    for (const chunk of ['{}', new ArrayBuffer(2), [123, 125], new Uint16Array(1), undefined]) {
      expect(() => checker.write(chunk as unknown as Uint8Array)).toThrow('write needs a Uint8Array');
    }
  });
});
