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
const stop = 'paths/~1v1~1vehicles~1consent/delete';
const driving = `${item}/get`;
const file = 'openapi/paths/v1_vehicles_{vin}_driving_data.yaml#/get';
const range = 'openapi/components/dateRanges/TripDays.yaml#';

const misunderstood: readonly (readonly [story: string, pointer: string, value: Json | undefined, message: string])[] =
  [
    ['a request body', `${driving}/requestBody`, {}, `${file}/requestBody: "requestBody" is not understood`],
    ['another method', `${item}/post`, {}, 'driving_data.yaml#/post: "post" is not understood'],
    [
      'a cookie parameter',
      'components/parameters/Brand/in',
      'cookie',
      'Brand.yaml#/in: expected one of path, query, header',
    ],
    ['a range status', `${driving}/responses/4XX`, {}, `${file}/responses/4XX: expected an explicit status`],
    [
      'an unknown format',
      'components/schemas/Vin/format',
      'vin',
      'components/schemas/Vin.yaml#/format: expected one of',
    ],
    [
      'a range over an unknown parameter',
      `${driving}/x-date-range/end`,
      'until',
      `${range}/end: must name a query parameter`,
    ],
    [
      'a range of fewer than no days',
      `${driving}/x-date-range/maxDays`,
      -1,
      `${range}/maxDays: expected a whole number from 1`,
    ],
    [
      'a range of half a day',
      `${driving}/x-date-range/maxDays`,
      7.5,
      `${range}/maxDays: expected a whole number from 1`,
    ],
    [
      'a series of nothing',
      `${driving}/x-series/items`,
      'journeys',
      'DrivingTripList.yaml#/properties: "journeys" is missing',
    ],
    ['a series without sample times', `${driving}/x-series/sampleTimes`, undefined, '"sampleTimes" is missing'],
    [
      'a wide effect of nothing',
      `${stop}/x-wide-effect/parameter`,
      'vins',
      'parameter: must name an optional query parameter',
    ],
    ['a DELETE that may be wide', `${stop}/x-wide-effect`, undefined, 'must state its x-wide-effect'],
    ['a foreign path parameter', 'components/parameters/VinPath/name', 'id', 'are not those of the path template'],
    ['an operationId twice', `${driving}/operationId`, 'getLocation', 'the operationId getLocation stands twice'],
    ['an unknown security scheme', `${driving}/security`, [{ apiKey: [] }], `${file}/security: expected the scheme`],
  ];

test.for(misunderstood)('%s stops the generator at its place', ([, pointer, value, message]) => {
  expect(() => readOperations(changed(pointer, value))).toThrow(message);
});

test.for([
  ['that stands twice', '1/code', '4002', '/1/code: stands twice'],
  ['of digits that claims to be of the proxy', '0/origin', 'proxy', '/0/code: codes of the service are digits'],
] as const)('an error code %s stops the generator', ([, pointer, value, message]) => {
  const place = changed(`x-error-catalogue/${pointer}`, value);
  expect(() => readErrorCatalogue(place, [])).toThrow(`openapi/errors.yaml#${message}`);
});
