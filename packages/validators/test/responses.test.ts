import { operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import {
  getDrivingDataResponse,
  isBrand,
  isVin,
  type OperationId,
  Vin,
  validateRequest,
  validateResponse,
} from '../src/index.js';
import { createResponseChecker } from '../src/stream.js';
import { examples } from './contract-examples.ts';

/** An object with a member that cannot be read. */
const unreadable = (name: string) => {
  const get = () => {
    throw new Error('read');
  };
  return Object.defineProperty({}, name, { get });
};

describe('a response', () => {
  test('passes with every example of the contract', () => {
    expect(examples.length).toBeGreaterThan(20);
    for (const { operationId, status, body } of examples) {
      const result = validateResponse(operationId, status, body);
      expect(result, `${operationId} ${status}`).toEqual({ ok: true, value: body });
    }
  });

  test('keeps members that the contract does not know', () => {
    const body = { data: { more: 1 }, meta: { success: 'true', extra: null }, next: [] };
    expect(validateResponse('stopDataSharing', 200, body)).toEqual({ ok: true, value: body });
  });

  const listed = Object.keys(operations.getLocation.responses).join(', ');
  const throwing = unreadable('toString');
  test.each<{ operationId?: unknown; status?: unknown; rule: string; more: string }>([
    ...[418, 'toString', '__proto__', throwing, undefined].map((status) => {
      return { operationId: 'getLocation', status, rule: 'status', more: `; listed are ${listed}` };
    }),
    ...['getNothing', 'toString', '__proto__', throwing, Symbol('id')].map((operationId) => {
      return { operationId, status: 200, rule: 'operation', more: '' };
    }),
  ])('of what the contract does not list says so: no such $rule', ({ operationId, status, rule, more }) => {
    const message = `the value belongs to no response that the contract lists${more}`;
    const verdict = { ok: false, issues: [{ kind: 'shape', in: 'body', name: '', pointer: '', rule, message }] };
    expect(validateResponse(operationId as OperationId, status as number, {})).toEqual(verdict);
    const checker = createResponseChecker(operationId as OperationId, status as number);
    expect(checker.write(Buffer.from('{}'))).toBe(false);
    expect(checker.end()).toEqual({ ...verdict, byteOffset: 0 });
  });

  const trip = (members: object) => ({
    data: { trips: [{ triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 1, ...members }] },
    meta: {},
  });
  const gears = 'must be one of "p", "r", "n", "d"';
  test.each<{ body: unknown; issues: readonly string[] }>([
    { body: trip({}), issues: [] },
    { body: [], issues: ['shape type: the value must be an object'] },
    { body: undefined, issues: ['shape type: the value must be an object'] },
    { body: trip({ odometer: 1 }), issues: ['shape type: /odometer must be an object'] },
    { body: trip({ odometer: { value: 1 } }), issues: ['shape type: /odometer/value must be a list'] },
    { body: trip({ odometer: { value: [1, '1'] } }), issues: ['shape type: /odometer/value/1 must be a number'] },
    { body: trip({ odometer: { value: [-1] } }), issues: ['range minimum: /odometer/value/0 must be at least 0'] },
    {
      body: trip({ odometer: { value: [0, 1677721.5] } }),
      issues: ['range maximum: /odometer/value/1 must be at most 1677721.4'],
    },
    { body: trip({ transmission: { gear: ['p', 'x'] } }), issues: [`enumeration enum: /transmission/gear/1 ${gears}`] },
    { body: trip({ transmission: { gear: ['p', 1] } }), issues: [`shape type: /transmission/gear/1 ${gears}`] },
    { body: trip({ tripLength: 0.5 }), issues: ['shape type: /tripLength must be a whole number'] },
    { body: trip({ tripLength: undefined }), issues: ['shape required: /tripLength is required'] },
    { body: trip({ triggerStartTime: 1 }), issues: ['shape type: /triggerStartTime must be text'] },
    {
      body: trip({ triggerStartTime: '' }),
      issues: ['shape format: /triggerStartTime must be a date and time of RFC 3339'],
    },
    {
      body: trip({ triggerStartTime: '2026-03-02T06:41:07Z' }),
      issues: ['shape pattern: /triggerStartTime must be of the form 2026-03-02T06:41:07.000Z'],
    },
  ])('has the issues of its body: %j', ({ body, issues }) => {
    const result = validateResponse('getDrivingData', 200, body);
    const found = result.ok ? [] : result.issues.map(({ kind, rule, message }) => `${kind} ${rule}: ${message}`);
    expect(found.map((line) => line.replace('/data/trips/0', ''))).toEqual(issues);
  });

  test('that cannot be read is an issue, beside those that were found before', () => {
    const body = { data: { trips: [unreadable('tripLength')] }, meta: {} };
    expect(getDrivingDataResponse.validate(body, { maxIssues: 9 })).toMatchObject({
      issues: [{ rule: 'required' }, { rule: 'readable', pointer: '', message: 'the value cannot be read' }],
    });
  });

  test('is valid or not, where that is enough', () => {
    const verdicts = [isVin('SANDB0XA000000001'), isVin('x'), Vin.is(1), isBrand('brand_a'), isBrand('brand_A')];
    expect(verdicts).toEqual([true, false, false, true, false]);
  });
});

describe('what costs much', () => {
  test.each<{ options: object | undefined; count: number }>([
    ...[5n, Symbol('five'), '5', 1.5, Number.NaN, -1, 1].map((maxIssues) => ({ options: { maxIssues }, count: 1 })),
    { options: unreadable('maxIssues'), count: 1 },
    { options: undefined, count: 1 },
    { options: { maxIssues: 20 }, count: 20 },
    { options: { maxIssues: 1e9 }, count: 1000 },
  ])(
    'a response of 8 MB in which every sample is wrong gives one issue or as many as asked for: $count',
    ({ options, count }) => {
      const value = new Array<number>(30_000).fill(-1);
      const gear = new Array<string>(30_000).fill('x');
      const trips = new Array<object>(12).fill({ odometer: { value }, transmission: { gear } });
      const result = validateResponse('getDrivingData', 200, { data: { trips }, meta: {} }, options);
      expect(result.ok ? 0 : result.issues.length).toBe(count);
    },
  );

  test('a text of 20 million characters is rejected without being read to its end', () => {
    const text = 'x'.repeat(20_000_000);
    expect(isVin(text)).toBe(false);
    const parts = { path: { vin: text }, query: `zoneId=${text}`, headers: {} };
    expect(validateRequest('getDrivingData', parts, { maxIssues: 10 }).ok).toBe(false);
  });
});

test.each(['{}', new ArrayBuffer(2), [123, 125], new Uint16Array(1), undefined])(
  'a checker reads bytes alone, and says so of %j',
  (chunk) => {
    const checker = createResponseChecker('getLocation', 200);
    expect(() => Reflect.apply(checker.write, checker, [chunk])).toThrow('write needs a Uint8Array');
  },
);
