import { QueryClient } from '@tanstack/query-core';
import { expect, test } from 'vitest';
import { vehicleQueries } from '../src/query/index.js';
import { createLocationRecord, fakeClient, serviceError } from '../src/testing/index.js';
import { vin } from './http-service.ts';

test('query options are keyed by scope, operation and parameters, and cached by TanStack Query', async () => {
  let calls = 0;
  const client = fakeClient({
    getLocation: () => {
      calls += 1;
      return createLocationRecord();
    },
  });
  const queries = vehicleQueries(client, ['vehicle-data', 'user-7', 'brand_a']);
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const { queryKey, queryFn, retry } = queries.getLocation({ vin });
  expect(queryKey).toEqual(['vehicle-data', 'user-7', 'brand_a', 'getLocation', { vin }]);
  expect(retry).toBe(false);
  const record = await cache.fetchQuery({ queryKey, queryFn });
  record.location.latitude satisfies number | undefined;
  await cache.fetchQuery(queries.getLocation({ vin }));
  expect(calls).toBe(1);
});

test('a query that fails is not retried beside the retries of the client, and one that is cancelled ends its request', async () => {
  let calls = 0;
  const client = fakeClient({
    listVehicles: async () => {
      calls += 1;
      if (calls === 1) throw serviceError('5001');
      return new Promise(() => undefined);
    },
  });
  const cache = new QueryClient();
  const { listVehicles } = vehicleQueries(client);
  await expect(cache.fetchQuery(listVehicles())).rejects.toMatchObject({ code: '5001' });
  expect(calls).toBe(1);
  const pending = cache.fetchQuery(listVehicles()).catch((error: unknown) => error);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await cache.cancelQueries({ queryKey: ['vehicle-data'] });
  expect(await pending).toBeInstanceOf(Error);
});
