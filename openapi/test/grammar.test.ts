import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleContract } from '../build/bundle.ts';
import { readErrorCatalogue } from '../build/error-catalogue.ts';
import { addErrorResponses } from '../build/error-responses.ts';
import { readOperations } from '../build/operation-table.ts';
import { type Json, type JsonObject, Place } from '../build/place.ts';
import { locateIn } from '../build/source-files.ts';

const folder = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const bundle = await bundleContract(folder);

/** The bundle with another value at a JSON Pointer, or one made from the value there; without one, what stands there is removed. */
function changed(pointer: string, value?: Json | ((before: Json) => Json)): Place {
  const document = structuredClone(bundle) as Draft;
  const keys = pointer.split('/').map((key) => key.replaceAll('~1', '/'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce((place, key) => place[key] as Draft, document);
  if (value === undefined) delete parent[last];
  else parent[last] = typeof value === 'function' ? value(parent[last] as Json) : value;
  expect(JSON.stringify(document)).not.toBe(JSON.stringify(bundle));
  return Place.root(document as JsonObject, locateIn(folder));
}
interface Draft {
  [key: string]: Json | Draft;
}

const item = 'paths/~1v1~1vehicles~1{vin}~1driving~1data';
const driving = `${item}/get`;
const stop = 'paths/~1v1~1vehicles~1consent/delete';
const codes = 'x-error-catalogue';
const file = 'v1_vehicles_vin_driving_data.yaml#';
const days = 'openapi/components/dateRanges/TripDays.yaml#';
const whole = 'expected a whole number from 1';
const unnamed = 'must name a query parameter';
const body = `${driving}/responses/200/content/application~1json/schema`;
const trip = 'components/schemas/DrivingTrip';
const group = `${trip}/properties/odometer`;
const list = `${group}/properties/value`;
const groupFile = 'DrivingTrip.yaml#/properties/odometer';
const listFile = `${groupFile}/properties/value`;
const envelope = 'components/schemas/DrivingTripsResponse/properties';
const trips = 'components/schemas/DrivingTripList/properties/trips';
const zone = 'components/parameters/ZoneId';
const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] });
const combined = (schema: Json): Json => ({ allOf: [schema] });

test.for<{ story: string; pointer: string; value?: Parameters<typeof changed>[1]; message: string }>([
  {
    story: 'a request body',
    pointer: `${driving}/requestBody`,
    value: {},
    message: `${file}/get/requestBody: "requestBody" is not understood`,
  },
  {
    story: 'another method',
    pointer: `${item}/post`,
    value: {},
    message: `openapi/paths/${file}/post: "post" is not understood`,
  },
  {
    story: 'a cookie parameter',
    pointer: 'components/parameters/Brand/in',
    value: 'cookie',
    message: 'Brand.yaml#/in: expected one of path, query',
  },
  {
    story: 'a range status',
    pointer: `${driving}/responses/4XX`,
    value: {},
    message: `${file}/get/responses/4XX: expected an explicit status`,
  },
  { story: 'no successful response', pointer: `${stop}/responses/200`, message: 'delete/responses: "200" is missing' },
  {
    story: 'an unknown format',
    pointer: 'components/schemas/Vin/format',
    value: 'vin',
    message: 'schemas/Vin.yaml#/format: expected one of',
  },
  {
    story: 'a range over an unknown parameter',
    pointer: `${driving}/x-date-range/end`,
    value: 'until',
    message: `${days}/end: ${unnamed}`,
  },
  {
    story: 'a range of fewer than no days',
    pointer: `${driving}/x-date-range/maxDays`,
    value: -1,
    message: `${days}/maxDays: ${whole}`,
  },
  {
    story: 'a series of nothing',
    pointer: `${driving}/x-series/items`,
    value: 'journeys',
    message: 'List.yaml#/properties: "journeys" is missing',
  },
  {
    story: 'a series without sample times',
    pointer: `${driving}/x-series/sampleTimes`,
    message: '"sampleTimes" is missing',
  },
  {
    story: 'a wide effect of nothing',
    pointer: `${stop}/x-wide-effect/parameter`,
    value: 'vins',
    message: 'must name an optional query parameter',
  },
  { story: 'a DELETE that may be wide', pointer: `${stop}/x-wide-effect`, message: 'must state its x-wide-effect' },
  {
    story: 'an unknown security scheme',
    pointer: `${driving}/security`,
    value: [{ apiKey: [] }],
    message: `${file}/get/security: expected the scheme`,
  },
  {
    story: 'an error code that is there twice',
    pointer: `${codes}/1/code`,
    value: '4002',
    message: 'openapi/errors.yaml#/1/code: is there twice',
  },
  {
    story: 'a code of digits of the proxy',
    pointer: `${codes}/0/origin`,
    value: 'proxy',
    message: '/0/code: codes of the service are digits',
  },
  {
    story: 'half a status',
    pointer: `${codes}/0/status`,
    value: 400.5,
    message: 'errors.yaml#/0/status: expected a status from 400 to 599',
  },
  {
    story: 'a status of success',
    pointer: `${codes}/0/status`,
    value: 200,
    message: 'errors.yaml#/0/status: expected a status from 400 to 599',
  },
  {
    story: 'an unknown header',
    pointer: `${codes}/0/headers`,
    value: ['Retry'],
    message: 'errors.yaml#/0/headers/0: expected one of X-Request-Id',
  },
  {
    story: 'content beside a reference',
    pointer: `${driving}/responses/default/content`,
    value: {},
    message: '"content" is not understood here',
  },
  {
    story: 'a rule beside a reference',
    pointer: `${zone}/schema/minLength`,
    value: 9,
    message: '"minLength" is not understood here',
  },
  {
    story: 'a rule beside the schema of a body',
    pointer: `${body}/required`,
    value: [],
    message: '"required" is not understood here',
  },
  {
    story: 'a rule beside the schema of data',
    pointer: `${envelope}/data/required`,
    value: [],
    message: '"required" is not understood here',
  },
  {
    story: 'a rule beside the schema of a trip',
    pointer: `${trips}/items/required`,
    value: [],
    message: '"required" is not understood here',
  },
  {
    story: 'a parameter of combined schemas',
    pointer: 'components/schemas/ZoneId',
    value: combined,
    message: 'ZoneId.yaml#/allOf: is not understood',
  },
  {
    story: 'an exclusive bound of a signal',
    pointer: `${list}/items/exclusiveMaximum`,
    value: 9,
    message: `${listFile}: an exclusive bound`,
  },
  {
    story: 'a signal without a unit',
    pointer: `${list}/items/x-unit`,
    message: `${listFile}: a signal of numbers needs an x-unit`,
  },
  {
    story: 'a signal with a varying unit',
    pointer: `${list}/items/x-unit`,
    value: { property: 'unit' },
    message: `${listFile}: a signal of numbers`,
  },
  {
    story: 'a signal of fixed numbers',
    pointer: `${list}/items`,
    value: { enum: [0, 1] },
    message: `${listFile}: expected values of text`,
  },
  {
    story: 'a signal of any text',
    pointer: `${list}/items`,
    value: { type: 'string' },
    message: `${listFile}: a list of a trip must hold numbers or`,
  },
  {
    story: 'samples or null',
    pointer: `${list}/items/type`,
    value: ['number', 'null'],
    message: `${listFile}: a list of a trip must hold numbers or`,
  },
  {
    story: 'a list of anything',
    pointer: `${list}/items`,
    message: `${listFile}: a list of a trip must hold numbers or`,
  },
  {
    story: 'a member of a trip that may be anything',
    pointer: group,
    value: {},
    message: `${groupFile}: is not understood in a trip`,
  },
  {
    story: 'signals without names',
    pointer: `${group}/additionalProperties`,
    value: { type: 'number' },
    message: `${groupFile}: members of any name`,
  },
])('what is not understood stops the generator at its place: $story', ({ pointer, value, message }) => {
  const root = changed(pointer, value);
  expect(() => addErrorResponses(root, readErrorCatalogue(root, readOperations(root)))).toThrow(message);
});

test.for<{ story: string; pointer: string; change: (before: Json) => Json }>([
  { story: 'a group or null', pointer: group, change: orNull },
  { story: 'a group of combined schemas', pointer: group, change: combined },
  { story: 'a list or null', pointer: list, change: orNull },
  { story: 'samples of combined schemas', pointer: `${list}/items`, change: combined },
  { story: 'a trip of combined schemas', pointer: trip, change: combined },
])('signals are in the table whatever the form of their schema: $story', ({ pointer, change }) => {
  const signals = (root: Place) => readOperations(root).map(({ series }) => series && Object.entries(series.signals));
  expect(signals(changed(pointer, change))).toEqual(signals(Place.root(bundle)));
});

test('a deprecated parameter is marked in the table', () => {
  const parameters = readOperations(changed(`${zone}/deprecated`, true)).flatMap((operation) => operation.parameters);
  const deprecated = parameters.filter((parameter) => parameter.deprecated).map(({ name }) => name);
  expect([...new Set(deprecated)]).toEqual(['zoneId']);
});
