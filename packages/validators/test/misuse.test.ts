// What a program in JavaScript may pass by mistake. Nothing here throws.
import { operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import {
  getDrivingDataRequest,
  type OperationId,
  type RequestParts,
  validateRequest,
  validateResponse,
} from '../src/index.js';
import { createResponseChecker } from '../src/stream.js';

const vin = 'SANDB0XA000000001';
const headers = { Brand: 'brand_a' };

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
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const parts: unknown[] = [
      ...[null, undefined, 1, 'x', [], {}, revoked.proxy],
      { path: null, query: null, headers: null },
      { path: { vin }, query: 1n, headers: 1 },
      { path: { vin: Symbol('x') }, query: '', headers: { brand: ['a'] } },
      { path: { vin }, query: { a: Symbol('x') }, headers: hostile },
      { path: Object.create({ vin }) as unknown, query: '', headers: {} },
      { path: { vin: { toString: 1 } }, query: [['a']], headers: {} },
    ];
    for (const operationId of Object.keys(operations) as OperationId[]) {
      for (const some of parts) expect(validateRequest(operationId, some as RequestParts).ok).toBe(false);
      expect(validateResponse(operationId, 200, revoked.proxy)).toMatchObject({ issues: [{ rule: 'readable' }] });
    }
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
