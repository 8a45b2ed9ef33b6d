import { errorCatalogue, type OperationSpec, operations } from '@vehicle-data/openapi';
import { type JsonObject, Place } from '@vehicle-data/openapi/model';
import { describe, expect, test } from 'vitest';
import { methodClasses } from '../build/methods.ts';
import { operationTable, readPayloads } from '../build/operation-table.ts';
import { errorTable } from '../build/tables.ts';
import { checkParameters, type Operation } from '../src/operation.js';
import { oneOf, wholeNumber } from '../src/rules.js';

const driving: OperationSpec = operations.getDrivingData;
const payloads = { getDrivingData: { schema: 'DrivingTripList', needs: [{ name: 'trips', kind: 'list' }] } } as const;

/** The driving operation with changes that nobody has made yet. */
const changed = (change: Partial<OperationSpec>): readonly OperationSpec[] => [{ ...driving, ...change }];
const [brand, vin, ...others] = driving.parameters;

describe('an operation that the contract does not have yet', () => {
  const charging: OperationSpec = {
    ...driving,
    operationId: 'getChargingData',
    path: '/v1/vehicles/{vin}/charging/data',
    summary: 'Get charging data of a date range',
    measuredAt: 'timestamp',
    series: driving.series && { ...driving.series, name: 'charging', itemSchema: 'ChargingTrip' },
  };
  const more = {
    ...payloads,
    getChargingData: {
      schema: 'ChargingTripList',
      needs: [
        { name: 'trips', kind: 'list' },
        { name: 'plug', kind: 'object' },
      ],
    },
  } as const;

  test('has an entry in the table and a documented method and iterator, without a hand-written line', () => {
    const table = operationTable([driving, charging], more);
    expect(table).toMatch(
      /id: 'getChargingData',\n {2}method: 'GET',\n {2}path: '\/v1\/vehicles\/{vin}\/charging\/data'/,
    );
    expect(table).toContain('needs: { trips: Array.isArray, plug: isObject }');
    expect(table).toContain("'getDrivingData' | 'getChargingData'");
    const interfaces = methodClasses([driving, charging], more, []);
    expect(interfaces).toContain('* Get charging data of a date range.');
    expect(interfaces).toMatch(
      /getChargingData = \(parameters: GetChargingDataParameters, .*AgedResponse<ChargingTripList>> =>/,
    );
    expect(interfaces).toMatch(/charging = \(range: ChargingTripRange, .*\): TripIterator<ChargingTrip> =>/);
  });
});

test('each parameter has the type that the contract gives it, in the methods and at run time', () => {
  const further = [
    { ...vin, in: 'query', name: 'limit', schema: 'Limit', rule: { type: 'integer', minimum: 1, maximum: 50 } },
    { ...vin, in: 'query', name: 'detailed', schema: 'Detailed', required: false, rule: { type: 'boolean' } },
  ];
  const specs = changed({ parameters: [...driving.parameters, ...further] as never });
  const methods = methodClasses(specs, payloads, []);
  for (const member of ['vin: Vin;', 'startDate: BasicDate;', 'zoneId?: ZoneId | undefined;', 'limit: Limit;']) {
    expect(methods).toContain(`  ${member}`);
  }
  expect(methods).toMatch(/import type {.* Detailed, .* Limit, .*ZoneId } from '.\/schemas.js'/);
  const table = operationTable(specs, payloads);
  expect(table).toContain(
    "limitInQuery: Parameter = { ...wholeNumber(1, 50), in: 'query', isRequired: true, isNoText: true };",
  );
  expect(table).toContain(
    "optionalDetailedInQuery: Parameter = { ...oneOf(true, false), in: 'query', isNoText: true };",
  );

  const operation: Operation = {
    name: 'listTrips',
    id: 'listVehicles',
    method: 'GET',
    path: '/v1/trips',
    parameters: {
      limit: { ...wholeNumber(1, 50), in: 'query', isRequired: true },
      detailed: { ...oneOf(true, false), in: 'query' },
    },
  };
  expect(checkParameters({ operation }, { limit: 7, detailed: false }).query).toEqual({
    limit: '7',
    detailed: 'false',
  });
  for (const wrong of [{ limit: 0 }, { limit: 51 }, { limit: 1.5 }, { limit: '7' }, { limit: 7, detailed: 'yes' }]) {
    expect(() => checkParameters({ operation }, wrong)).toThrow(expect.objectContaining({ name: 'ArgumentError' }));
  }
});

describe('what the generator does not understand stops the build with its place', () => {
  const place = 'openapi/paths/v1_vehicles_{vin}_driving_data.yaml#/get: ';
  const rule = { type: 'string', pattern: '^x$' } as const;

  const vinWith = (change: object) => changed({ parameters: [{ ...vin, ...change }] as never });
  const wide = { parameter: 'zoneId', narrow: 'a', wide: 'b', confirm: 'Brand' } as const;
  const schema = 'openapi/components/schemas/Vin.yaml';
  test.each<[string, readonly OperationSpec[], string]>([
    ['another header parameter', changed({ parameters: [{ ...brand, name: 'X-Other' }] as never }), place],
    ['two parameters of one name', changed({ parameters: [vin, { ...vin, in: 'query' }] as never }), place],
    ['a keyword', vinWith({ rule: { ...rule, multipleOf: 2 } }), `${schema}: `],
    ['a format', vinWith({ rule: { ...rule, format: 'uuid' } }), `${schema}#/format: `],
    ['a path parameter that logs could not know', vinWith({ rule: { type: 'string' } }), place],
    ['a series without a date range', changed({ dateRange: null }), place],
    ['a wide effect of a path parameter', changed({ wideEffect: { ...wide, parameter: 'vin' } }), place],
    ['another confirmation', changed({ wideEffect: { ...wide, confirm: 'X' } }), place],
    ['a parameter name that is no identifier', vinWith({ name: 'a-b' }), place],
  ])('%s', (_, strange, pointer) => {
    expect(() => operationTable(strange, payloads)).toThrow(pointer);
  });

  test('a series parameter with the name of an option of ranges', () => {
    const strange = changed({ parameters: [...(others as never[]), { ...vin, name: 'from' } as never] });
    expect(() => methodClasses(strange, payloads, [])).toThrow(place);
  });

  test('a payload whose required member is neither a list nor an object', () => {
    const envelope = { properties: { data: { $ref: '#/components/schemas/List' } } };
    const content = { 'application/json': { schema: envelope } };
    const contract = (count: JsonObject) =>
      Place.root({
        paths: { [driving.path]: { get: { responses: { 200: { content } } } } },
        components: { schemas: { List: { type: 'object', required: ['count'], properties: { count } } } },
      });
    expect(readPayloads(contract({ type: 'array' }), [driving])).toEqual({
      getDrivingData: { schema: 'List', needs: [{ name: 'count', kind: 'list' }] },
    });
    expect(() => readPayloads(contract({ type: 'integer' }), [driving])).toThrow(
      '#/components/schemas/List/properties/count: ',
    );
    expect(() => readPayloads(contract({ type: 'array' }), changed({ path: '/v1/other' }))).toThrow('#/paths: ');
  });
});

test('an error whose resolution and duration disagree is named with its place in the catalogue', () => {
  const wrong = errorCatalogue.map((entry, index) => (index === 2 ? { ...entry, temporary: !entry.temporary } : entry));
  expect(() => errorTable(wrong)).toThrow(/^openapi\/errors\.yaml#\/2\/temporary: /);
});
