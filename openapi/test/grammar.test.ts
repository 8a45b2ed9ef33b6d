import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readErrorCatalogue } from '../build/error-catalogue.ts';
import { readOperations } from '../build/operation-table.ts';
import { type JsonObject, Place } from '../build/place.ts';
import { locateIn } from '../build/source-files.ts';

const locate = locateIn(fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, ''));
const bundle = await readFile(new URL('../dist/openapi.json', import.meta.url), 'utf8');

/** The bundle after one change; `text` of the change is looked up, so that a test cannot pass by changing nothing. */
function changed(change: (document: Draft) => void): Place {
  const document = JSON.parse(bundle) as Draft;
  change(document);
  expect(JSON.stringify(document)).not.toBe(JSON.stringify(JSON.parse(bundle)));
  return Place.root(document as JsonObject, locate);
}
interface Draft {
  [key: string]: Draft;
}
const at = (draft: Draft, ...keys: readonly string[]): Draft => keys.reduce((place, key) => place[key] as Draft, draft);
const put = (draft: Draft, key: string, value: unknown): void => {
  (draft as Record<string, unknown>)[key] = value;
};

const vehiclePath = '/v1/vehicles/{vin}/driving/data';
const drivingFile = 'openapi/paths/v1_vehicles_{vin}_driving_data.yaml#/get';

const misunderstood: readonly (readonly [string, (document: Draft) => void, string])[] = [
  [
    'a request body',
    (d) => put(at(d, 'paths', vehiclePath, 'get'), 'requestBody', {}),
    `${drivingFile}/requestBody: "requestBody" is not understood`,
  ],
  [
    'another method',
    (d) => put(at(d, 'paths', vehiclePath), 'post', at(d, 'paths', vehiclePath, 'get')),
    'v1_vehicles_{vin}_driving_data.yaml#/post: "post" is not understood',
  ],
  [
    'a cookie parameter',
    (d) => put(at(d, 'components', 'parameters', 'Brand'), 'in', 'cookie'),
    'openapi/components/parameters/Brand.yaml#/in: expected one of path, query, header',
  ],
  [
    'a range status',
    (d) => put(at(d, 'paths', vehiclePath, 'get', 'responses'), '4XX', at(d, 'components', 'responses', 'Error400')),
    `${drivingFile}/responses/4XX: expected an explicit status`,
  ],
  [
    'an unknown format',
    (d) => put(at(d, 'components', 'schemas', 'Vin'), 'format', 'vin'),
    'openapi/components/schemas/Vin.yaml#/format: expected one of',
  ],
  [
    'a pattern without anchors',
    (d) => put(at(d, 'components', 'schemas', 'Vin'), 'pattern', '[A-Z]'),
    'openapi/components/schemas/Vin.yaml#/pattern: a pattern must be anchored',
  ],
  [
    'a required member that no property describes',
    (d) => put(at(d, 'components', 'schemas', 'Vehicle', 'required'), '0', 'plate'),
    'openapi/components/schemas/Vehicle.yaml#/required/0',
  ],
  [
    'a date range over an unknown parameter',
    (d) => put(at(d, 'paths', vehiclePath, 'get', 'x-date-range'), 'end', 'until'),
    'openapi/components/dateRanges/TripDays.yaml#/end: must name a query parameter',
  ],
  [
    'a date range of a negative number of days',
    (d) => put(at(d, 'paths', vehiclePath, 'get', 'x-date-range'), 'maxDays', -1),
    'openapi/components/dateRanges/TripDays.yaml#/maxDays: expected a whole number from 1',
  ],
  [
    'a date range of a fraction of days',
    (d) => put(at(d, 'paths', vehiclePath, 'get', 'x-date-range'), 'maxDays', 7.5),
    'openapi/components/dateRanges/TripDays.yaml#/maxDays: expected a whole number from 1',
  ],
  [
    'a series over an unknown member',
    (d) => put(at(d, 'paths', vehiclePath, 'get', 'x-series'), 'items', 'journeys'),
    'openapi/components/schemas/DrivingTripList.yaml#/properties: "journeys" is missing',
  ],
  [
    'a series that does not say where the times of its samples come from',
    (d) => delete at(d, 'paths', vehiclePath, 'get', 'x-series')['sampleTimes'],
    '"sampleTimes" is missing',
  ],
  [
    'a wide effect of an unknown parameter',
    (d) => put(at(d, 'paths', '/v1/vehicles/consent', 'delete', 'x-wide-effect'), 'parameter', 'vins'),
    'x-wide-effect/parameter: must name an optional query parameter',
  ],
  [
    'a DELETE with an optional parameter and no stated effect',
    (d) => delete at(d, 'paths', '/v1/vehicles/consent', 'delete')['x-wide-effect'],
    'must state its x-wide-effect',
  ],
  [
    'a path parameter that the template lacks',
    (d) => put(at(d, 'components', 'parameters', 'VinPath'), 'name', 'id'),
    'the path parameters are not those of the path template',
  ],
  [
    'an operationId that stands twice',
    (d) => put(at(d, 'paths', vehiclePath, 'get'), 'operationId', 'getLocation'),
    'the operationId getLocation stands twice',
  ],
  [
    'an unknown security scheme',
    (d) => put(at(d, 'paths', vehiclePath, 'get'), 'security', [{ apiKey: [] }]),
    `${drivingFile}/security: expected the scheme`,
  ],
];

test.for(misunderstood)('%s stops the generator at its place', ([, change, message]) => {
  expect(() => readOperations(changed(change))).toThrow(message);
});

test('an error code that stands twice stops the generator', () => {
  const place = changed((d) => put(at(d, 'x-error-catalogue', '1'), 'code', '4002'));
  expect(() => readErrorCatalogue(place, [])).toThrow('openapi/errors.yaml#/1/code: stands twice');
});

test('a code of digits that claims to be of the proxy stops the generator', () => {
  const place = changed((d) => put(at(d, 'x-error-catalogue', '0'), 'origin', 'proxy'));
  expect(() => readErrorCatalogue(place, [])).toThrow('openapi/errors.yaml#/0/code: codes of the service are digits');
});
