import { operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { type RequestParts, Vin, validateRequest, validateResponse } from '../src/index.js';

describe('a value that cannot be read', () => {
  const throwing = {
    get data(): never {
      throw new Error('SANDB0XA000000001');
    },
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();

  test('is an issue, not an exception', () => {
    for (const body of [throwing, revoked.proxy]) {
      const result = validateResponse('getLocation', 200, body);
      expect(result).toMatchObject({ ok: false, issues: [{ rule: 'readable' }] });
      expect(JSON.stringify(result)).not.toContain('SANDB0X');
    }
  });

  test('in a request is an issue, not an exception', () => {
    const vin = 'SANDB0XA000000001';
    const hostile: unknown[] = [
      null,
      undefined,
      1,
      'x',
      [],
      {},
      revoked.proxy,
      { path: null, query: null, headers: null },
      { path: { vin }, query: 1n, headers: 1 },
      { path: { vin: Symbol('x') }, query: '', headers: { brand: ['a'] } },
      { path: { vin }, query: { a: Symbol('x') }, headers: throwing },
      { path: Object.create({ vin }) as unknown, query: '', headers: {} },
      { path: { vin: { toString: 1 } }, query: [['a']], headers: {} },
    ];
    for (const operationId of Object.keys(operations) as (keyof typeof operations)[]) {
      for (const parts of hostile) {
        expect(validateRequest(operationId, parts as RequestParts).ok).toBe(false);
      }
    }
  });
});

test('a Standard Schema gives the value or messages with a path', () => {
  const { validate } = Vin['~standard'];
  expect(validate('SANDB0XA000000001')).toMatchObject({ value: 'SANDB0XA000000001' });
  expect(validate(1)).toEqual({ issues: [{ message: 'the value must be text', path: [] }] });
});
