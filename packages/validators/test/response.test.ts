import { describe, expect, test } from 'vitest';
import { validateResponse } from '../src/index.js';
import { examples } from './contract-examples.ts';

describe('a response', () => {
  test('passes with every example of the contract', () => {
    expect(examples.length).toBeGreaterThan(20);
    for (const { operationId, status, body } of examples) {
      expect(validateResponse(operationId, status, body), `${operationId} ${status}`).toEqual({
        ok: true,
        value: body,
      });
    }
  });

  test('keeps members that the contract does not know', () => {
    const body = { data: { more: 1 }, meta: { success: true, extra: null }, next: [] };
    expect(validateResponse('stopDataSharing', 200, body)).toEqual({ ok: true, value: body });
  });

  test.each(['true', true])('passes with meta.success %j', (success) => {
    expect(validateResponse('stopDataSharing', 200, { data: {}, meta: { success } }).ok).toBe(true);
  });

  test('of a status that the contract does not list is an issue', () => {
    const result = validateResponse('getLocation', 418, {});
    expect(result).toMatchObject({ ok: false, issues: [{ kind: 'shape', rule: 'status' }] });
  });
});

describe('an issue', () => {
  function driving(signals: object) {
    const trip = { triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 1000, ...signals };
    const result = validateResponse('getDrivingData', 200, { data: { trips: [trip] }, meta: {} });
    return result.ok ? undefined : result.issues[0];
  }

  test('of a number outside its range names range, place and limit, and not the number', () => {
    expect(driving({ odometer: { value: [1, 1677721.5] } })).toEqual({
      kind: 'range',
      in: 'body',
      name: '',
      pointer: '/data/trips/0/odometer/value/1',
      rule: 'maximum',
      message: '/data/trips/0/odometer/value/1 must be at most 1677721.4',
    });
  });

  test('of an unknown value is of the kind enumeration', () => {
    expect(driving({ transmission: { gear: ['p', 'x'] } })).toMatchObject({
      kind: 'enumeration',
      rule: 'enum',
      pointer: '/data/trips/0/transmission/gear/1',
      message: '/data/trips/0/transmission/gear/1 must be one of "p", "r", "n", "d"',
    });
  });

  test('of a wrong type or a missing member is of the kind shape', () => {
    expect(driving({ odometer: { value: '1' } })).toMatchObject({ kind: 'shape', rule: 'type' });
    expect(driving({ odometer: { value: [null] } })).toMatchObject({ kind: 'shape', rule: 'type' });
    expect(driving({ tripLength: undefined })).toMatchObject({
      kind: 'shape',
      rule: 'required',
      pointer: '/data/trips/0/tripLength',
    });
  });

  test('is one unless more are asked for, and never more than a thousand', () => {
    const trips = Array.from({ length: 3000 }, () => ({}));
    const count = (maxIssues?: number) => {
      const result = validateResponse('getDrivingData', 200, { data: { trips }, meta: {} }, { maxIssues });
      return result.ok ? 0 : result.issues.length;
    };
    expect([count(), count(0), count(Number.NaN), count(5), count(Number.POSITIVE_INFINITY)]).toEqual([
      1, 1, 1, 5, 1000,
    ]);
  });
});
