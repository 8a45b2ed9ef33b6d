import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readErrorCatalogue } from '../build/error-catalogue.ts';
import { readOperations } from '../build/operation-table.ts';
import { type Json, type JsonObject, Place } from '../build/place.ts';
import { locateIn } from '../build/source-files.ts';

const locate = locateIn(fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, ''));
const bundle = await readFile(new URL('../dist/openapi.json', import.meta.url), 'utf8');

/** The bundle with another value at a JSON Pointer; without one, what stands there is removed. */
function changed(pointer: string, value?: Json): Place {
  const document = JSON.parse(bundle) as Draft;
  const keys = pointer.split('/').map((key) => key.replaceAll('~1', '/'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce((place, key) => place[key] as Draft, document);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  expect(JSON.stringify(document)).not.toBe(JSON.stringify(JSON.parse(bundle)));
  return Place.root(document as JsonObject, locate);
}
interface Draft {
  [key: string]: Json | Draft;
}

const item = 'paths/~1v1~1vehicles~1{vin}~1driving~1data';
const driving = `${item}/get`;
const stop = 'paths/~1v1~1vehicles~1consent/delete';
const codes = 'x-error-catalogue';
const file = 'v1_vehicles_{vin}_driving_data.yaml#';
const days = 'openapi/components/dateRanges/TripDays.yaml#';
const whole = 'expected a whole number from 1';
const unnamed = 'must name a query parameter';

test.for<readonly [story: string, pointer: string, value: Json | undefined, message: string]>([
  ['a request body', `${driving}/requestBody`, {}, `${file}/get/requestBody: "requestBody" is not understood`],
  ['another method', `${item}/post`, {}, `openapi/paths/${file}/post: "post" is not understood`],
  ['a cookie parameter', 'components/parameters/Brand/in', 'cookie', 'Brand.yaml#/in: expected one of path, query'],
  ['a range status', `${driving}/responses/4XX`, {}, `${file}/get/responses/4XX: expected an explicit status`],
  ['an unknown format', 'components/schemas/Vin/format', 'vin', 'schemas/Vin.yaml#/format: expected one of'],
  ['a range over an unknown parameter', `${driving}/x-date-range/end`, 'until', `${days}/end: ${unnamed}`],
  ['a range of fewer than no days', `${driving}/x-date-range/maxDays`, -1, `${days}/maxDays: ${whole}`],
  ['a range of half a day', `${driving}/x-date-range/maxDays`, 7.5, `${days}/maxDays: ${whole}`],
  ['a series of nothing', `${driving}/x-series/items`, 'journeys', 'List.yaml#/properties: "journeys" is missing'],
  ['a series without sample times', `${driving}/x-series/sampleTimes`, undefined, '"sampleTimes" is missing'],
  ['a wide effect of nothing', `${stop}/x-wide-effect/parameter`, 'vins', 'must name an optional query parameter'],
  ['a DELETE that may be wide', `${stop}/x-wide-effect`, undefined, 'must state its x-wide-effect'],
  ['a foreign path parameter', 'components/parameters/VinPath/name', 'id', 'are not those of the path template'],
  ['an operationId twice', `${driving}/operationId`, 'getLocation', 'the operationId getLocation stands twice'],
  ['an unknown security scheme', `${driving}/security`, [{ apiKey: [] }], `${file}/get/security: expected the scheme`],
  ['an error code that stands twice', `${codes}/1/code`, '4002', 'openapi/errors.yaml#/1/code: stands twice'],
  ['a code of digits of the proxy', `${codes}/0/origin`, 'proxy', '/0/code: codes of the service are digits'],
])('%s stops the generator at its place', ([, pointer, value, message]) => {
  const root = changed(pointer, value);
  expect(() => readErrorCatalogue(root, readOperations(root))).toThrow(message);
});
