import { operations } from '@vehicle-data/openapi';
import { describe, expect, test, vi } from 'vitest';
import {
  getDrivingDataRequest,
  type OperationId,
  type RequestOptions,
  type RequestParts,
  validateRequest,
} from '../src/index.js';

const vin = 'SANDB0XA000000001';
const [brand] = operations.getDrivingData.parameters[0].rule.enum;
const headers = { Brand: brand };
const range = 'startDate=20260302&endDate=20260302';
const { maxDays } = operations.getDrivingData.dateRange;

/** The day so many days after 2 March 2026. */
function dayAfter(days: number): string {
  return new Date(Date.UTC(2026, 2, 2 + days)).toISOString().slice(0, 10).replaceAll('-', '');
}

/** What an issue says about a range of so many days. */
function tooLong(days = maxDays + 1): string {
  return `endDate is ${days} days after startDate; at most ${maxDays} are allowed`;
}

/** All issues of a request, each as place, name, rule and message. */
function issuesOf(operationId: OperationId, parts: unknown, options: object = {}): readonly string[] {
  const result = validateRequest(operationId, parts as RequestParts, { maxIssues: 20, ...options });
  const lines = result.ok ? [] : result.issues;
  return lines.map(({ in: place, name, rule, message }) => `${place} ${name} ${rule}: ${message}`);
}

const driving = (parts: object, options?: object) =>
  issuesOf('getDrivingData', { path: { vin }, query: range, headers, ...parts }, options);

describe('the query', () => {
  test('gets its defaults', () => {
    expect(getDrivingDataRequest.validate({ path: { vin }, query: `?${range}`, headers })).toEqual({
      ok: true,
      value: { path: { vin }, query: { startDate: '20260302', endDate: '20260302', zoneId: 'UTC' }, headers },
    });
  });

  const takes = 'is not a parameter of this operation; it takes startDate, endDate, zoneId';
  const unnamed = `query  unknownParameter: the query holds what ${takes}`;
  test.each([
    { query: `${range}&zoneId=Etc/GMT+1`, issues: [] },
    { query: 'start%44ate=20260302&endDate=20260302&zoneId=Europe%2FBerlin', issues: [] },
    { query: `${range}&speed=1`, issues: [`query speed unknownParameter: speed ${takes}`] },
    { query: `${range}&a-b_9=1`, issues: [`query a-b_9 unknownParameter: a-b_9 ${takes}`] },
    // A name that could itself be a value is not told.
    { query: `${range}&${vin}=1`, issues: [unnamed] },
    { query: `${range}&9=1`, issues: [unnamed] },
    { query: `${range}&a%20b=1`, issues: [unnamed] },
    { query: `${range}&`, issues: [unnamed] },
    { query: `=1&${range}`, issues: [unnamed] },
    { query: `${range}&endDate=20260302`, issues: ['query endDate repeatedParameter: endDate must not be repeated'] },
    { query: `${range}&zoneId=`, issues: ['query zoneId emptyParameter: zoneId must not be empty'] },
    { query: `${range}&zoneId`, issues: ['query zoneId emptyParameter: zoneId must not be empty'] },
    { query: `${range}&zoneId=%`, issues: ['query zoneId percentEncoding: zoneId must be percent-encoded UTF-8'] },
    { query: `${range}&%ff=1`, issues: ['query  percentEncoding: the query must be percent-encoded UTF-8'] },
    { query: `${range}&zoneId=PST`, issues: [expect.stringMatching(/^query zoneId format: zoneId must be /)] },
    { query: 'startDate=20260302', issues: ['query endDate required: endDate is required'] },
    {
      query: 'startDate=20230229&endDate=20230301',
      issues: [expect.stringMatching(/^query startDate format: .* a day that exists/)],
    },
    {
      query: `startDate=${dayAfter(0)}&endDate=${dayAfter(maxDays + 1)}`,
      issues: [`query endDate dateRange: ${tooLong()}`],
    },
  ])('has the issues of its text: $query', ({ query, issues }) => {
    expect(driving({ query })).toEqual(issues);
    expect(driving({ query: `?${query}` })).toEqual(issues);
  });

  test('of a record may name what it leaves out, and a value once', () => {
    const record = { startDate: '20260302', endDate: '20260302' };
    expect(driving({ query: { ...record, zoneId: undefined } })).toEqual([]);
    expect(driving({ query: { ...record, zoneId: ['UTC', 'UTC'] } })).toEqual([
      'query zoneId repeatedParameter: zoneId must not be repeated',
    ]);
    expect(driving({ query: { ...record, zoneId: [] } })).toEqual([
      'query zoneId emptyParameter: zoneId must not be empty',
    ]);
  });

  test.each([undefined, null, '', '?', {}, new URLSearchParams()])('%j lacks what is required', (query) => {
    expect(driving({ query })).toEqual([
      'query startDate required: startDate is required',
      'query endDate required: endDate is required',
    ]);
  });
});

describe('a range of days', () => {
  const said = (from: number, days: number) => {
    const query = { startDate: dayAfter(from), endDate: dayAfter(from + days) };
    return driving({ query }).join().replace('query endDate dateRange: ', '');
  };

  test.each(['America/New_York', 'Pacific/Apia'])(
    'is as long as JavaScript says, whatever the clock, in %s',
    (zone) => {
      vi.stubEnv('TZ', zone);
      vi.setSystemTime(new Date('2024-02-29T23:59:59Z'));
      expect(new Date().getTimezoneOffset()).not.toBe(0);
      // Over every end of a month and of a century.
      for (let from = -130 * 366; from < 75 * 366; from += from % 30 === 0 ? 27 : 1) {
        if (said(from, maxDays) !== '' || said(from, maxDays + 1) !== tooLong()) expect.fail(dayAfter(from));
      }
      vi.unstubAllEnvs();
      vi.useRealTimers();
    },
  );

  test('says in words how far the days are apart', () => {
    expect(said(0, 366)).toBe(tooLong(366));
    expect(said(0, -1)).toBe('endDate is 1 day before startDate; it must not be before it');
    expect(said(0, -59)).toBe('endDate is 59 days before startDate; it must not be before it');
  });
});

describe('the query of a request whose wide form affects every vehicle of a brand', () => {
  const stop = (query: unknown) => issuesOf('stopDataSharing', { path: {}, query, headers });

  test('is text, URLSearchParams or a plain record; only an empty one is the wide form', () => {
    const value = (query: unknown) =>
      validateRequest('stopDataSharing', { path: {}, query: query as string, headers: { brand } });
    for (const query of ['', {}, Object.create(null), new URLSearchParams()]) {
      expect(value(query)).toEqual({ ok: true, value: { path: {}, query: {}, headers } });
    }
    const hidden = Object.defineProperty({}, 'vin', { value: vin, enumerable: false });
    const [own, ofOtherRealm] = [new URLSearchParams({ vin }), new URLSearchParams({ vin })];
    const members = Object.getOwnPropertyDescriptors(URLSearchParams.prototype);
    Object.setPrototypeOf(ofOtherRealm, Object.create(null, members));
    for (const query of [`vin=${vin}`, { vin }, { __proto__: null, vin }, own, ofOtherRealm, hidden]) {
      expect(value(query)).toMatchObject({ ok: true, value: { query: { vin } } });
    }
  });

  test.each<{ query: unknown; issue: string }>([
    { query: '?', issue: 'query  emptyQuery: the query must be left out altogether, or hold vin' },
    ...['vin=', 'vin', { vin: undefined }, { vin: [] }, { vin: [undefined] }, { vin: '' }, { vin: null }].map(
      (query) => ({ query, issue: 'query vin emptyParameter: vin must not be empty' }),
    ),
    {
      query: `Vin=${vin}`,
      issue: 'query Vin unknownParameter: Vin is not a parameter of this operation; it takes vin',
    },
    { query: `vin=${vin}&vin=${vin}`, issue: 'query vin repeatedParameter: vin must not be repeated' },
    { query: `vin=${vin}%`, issue: 'query vin percentEncoding: vin must be percent-encoded UTF-8' },
  ])('is rejected where it does not clearly name one vehicle: %j', ({ query, issue }) => {
    expect(stop(query)).toEqual([issue]);
  });

  const instance = new (class {
    vin = vin;
  })();
  const mistakes = [
    undefined,
    null,
    5,
    true,
    new Date(0),
    [],
    new Set(),
    new FormData(),
    Object.create({ vin }),
    instance,
  ];
  test.each(mistakes.map((query) => [query]))('is not %o', (query) => {
    expect(stop(query)).toEqual(['query query type: query must be text, URLSearchParams or a plain record of values']);
  });
});

describe('path and headers', () => {
  const missing = ['header Brand required: Brand is required', 'path vin required: vin is required'];
  const wrong = [
    'header Brand type: Brand must be one of "brand_a", "brand_b", "brand_c"',
    'path vin pattern: vin must be 17 ASCII digits or letters, such as SANDB0XA000000001',
  ];
  const twice = 'header Brand repeatedParameter: Brand must not be repeated';
  const brands = ['mine', 'yours'];
  const options =
    'header Brand options: Brand cannot be checked: the option brands must be a list of at least one value';

  test.each<{ story: string; parts: object; given: object; issues: readonly string[] }>([
    { story: 'may be Headers', parts: { headers: new Headers({ BRAND: brand, accept: 'x' }) }, given: {}, issues: [] },
    {
      story: 'may hold more',
      parts: { path: { vin, more: '' }, headers: { brand, Accept: '', b: 'x', Brand: undefined } },
      given: {},
      issues: [],
    },
    { story: 'may be missing', parts: { path: {}, headers: {} }, given: {}, issues: missing },
    { story: 'may be nothing', parts: { path: null, headers: null }, given: {}, issues: missing },
    { story: 'may be text', parts: { path: `vin=${vin}`, headers: `?Brand=${brand}` }, given: {}, issues: missing },
    {
      story: 'know the case of a path',
      parts: { path: { Vin: vin } },
      given: {},
      issues: ['path vin required: vin is required'],
    },
    {
      story: 'may be empty',
      parts: { path: { vin: '' } },
      given: {},
      issues: ['path vin emptyParameter: vin must not be empty'],
    },
    { story: 'may be wrong', parts: { path: { vin: 'x' }, headers: { brand: 1 } }, given: {}, issues: wrong },
    { story: 'may be sent twice', parts: { headers: { Brand: brand, BRAND: brand } }, given: {}, issues: [twice] },
    { story: 'take the brands of a deployment', parts: { headers: { Brand: 'mine' } }, given: { brands }, issues: [] },
    {
      story: 'take them alone',
      parts: {},
      given: { brands },
      issues: ['header Brand enum: Brand must be one of "mine", "yours"'],
    },
    { story: 'take those of the contract where none are given', parts: {}, given: { brands: undefined }, issues: [] },
    { story: 'take no empty list of brands', parts: {}, given: { brands: [] }, issues: [options] },
    { story: 'take no text as brands', parts: {}, given: { brands: 'mine' }, issues: [options] },
    { story: 'take no null as brands', parts: {}, given: { brands: null }, issues: [options] },
  ])('$story', ({ parts, given, issues }) => {
    expect(driving(parts, given)).toEqual(issues);
  });
});

describe('a request as a whole', () => {
  const unreadable = Object.defineProperty({}, 'vin', {
    get: () => {
      throw new Error(vin);
    },
  });

  test.each([
    {
      story: 'is none',
      parts: null,
      issue: 'request  type: the request must be an object with path, query and headers',
    },
    {
      story: 'is a list',
      parts: [],
      issue: 'request  type: the request must be an object with path, query and headers',
    },
    {
      story: 'cannot be read',
      parts: { path: unreadable, query: range, headers },
      issue: 'path  readable: the path cannot be read',
    },
  ])('that is wrong as a whole is one issue: it $story', ({ parts, issue }) => {
    expect(issuesOf('getDrivingData', parts, { maxIssues: 1 })).toEqual([issue]);
  });

  test.each(['getNothing', 'toString', '__proto__', Symbol('id'), undefined])('of %s is of no operation', (id) => {
    expect(issuesOf(id as OperationId, { path: {}, query: '', headers })).toEqual([
      'request  operation: the operation is not one of the contract',
    ]);
  });

  test('never has a value repeated in an issue', () => {
    for (const query of [`${range}&${vin}=1`, `${range}&zoneId=${vin}`, `startDate=${vin}`]) {
      expect(driving({ path: {}, query }).join()).toMatch(/^(?!.*SANDB0X).+/);
    }
  });

  test('never throws, whatever a program passes by mistake', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const wrong: readonly unknown[] = [
      ...[undefined, 1, 'x', {}, proxy, { path: null, query: null, headers: null }],
      { path: { vin }, query: 1n, headers: 1 },
      { path: { vin: Symbol('x') }, query: '', headers: { brand: ['a'] } },
      { path: { vin }, query: { a: Symbol('x') }, headers: unreadable },
      { path: Object.create({ vin }) as unknown, query: '', headers: {} },
      { path: { vin: { toString: 1 } }, query: [['a']], headers: {} },
    ];
    for (const operationId of Object.keys(operations) as OperationId[]) {
      for (const parts of wrong) expect(validateRequest(operationId, parts as RequestParts).ok).toBe(false);
    }
    const options = Object.defineProperty({}, 'maxIssues', { get: () => unreadable });
    for (const some of [options, null, 5, 'x']) {
      const { ok } = validateRequest('getDrivingData', { path: {}, query: '', headers: {} }, some as RequestOptions);
      expect(ok).toBe(false);
    }
  });
});
