import { sValidator } from '@hono/standard-validator';
import { operations } from '@vehicle-data/openapi';
import { Hono } from 'hono';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type Brand,
  getDrivingDataRequest,
  getDrivingDataResponse,
  isBrand,
  isVin,
  PowertrainTrip,
  Vin,
} from '../src/index.js';
import { createValidator } from '../src/validator.js';
import { object, text } from '../src/value-rules.js';

const vin = 'SANDB0XA000000001';
const [brand] = operations.listVehicles.parameters[0].rule.enum;
const request = { path: { vin }, query: 'startDate=20260302&endDate=20260302', headers: { brand } };
const trip = { triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 1000 };

describe('a validator is a Standard Schema', () => {
  test('that the standard validator of Hono takes', async () => {
    const app = new Hono().post('/trips', sValidator('json', PowertrainTrip), (context) =>
      context.json(context.req.valid('json').tripLength),
    );
    const headers = { 'content-type': 'application/json' };
    const post = (body: object) => app.request('/trips', { method: 'POST', headers, body: JSON.stringify(body) });
    const good = await post(trip);
    expect([good.status, await good.json()]).toEqual([200, 1000]);
    const bad = await post({ ...trip, engine: { rpm: [1, 16384] } });
    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({
      error: [{ message: '/engine/rpm/1 must be at most 16383.5', path: ['engine', 'rpm', 1] }],
    });
  });

  test.each([
    {
      story: 'names and indexes',
      validator: getDrivingDataResponse,
      value: { data: { trips: [trip, 1] }, meta: {} },
      path: ['data', 'trips', 1],
    },
    { story: 'nothing for the whole value', validator: getDrivingDataResponse, value: [], path: [] },
    {
      story: 'names as they are',
      validator: createValidator(object([['a/b~1', true, text()]])),
      value: {},
      path: ['a/b~1'],
    },
    {
      story: 'names of digits as they are',
      validator: createValidator(object([], text())),
      value: { '0420': 1 },
      path: ['0420'],
    },
    {
      story: 'the place of a header',
      validator: getDrivingDataRequest,
      value: { ...request, headers: {} },
      path: ['headers', 'Brand'],
    },
    {
      story: 'the place of a parameter',
      validator: getDrivingDataRequest,
      value: { ...request, path: {} },
      path: ['path', 'vin'],
    },
    {
      story: 'a place without a name',
      validator: getDrivingDataRequest,
      value: { ...request, query: '&' },
      path: ['query'],
    },
    {
      story: 'the place of a query that is none',
      validator: getDrivingDataRequest,
      value: { ...request, query: 5 },
      path: ['query'],
    },
    { story: 'nothing for the whole request', validator: getDrivingDataRequest, value: null, path: [] },
  ])('whose path is $story', ({ validator, value, path }) => {
    expect(validator['~standard']).toMatchObject({ vendor: 'vehicle-data', version: 1 });
    expect(validator['~standard'].validate(value)).toEqual({ issues: [{ message: expect.any(String), path }] });
  });
});

test('a type guard gives text a type of its own, and a choice its values', () => {
  const value: unknown = vin;
  if (!isVin(value)) return expect.fail();
  expectTypeOf(value).toEqualTypeOf<Vin>();
  const other: unknown = brand;
  if (!isBrand(other)) return expect.fail();
  expectTypeOf(other).toEqualTypeOf<Brand>();
  // @ts-expect-error plain text has not been checked
  const unchecked: Vin = 'text';
  expect(Vin.is(unchecked)).toBe(false);
});
