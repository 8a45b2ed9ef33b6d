import { QueryClient } from '@tanstack/query-core';
import { errorCatalogue, operations } from '@vehicle-data/openapi';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
// The build of the package beside this one: at run time the client does not know it.
import { validateResponse } from '../../validators/dist/index.js';
import type { Transport } from '../src/index.js';
import { vehicleQueries } from '../src/query/index.js';
import * as testing from '../src/testing/index.js';
import { clientOf, errorOf, nowhere, silence, vin } from './service.ts';
import { collect } from './trip-service.ts';

const { apiResponse, fakeClient, fakeTrips, mswHandlers, serviceError } = testing;

describe('factories', () => {
  test.each(Object.values(operations))(
    'a payload keeps the contract: that of $operationId',
    ({ operationId, responses }) => {
      const factory = Object.entries(testing).find(([name]) => name === `create${responses['200']}`)?.[1];
      const body = (factory as () => unknown)();
      expect(validateResponse(operationId, 200, body)).toMatchObject({ ok: true });
    },
  );

  test('take members of your own, and share nothing', () => {
    const one = testing.createDrivingTrip({ tripLength: 7 });
    one.odometer?.value?.push(1);
    expect(testing.createDrivingTrip().odometer?.value).not.toContain(1);
    expect(one.tripLength).toBe(7);
  });
});

describe('fakeClient()', () => {
  test('gives what the functions give, with the parameters and the brand of the call', async () => {
    const getLocation = vi.fn(() => testing.createLocationRecord());
    const [stopSharing, stopSharingForAllVehicles] = [vi.fn(() => ({})), vi.fn(() => ({}))];
    const client = fakeClient({ getLocation, stopSharing, stopSharingForAllVehicles });
    expect((await client.getLocation({ vin })).location.latitude).toBeTypeOf('number');
    await client.stopSharing({ vin });
    await client.with({ brand: 'brand_b' }).stopSharingForAllVehicles({ brand: 'brand_b' });
    const call = (brand: string) => expect.objectContaining({ brand });
    expect(getLocation.mock.calls).toEqual([[{ vin }, call('brand_a')]]);
    expect(stopSharing.mock.calls).toEqual([[{ vin }, call('brand_a')]]);
    expect(stopSharingForAllVehicles.mock.calls).toEqual([[{}, call('brand_b')]]);
  });

  test('checks arguments as the client does, and names a method without a fake', async () => {
    const client = fakeClient({});
    await expect(client.getLocation({ vin: 'x' })).rejects.toMatchObject({ name: 'ArgumentError' });
    await expect(client.getLocation({ vin })).rejects.toThrow('there is no fake of getLocation');
  });

  test('throws serviceError() of any code as the service would, also for a withdrawal', async () => {
    for (const { code } of errorCatalogue) {
      const client = fakeClient({ getLocation: () => Promise.reject(serviceError(code)) });
      const { name, message, resolution, isTemporary, status, requestId } = serviceError(code);
      const facts = { name, message, code, resolution, isTemporary, status, requestId };
      expect(await errorOf(client.getLocation({ vin }))).toMatchObject(facts);
    }
    const open = { mayHaveTakenEffect: true, resolution: 'check-effect' };
    expect(serviceError('5001', { operation: 'stopDataSharing' })).toMatchObject(open);
    expect(serviceError('7777', { status: 503 })).toMatchObject({ name: 'ServiceFailureError', isTemporary: true });
  });

  test('iterates over trips by the functions', async () => {
    const client = fakeClient({
      getDrivingData: ({ startDate }) => {
        if (startDate > '20260310') throw serviceError('4045');
        const triggerStartTime = `${startDate.replace(/(....)(..)/, '$1-$2-')}T08:00:00.000Z`;
        return { trips: [testing.createDrivingTrip({ triggerStartTime })] };
      },
    });
    const range = { vin, from: '20260302', to: '20260320' };
    const starts = ['2026-03-02T08:00:00.000Z', '2026-03-10T08:00:00.000Z'];
    const trips = await collect(client.trips.driving(range, { windowDays: 8 }));
    expect(trips.map(({ triggerStartTime }) => triggerStartTime)).toEqual(starts);
  });
});

test('apiResponse() and fakeTrips() stub single methods with the types and the behavior of the real ones', async () => {
  const client = clientOf(nowhere);
  const record = testing.createLocationRecord();
  vi.spyOn(client, 'getLocation').mockReturnValue(apiResponse(record, { dataAgeMs: 5 }));
  vi.spyOn(client.trips, 'driving').mockReturnValue(fakeTrips([testing.createDrivingTrip()]));
  expect(await client.getLocation({ vin })).toBe(record);
  expect(await client.getLocation({ vin }).withResponse()).toMatchObject({ data: record, dataAgeMs: 5, status: 200 });
  const trips = client.trips.driving({ vin, from: '20260302', to: '20260302' });
  expect(trips.cursor).toBeUndefined();
  expect(await collect(trips)).toHaveLength(1);
  expect(await trips.next()).toEqual({ done: true, value: undefined });
});

test('the handlers of Mock Service Worker play every operation', async () => {
  const baseUrl = 'http://service.test/base';
  const server = setupServer(
    ...mswHandlers(http, `${baseUrl}/`, {
      listVehicles: () => testing.createVehicleList(),
      getLocation: () => Promise.reject(serviceError('5006')),
      getDrivingData: () => testing.createDrivingTripList(),
      stopSharingForAllVehicles: () => ({}),
    }),
    http.all('*', () => new HttpResponse(null, { status: 418 })),
  );
  server.listen();
  onTestFinished(() => server.close());
  const client = clientOf(baseUrl);
  expect((await client.listVehicles()).vehicles).toHaveLength(1);
  expect((await client.getDrivingData({ vin, startDate: '20260302', endDate: '20260302' })).trips).toHaveLength(1);
  await expect(client.getLocation({ vin })).rejects.toMatchObject({ name: 'ConsentError', status: 400 });
  await expect(client.stopSharing({ vin })).rejects.toMatchObject({ code: 'not-faked' });
  const stop = (query: string) => fetch(`${baseUrl}/v1/vehicles/consent${query}`, { method: 'DELETE' });
  expect([(await stop('')).status, (await stop('?')).status]).toEqual([200, 400]);
});

test('the options of a query leave retries to the client, and a query that is cancelled ends its request', async () => {
  const fetch = vi.fn<Transport>(silence).mockResolvedValueOnce(new Response('', { status: 503 }));
  const client = clientOf(nowhere, { maxRetries: 0, fetch });
  const cache = new QueryClient();
  const { listVehicles } = vehicleQueries(client);
  await expect(cache.fetchQuery(listVehicles())).rejects.toMatchObject({ status: 503 });
  expect(fetch).toHaveBeenCalledOnce();
  const pending = cache.fetchQuery(listVehicles()).catch((error: unknown) => error);
  await expect.poll(() => fetch).toHaveBeenCalledTimes(2);
  await cache.cancelQueries({ queryKey: ['vehicle-data'] });
  expect(await pending).toBeInstanceOf(Error);
  expect(fetch.mock.lastCall?.[1].signal.aborted).toBe(true);
});
