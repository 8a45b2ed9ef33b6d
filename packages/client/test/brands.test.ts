// The contract's brands are placeholders: a deployment names its own.
import { expect, test } from 'vitest';
import { createVehicleDataClient } from '../src/index.js';
import { vehicleQueries } from '../src/query/index.js';
import { createLocationRecord, fakeClient, fakeTrips } from '../src/testing/index.js';
import { errorOf, located, nowhere, stubbed, success, vin } from './service.ts';

const own = { brands: ['acme', 'zenith'], brand: 'acme' } as never;

test('a client of a deployment sends the brands of that deployment, by default, with() and one call', async () => {
  const { client, sent } = stubbed(located, own);
  await client.getLocation({ vin });
  await client.with({ brand: 'zenith' as never }).getLocation({ vin });
  await client.getLocation({ vin }, { brand: 'zenith' as never });
  expect(sent.map(({ headers }) => headers['brand'])).toEqual(['acme', 'zenith', 'zenith']);
});

test('another brand is rejected before anything is sent, and so is one of the contract', async () => {
  const { client, sent, untyped } = stubbed(success({ trips: [], location: {} }), own);
  const message = expect.stringContaining('brand must be acme or zenith; got');
  const facts = { name: 'ArgumentError', parameter: 'brand', message };
  const range = { vin, from: '20260301', to: '20260302' };
  const calls = [
    async () => client.with({ brand: 'brand_b' }),
    () => client.getLocation({ vin }, { brand: 'brand_a' }),
    () => client.raw.GET('/v1/vehicles/consent', { brand: 'brand_a' }),
    () => client.trips.driving(range, { brand: 'brand_a' }).next(),
    () => client.consents.changes([], { brand: 'brand_a' }),
    async () => createVehicleDataClient({ baseUrl: nowhere, brands: ['acme', 'zenith'], brand: 'brand_a' as never }),
  ];
  for (const call of calls) expect(await errorOf(call())).toMatchObject(facts);
  const wide = await errorOf(untyped.stopSharingForAllVehicles({ brand: 'zenith' }));
  expect(wide).toMatchObject({ name: 'ArgumentError', parameter: 'brand' });
  expect(sent).toEqual([]);
});

test.for([[], [''], ['a b'], ['acme\r\nx: y'], 'acme', [7]].map((brands) => ({ brands })))(
  'brands that no header can carry are rejected: $brands',
  async ({ brands }) => {
    const error = await errorOf((async () => createVehicleDataClient({ baseUrl: nowhere, brands: brands as never }))());
    expect(error).toMatchObject({ name: 'ArgumentError', parameter: 'brands' });
  },
);

test('fakes and query options take a client of such brands', async () => {
  const client = fakeClient(
    { getLocation: (_, { brand }) => createLocationRecord({ timestamp: brand }) },
    { brands: ['acme', 'zenith'] },
  );
  expect(await client.getLocation({ vin })).toMatchObject({ timestamp: 'acme' });
  expect(await client.with({ brand: 'zenith' }).getLocation({ vin })).toMatchObject({ timestamp: 'zenith' });
  expect(await vehicleQueries(client).getLocation({ vin }).queryFn({})).toMatchObject({ timestamp: 'acme' });
  expect(await fakeTrips([1, 2, 3]).toArray({ limit: 2 })).toEqual([1, 2]);
});
