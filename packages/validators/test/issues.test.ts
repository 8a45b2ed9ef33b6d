// What every kind of issue says in full, for a program and for a person.
import { operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { add, type Check } from '../src/findings.js';
import {
  getDrivingDataRequest,
  getDrivingDataResponse,
  isBrand,
  isVin,
  type OperationId,
  type RequestParts,
  Vin,
  validateRequest,
  validateResponse,
} from '../src/index.js';
import { createValidator } from '../src/validator.js';
import { tooLong, tooLongQuery } from './date-ranges.ts';

const vin = 'SANDB0XA000000001';
const range = 'startDate=20260302&endDate=20260302';
const headers = { Brand: 'brand_a' };

/** All issues of a request, each as place, name, rule and message. */
function said(operationId: OperationId, parts: object, options = {}): readonly string[] {
  const result = validateRequest(operationId, parts as RequestParts, { maxIssues: 20, ...options });
  return result.ok
    ? []
    : result.issues.map(({ in: place, name, rule, message }) => `${place} ${name} ${rule}: ${message}`);
}

const driving = (parts: object, options = {}) =>
  said('getDrivingData', { path: { vin }, query: range, headers, ...parts }, options);

describe('of a query, an issue says', () => {
  const takes = 'is not a parameter of this operation; it takes startDate, endDate, zoneId';
  const unnamed = `query  unknownParameter: the query holds what ${takes}`;

  test.each([
    [`${range}&speed=1`, `query speed unknownParameter: speed ${takes}`],
    [`${range}&a-b_9=1`, `query a-b_9 unknownParameter: a-b_9 ${takes}`],
    [`${range}&${vin}=1`, unnamed],
    [`${range}&9=1`, unnamed],
    [`${range}&a%20b=1`, unnamed],
    [`${range}&`, unnamed],
    [`&${range}`, unnamed],
    [`=1&${range}`, unnamed],
    [`${range}&endDate=20260302`, 'query endDate repeatedParameter: endDate must stand only once'],
    [`${range}&zoneId=`, 'query zoneId emptyParameter: zoneId must not be empty'],
    [`${range}&zoneId`, 'query zoneId emptyParameter: zoneId must not be empty'],
    [`${range}&zoneId=%`, 'query zoneId percentEncoding: zoneId must be percent-encoded UTF-8'],
    [`${range}&%ff=1`, 'query  percentEncoding: the query must be percent-encoded UTF-8'],
    [`${range}&zoneId=PST`, expect.stringMatching(/^query zoneId format: zoneId must be /)],
    ['startDate=20260302', 'query endDate required: endDate is required'],
    ['endDate=20260302', 'query startDate required: startDate is required'],
    ['startDate=20230229&endDate=20230301', expect.stringMatching(/^query startDate format: .* a day that exists/)],
    [tooLongQuery, `query endDate dateRange: ${tooLong()}`],
  ])('%s: %s', (query, words) => {
    expect(driving({ query })).toEqual([words]);
    expect(driving({ query: `?${query}` })).toEqual([words]);
  });

  test('of a record, how often a parameter stands there', () => {
    const record = { startDate: '20260302', endDate: '20260302', zoneId: 'Etc/GMT+1' };
    expect(driving({ query: record })).toEqual([]);
    expect(driving({ query: `${range}&zoneId=Etc/GMT+1` })).toEqual([]);
    expect(driving({ query: { ...record, zoneId: undefined } })).toEqual([]);
    expect(driving({ query: { ...record, zoneId: ['UTC', 'UTC'] } })).toEqual([
      'query zoneId repeatedParameter: zoneId must stand only once',
    ]);
    expect(driving({ query: { ...record, zoneId: [] } })).toEqual([
      'query zoneId emptyParameter: zoneId must not be empty',
    ]);
  });

  test('what is missing where the query is none at all', () => {
    const missing = ['query startDate required: startDate is required', 'query endDate required: endDate is required'];
    for (const query of [undefined, null, '', '?', {}, new URLSearchParams()])
      expect(driving({ query })).toEqual(missing);
  });

  test('that an operation takes none, or which one it takes', () => {
    expect(said('listVehicles', { path: {}, query: 'vin=1', headers })).toEqual([
      'query vin unknownParameter: vin is not a parameter of this operation; it takes none',
    ]);
    const stop = (query: unknown) => said('stopDataSharing', { path: {}, query, headers });
    expect(stop('?')).toEqual(['query  emptyQuery: the query must be left out altogether, or hold vin']);
    expect(stop({ vin: undefined })).toEqual(['query vin emptyParameter: vin must not be empty']);
  });

  test('as much as was asked for, and one where nothing was', () => {
    const query = 'a=1&b=2&c=3';
    const count = (maxIssues?: number) => driving({ query }, { maxIssues }).length;
    expect([count(), count(1), count(2), count(3), count(4), count(20)]).toEqual([1, 1, 2, 3, 4, 5]);
  });
});

describe('of path and headers, an issue says', () => {
  test('what is missing, wrong or there twice', () => {
    expect(driving({ path: {}, headers: {} })).toEqual([
      'header Brand required: Brand is required',
      'path vin required: vin is required',
    ]);
    expect(driving({ path: { vin: '' }, headers: { Brand: '' } })).toEqual([
      'header Brand emptyParameter: Brand must not be empty',
      'path vin emptyParameter: vin must not be empty',
    ]);
    expect(driving({ path: { vin: 'x' }, headers: { brand: 'x' } })).toEqual([
      'header Brand enum: Brand must be one of "brand_a", "brand_b", "brand_c"',
      'path vin pattern: vin must be 17 ASCII digits or letters, such as SANDB0XA000000001',
    ]);
    expect(driving({ headers: { Brand: 'brand_a', BRAND: 'brand_a' } })).toEqual([
      'header Brand repeatedParameter: Brand must stand only once',
    ]);
    for (const none of [null, undefined, 1, `vin=${vin}&Brand=brand_a`, `?vin=${vin}&Brand=brand_a`]) {
      expect(driving({ path: none, headers: none })).toEqual([
        'header Brand required: Brand is required',
        'path vin required: vin is required',
      ]);
    }
    expect(driving({ headers: { Brand: 1 } })).toEqual([
      'header Brand type: Brand must be one of "brand_a", "brand_b", "brand_c"',
    ]);
  });

  test('nothing of what the contract does not name', () => {
    expect(
      driving({ path: { vin, more: '' }, headers: { brand: 'brand_a', Accept: '', brandx: 'x', xbrand: 'x' } }),
    ).toEqual([]);
    expect(driving({ headers: new Headers({ BRAND: 'brand_a', accept: 'x' }) })).toEqual([]);
    expect(driving({ headers: { brand: 'brand_a', Brand: undefined } })).toEqual([]);
    expect(driving({ path: { Vin: vin } })).toEqual(['path vin required: vin is required']);
  });

  test('which brands a deployment has, where it has its own', () => {
    const brands = ['mine', 'yours'];
    expect(driving({ headers: { Brand: 'mine' } }, { brands })).toEqual([]);
    expect(driving({}, { brands })).toEqual(['header Brand enum: Brand must be one of "mine", "yours"']);
    expect(driving({}, { brands: [] })).toEqual([
      'header Brand options: Brand cannot be checked: the option brands must be a list of at least one value',
    ]);
    expect(driving({}, { brands: undefined })).toEqual([]);
  });
});

describe('of a request as a whole, an issue says', () => {
  test('that it is none', () => {
    for (const parts of [undefined, null, 1, 'x', []]) {
      expect(said('getLocation', parts as object)).toEqual([
        'request  type: the request must be an object with path, query and headers',
      ]);
    }
  });

  test('that it cannot be read, and nothing of what it holds', () => {
    const path = {
      get vin(): string {
        throw new Error(vin);
      },
    };
    expect(validateRequest('getDrivingData', { path, query: range, headers })).toEqual({
      ok: false,
      issues: [
        expect.objectContaining({
          kind: 'shape',
          pointer: '',
          rule: 'readable',
          message: expect.stringMatching(/cannot be read$/),
        }),
      ],
    });
  });

  test.each(['getNothing', 'toString', '__proto__'])('that %s is no operation', (operationId) => {
    expect(validateRequest(operationId as 'getLocation', { path: {}, query: '', headers: {} })).toEqual({
      ok: false,
      issues: [
        {
          kind: 'request',
          in: 'request',
          name: '',
          pointer: '',
          rule: 'operation',
          message: 'the operation is not one of the contract',
        },
      ],
    });
  });

  test('yes or no, where that is enough', () => {
    const parts = { path: { vin }, query: range, headers };
    expect(getDrivingDataRequest.is(parts)).toBe(true);
    expect(getDrivingDataRequest.is({ ...parts, query: '' })).toBe(false);
    expect(getDrivingDataRequest.is(parts, { brands: ['mine'] })).toBe(false);
  });
});

describe('of a response, an issue says', () => {
  const issueOf = (operationId: string, status: unknown, body: unknown) => {
    const result = validateResponse(operationId as OperationId, status as number, body);
    return result.ok ? undefined : result.issues[0];
  };
  const shape = { kind: 'shape', in: 'body', name: '', pointer: '' };

  test('which statuses the contract lists', () => {
    const listed = Object.keys(operations.getLocation.responses).join(', ');
    for (const status of [418, 'toString', '__proto__']) {
      expect(issueOf('getLocation', status, {})).toEqual({
        ...shape,
        rule: 'status',
        message: `the value belongs to no response that the contract lists; listed are ${listed}`,
      });
    }
  });

  test.each(['getNothing', 'toString', '__proto__'])('that %s is no operation', (operationId) => {
    expect(issueOf(operationId, 200, {})).toEqual({
      ...shape,
      rule: 'operation',
      message: 'the value belongs to no response that the contract lists',
    });
  });

  test('that it is not there, is of another type, or cannot be read', () => {
    for (const body of [undefined, null, [], 'x', 1]) {
      expect(issueOf('getLocation', 200, body)).toEqual({
        ...shape,
        rule: 'type',
        message: 'the value must be an object',
      });
    }
    const trips = [
      {
        get tripLength(): number {
          throw new Error(vin);
        },
      },
    ];
    expect(issueOf('getDrivingData', 200, { data: { trips }, meta: {} })).toMatchObject({ rule: 'required' });
    expect(getDrivingDataResponse.validate({ data: { trips }, meta: {} }, { maxIssues: 9 })).toMatchObject({
      issues: [{ rule: 'required' }, { ...shape, rule: 'readable', message: 'the value cannot be read' }],
    });
  });

  test('of a member or an item its place, its kind and what is allowed', () => {
    const trip = (members: object) => {
      const whole = { triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 1, ...members };
      const issue = issueOf('getDrivingData', 200, { data: { trips: [whole, whole] }, meta: {} });
      return issue && `${issue.kind} ${issue.rule} ${issue.message.replace('/data/trips/0', '')}`;
    };
    expect(trip({})).toBeUndefined();
    expect(trip({ odometer: 1 })).toBe('shape type /odometer must be an object');
    expect(trip({ odometer: { value: 1 } })).toBe('shape type /odometer/value must be a list');
    expect(trip({ odometer: { value: [1, '1'] } })).toBe('shape type /odometer/value/1 must be a number');
    expect(trip({ odometer: { value: [-1] } })).toBe('range minimum /odometer/value/0 must be at least 0');
    expect(trip({ odometer: { value: [0, 1677721.4, 1677721.5] } })).toBe(
      'range maximum /odometer/value/2 must be at most 1677721.4',
    );
    expect(trip({ transmission: { gear: ['p', 'x'] } })).toBe(
      'enumeration enum /transmission/gear/1 must be one of "p", "r", "n", "d"',
    );
    expect(trip({ transmission: { gear: ['p', 1] } })).toBe(
      'shape type /transmission/gear/1 must be one of "p", "r", "n", "d"',
    );
    expect(trip({ tripLength: 0.5 })).toBe('shape type /tripLength must be a whole number');
    expect(trip({ tripLength: undefined })).toBe('shape required /tripLength is required');
    expect(trip({ triggerStartTime: 1 })).toBe('shape type /triggerStartTime must be text');
    expect(trip({ triggerStartTime: '' })).toBe(
      'shape pattern /triggerStartTime must be of the form 2026-03-02T06:41:07.000Z',
    );
  });

  test('yes or no, where that is enough', () => {
    expect([isVin(vin), isVin('x'), Vin.is(vin), Vin.is(1), isBrand('brand_a'), isBrand('brand_A')]).toEqual([
      ...[true, false, true, false, true, false],
    ]);
  });
});

describe('for other libraries, an issue has a path', () => {
  test('of names and indexes, unescaped', () => {
    const pathOf = (body: object) => {
      const result = getDrivingDataResponse['~standard'].validate(body);
      return result.issues?.map(({ path }) => path);
    };
    const trips = Array.from({ length: 12 }, () => ({ triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 1 }));
    expect(pathOf({ data: { trips: [...trips, { triggerStartTime: 1 }] }, meta: {} })).toEqual([
      ['data', 'trips', 12, 'triggerStartTime'],
    ]);
    expect(pathOf({ data: { trips }, meta: {} })).toBeUndefined();
    expect(pathOf([])).toEqual([[]]);
  });

  test('of names as they are, whatever characters they hold', () => {
    const check: Check = (findings) => {
      findings.path = ['a/b', 'm~n', 120, 'x1', '1x', '~1', ''];
      add(findings, 'type', 'is wrong');
    };
    expect(createValidator({ check })['~standard'].validate(1)).toEqual({
      issues: [{ message: expect.any(String), path: ['a/b', 'm~n', 120, 'x1', '1x', '~1', ''] }],
    });
  });

  test('of the part of the request and the name of the parameter', () => {
    const pathOf = (parts: unknown) =>
      getDrivingDataRequest['~standard'].validate(parts).issues?.map(({ path }) => path);
    expect(pathOf({ path: { vin }, query: range, headers: {} })).toEqual([['headers', 'Brand']]);
    expect(pathOf({ path: {}, query: range, headers })).toEqual([['path', 'vin']]);
    expect(pathOf({ path: { vin }, query: `${range}&${vin}=1`, headers })).toEqual([['query']]);
    expect(pathOf(null)).toEqual([['request']]);
    expect(pathOf({ path: { vin }, query: range, headers })).toBeUndefined();
  });

  test('and a vendor and a version', () => {
    expect(Vin['~standard']).toMatchObject({ vendor: 'vehicle-data', version: 1 });
    expect(getDrivingDataRequest['~standard']).toMatchObject({ vendor: 'vehicle-data', version: 1 });
  });
});
