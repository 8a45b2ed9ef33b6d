import { errorCatalogue, type OperationSpec, operations } from '@vehicle-data/openapi';
import { Place } from '@vehicle-data/openapi/model';
import { expect, test } from 'vitest';
import { methodTypes } from '../build/methods.ts';
import { type Operation, operationTable, withData } from '../build/operation-table.ts';
import { schemaInterfaces } from '../build/schema-interfaces.ts';
import { errorTable } from '../build/tables.ts';

const needs = ['trips: Array.isArray'];
const driving: Operation = {
  ...operations.getDrivingData,
  data: 'DrivingTripList',
  envelope: 'DrivingTripsResponse',
  needs,
};
/** The driving operation with changes that nobody has made yet. */
const changed = (change: Partial<OperationSpec>): readonly Operation[] => [{ ...driving, ...change }];
const [brand, vin, ...others] = driving.parameters;

test('each parameter has the type and the check that the contract gives it', () => {
  const further = [
    { ...vin, in: 'query', name: 'limit', schema: 'Limit', rule: { type: 'integer', minimum: 1, maximum: 50 } },
    { ...vin, in: 'query', name: 'detailed', schema: 'Detailed', required: false, rule: { type: 'boolean' } },
  ];
  const specs = changed({ parameters: [...driving.parameters, ...further] as never });
  const methods = methodTypes(specs, []);
  for (const member of ['vin: Vin;', 'startDate: BasicDate;', 'zoneId?: ZoneId | undefined;', 'limit: Limit;'])
    expect(methods).toContain(`  ${member}`);
  expect(methods).toMatch(/import type {.* Detailed, .* Limit, .*ZoneId } from '.\/schemas.js'/);
  const table = operationTable(specs);
  expect(table).toContain("{ ...rules.wholeNumber(1, 50), in: 'query', isRequired: true, isNoText: true };");
  expect(table).toContain("{ ...rules.oneOf(true, false), in: 'query', isNoText: true };");
});

test('a deprecated parameter is marked where the SDK takes it', () => {
  const methods = methodTypes(changed({ parameters: [brand, { ...vin, deprecated: true }] as never }), []);
  expect(methods).toMatch(/@deprecated\n +\*\/\n {2}vin: Vin;/);
});

test.each([
  { schema: { type: 'array', items: { type: ['integer', 'null'] } }, type: '(number | null)[]' },
  {
    schema: { type: 'array', items: { type: ['object', 'null'], properties: { hour: {} } } },
    type: '({\n  hour?: unknown;\n} | null)[]',
  },
  { schema: { type: 'array', items: { enum: ["it's", '\\', 1] } }, type: `("it's" | "\\\\" | 1)[]` },
  { schema: { type: 'object', additionalProperties: { type: 'integer' } }, type: 'Record<string, number>' },
  {
    schema: { type: 'array', items: { type: 'object', additionalProperties: false } },
    type: 'Record<string, never>[]',
  },
])('a schema becomes its type: $schema', ({ schema, type }) => {
  expect(schemaInterfaces(Place.root({ components: { schemas: { One: schema } } }))).toBe(
    `export type One = ${type};\n`,
  );
});

const place = 'openapi/paths/v1_vehicles_vin_driving_data.yaml#/get: ';
const schema = 'openapi/components/schemas/Vin.yaml';
const rule = { type: 'string', pattern: '^x$' } as const;
const wide = { parameter: 'zoneId', narrow: 'a', wide: 'b', confirm: 'Brand' } as const;
const table = (change: Partial<OperationSpec>) => () => operationTable(changed(change));
const vinWith = (change: object) => table({ parameters: [{ ...vin, ...change }] as never });
const named = { parameters: [...others, { ...vin, name: 'from' }] as never };
/** Reads the operation from a contract where `data` has a number that is required. */
const dataWithCount = () => {
  const Envelope = { type: 'object', properties: { data: { $ref: '#/components/schemas/List' } } };
  const schema = { $ref: '#/components/schemas/Envelope' };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const List = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } };
  return withData(
    Place.root({ paths: { [driving.path]: { get: { responses } } }, components: { schemas: { Envelope, List } } }),
    driving,
  );
};
const wrong = errorCatalogue.map((entry, index) => (index === 2 ? { ...entry, temporary: !entry.temporary } : entry));

test.each<{ story: string; build: () => unknown; pointer: string }>([
  {
    story: 'another header parameter',
    build: table({ parameters: [{ ...brand, name: 'X-Other' }] as never }),
    pointer: place,
  },
  {
    story: 'two parameters of one name',
    build: table({ parameters: [vin, { ...vin, in: 'query' }] as never }),
    pointer: place,
  },
  { story: 'a keyword', build: vinWith({ rule: { ...rule, multipleOf: 2 } }), pointer: `${schema}: ` },
  { story: 'a format', build: vinWith({ rule: { ...rule, format: 'uuid' } }), pointer: `${schema}#/format: ` },
  { story: 'a path parameter that logs could not know', build: vinWith({ rule: { type: 'string' } }), pointer: place },
  { story: 'a series without a date range', build: table({ dateRange: null }), pointer: place },
  { story: 'another confirmation', build: table({ wideEffect: { ...wide, confirm: 'X' } }), pointer: place },
  { story: 'a parameter name that is no identifier', build: vinWith({ name: 'a-b' }), pointer: place },
  {
    story: 'a series parameter with the name of an option',
    build: () => methodTypes(changed(named), []),
    pointer: place,
  },
  {
    story: 'a required member that is neither a list nor an object',
    build: dataWithCount,
    pointer: '#/components/schemas/List/',
  },
  {
    story: 'a temporary error with another resolution',
    build: () => errorTable(wrong),
    pointer: 'openapi/errors.yaml#/2/temporary: ',
  },
])('stops the build with its place: $story', ({ build, pointer }) => {
  expect(build).toThrow(pointer);
});
