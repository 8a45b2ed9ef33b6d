import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVehicleDataClient, isVehicleDataError } from '../src/index.js';
import { success, vin } from './http-service.ts';
import { clientOf, nowhere, untypedOf } from './test-client.ts';

// Values that untyped code passes by mistake, wherever types say otherwise.
const anything = fc.oneof(
  fc.constantFrom(undefined, null, '', 0, -1, true, vin, '..', '20260302', [], {}, Symbol('x'), Number.NaN, () => vin),
  fc.anything(),
);
const options = fc.oneof(
  anything,
  fc.record(
    { signal: anything, maxRetries: fc.constantFrom(0, -1, null), headers: anything, brand: anything },
    { requiredKeys: [] },
  ),
);
const parameters = fc.oneof(
  anything,
  fc.record(
    { vin: anything, startDate: anything, endDate: anything, zoneId: anything, brand: anything },
    { requiredKeys: [] },
  ),
);

test('whatever is passed to whatever, only errors of this package come out, and no DELETE leaves without a VIN', {
  timeout: 30_000,
}, async () => {
  const deletes: string[] = [];
  const client = clientOf(nowhere, {
    async fetch(url, { method }) {
      if (method === 'DELETE') deletes.push(url);
      return new Response(success({ vehicles: [], trips: [], location: {} }));
    },
  });
  const untyped = untypedOf(client);
  const calls: readonly ((one: unknown, two: unknown) => unknown)[] = [
    (one, two) => untyped.listVehicles(two, one),
    (one, two) => untyped.getLocation(one, two),
    (one, two) => untyped.getDrivingData(one, two),
    (one, two) => untyped.stopSharing(one, two),
    (one, two) => untyped.raw.GET(one, two),
    (one, two) => untyped.raw.GET('/v1/vehicles/{vin}/locations', { params: { path: one }, ...Object(two) }),
    (one, two) => untyped.raw.DELETE('/v1/vehicles/consent', { params: { query: one }, ...Object(two) }),
    (_, two) => untyped.raw.DELETE('/v1/vehicles/consent', two),
    (one, two) => untyped.trips.driving(one, two).next(),
    (one, two) => untyped.trips.driving({ vin, from: one, to: one }, two).next(),
    (one, two) =>
      untyped.trips.driving({ vin, from: '20260101', to: '20260102' }, { cursor: one, windowDays: two }).next(),
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...calls), parameters, options, async (call, one, two) => {
      try {
        await call(one, two);
      } catch (error) {
        if (!isVehicleDataError(error)) throw error;
      }
    }),
    { seed: 20_261_121, numRuns: 1_500, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true },
  );
  for (const url of deletes) expect(url).toMatch(/\?vin=[0-9A-Za-z]{17}$/);
});

test.each([undefined, null, 7, 'http://127.0.0.1', {}, { baseUrl: 5 }])('a client cannot be made of %o', (value) => {
  expect(() => createVehicleDataClient(value as never)).toThrow(expect.objectContaining({ name: 'ArgumentError' }));
});
