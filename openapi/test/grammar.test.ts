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

test.for<readonly [story: string, pointer: string, value: Parameters<typeof changed>[1], message: string]>([
  ['a request body', `${driving}/requestBody`, {}, `${file}/get/requestBody: "requestBody" is not understood`],
  ['another method', `${item}/post`, {}, `openapi/paths/${file}/post: "post" is not understood`],
  ['a cookie parameter', 'components/parameters/Brand/in', 'cookie', 'Brand.yaml#/in: expected one of path, query'],
  ['a range status', `${driving}/responses/4XX`, {}, `${file}/get/responses/4XX: expected an explicit status`],
  ['no successful response', `${stop}/responses/200`, undefined, 'delete/responses: "200" is missing'],
  ['an unknown format', 'components/schemas/Vin/format', 'vin', 'schemas/Vin.yaml#/format: expected one of'],
  ['a range over an unknown parameter', `${driving}/x-date-range/end`, 'until', `${days}/end: ${unnamed}`],
  ['a range of fewer than no days', `${driving}/x-date-range/maxDays`, -1, `${days}/maxDays: ${whole}`],
  ['a series of nothing', `${driving}/x-series/items`, 'journeys', 'List.yaml#/properties: "journeys" is missing'],
  ['a series without sample times', `${driving}/x-series/sampleTimes`, undefined, '"sampleTimes" is missing'],
  ['a wide effect of nothing', `${stop}/x-wide-effect/parameter`, 'vins', 'must name an optional query parameter'],
  ['a DELETE that may be wide', `${stop}/x-wide-effect`, undefined, 'must state its x-wide-effect'],
  ['an unknown security scheme', `${driving}/security`, [{ apiKey: [] }], `${file}/get/security: expected the scheme`],
  ['an error code that is there twice', `${codes}/1/code`, '4002', 'openapi/errors.yaml#/1/code: is there twice'],
  ['a code of digits of the proxy', `${codes}/0/origin`, 'proxy', '/0/code: codes of the service are digits'],
  ['half a status', `${codes}/0/status`, 400.5, 'errors.yaml#/0/status: expected a status from 400 to 599'],
  ['a status of success', `${codes}/0/status`, 200, 'errors.yaml#/0/status: expected a status from 400 to 599'],
  ['an unknown header', `${codes}/0/headers`, ['Retry'], 'errors.yaml#/0/headers/0: expected one of X-Request-Id'],
  ['content beside a reference', `${driving}/responses/default/content`, {}, '"content" is not understood here'],
  ['a rule beside a reference', `${zone}/schema/minLength`, 9, '"minLength" is not understood here'],
  ['a rule beside the schema of a body', `${body}/required`, [], '"required" is not understood here'],
  ['a rule beside the schema of data', `${envelope}/data/required`, [], '"required" is not understood here'],
  ['a rule beside the schema of a trip', `${trips}/items/required`, [], '"required" is not understood here'],
  ['a parameter of combined schemas', 'components/schemas/ZoneId', combined, 'ZoneId.yaml#/allOf: is not understood'],
  ['an exclusive bound of a signal', `${list}/items/exclusiveMaximum`, 9, `${listFile}: an exclusive bound`],
  ['a signal without a unit', `${list}/items/x-unit`, undefined, `${listFile}: a signal of numbers needs an x-unit`],
  ['a signal with a varying unit', `${list}/items/x-unit`, { property: 'unit' }, `${listFile}: a signal of numbers`],
  ['a signal of fixed numbers', `${list}/items`, { enum: [0, 1] }, `${listFile}: expected values of text`],
  ['a signal of any text', `${list}/items`, { type: 'string' }, `${listFile}: a list of a trip must hold numbers or`],
  ['samples or null', `${list}/items/type`, ['number', 'null'], `${listFile}: a list of a trip must hold numbers or`],
  ['a list of anything', `${list}/items`, undefined, `${listFile}: a list of a trip must hold numbers or`],
  ['a member of a trip that may be anything', group, {}, `${groupFile}: is not understood in a trip`],
  ['signals without names', `${group}/additionalProperties`, { type: 'number' }, `${groupFile}: members of any name`],
])('%s stops the generator at its place', ([, pointer, value, message]) => {
  const root = changed(pointer, value);
  expect(() => addErrorResponses(root, readErrorCatalogue(root, readOperations(root)))).toThrow(message);
});

test.for<readonly [story: string, pointer: string, change: (before: Json) => Json]>([
  ['a group or null', group, orNull],
  ['a group of combined schemas', group, combined],
  ['a list or null', list, orNull],
  ['samples of combined schemas', `${list}/items`, combined],
  ['a trip of combined schemas', trip, combined],
])('the signals of %s are in the table', ([, pointer, change]) => {
  const signals = (root: Place) => readOperations(root).map(({ series }) => series && Object.entries(series.signals));
  expect(signals(changed(pointer, change))).toEqual(signals(Place.root(bundle)));
});

test('a deprecated parameter is marked in the table', () => {
  const parameters = readOperations(changed(`${zone}/deprecated`, true)).flatMap((operation) => operation.parameters);
  const deprecated = parameters.filter((parameter) => parameter.deprecated).map(({ name }) => name);
  expect([...new Set(deprecated)]).toEqual(['zoneId']);
});
