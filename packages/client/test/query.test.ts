// Queries and mutations of TanStack Query over a client.
import { MutationObserver, QueryClient } from '@tanstack/query-core';
import { expect, test } from 'vitest';
import type { DrivingTrip, LocationRecord } from '../src/index.js';
import { vehicleMutations, vehicleQueries } from '../src/query/index.js';
import { resample, toColumns, toCsv, toNdjson } from '../src/series/index.js';
import { createDrivingTrip, fakeClient } from '../src/testing/index.js';
import { failed, located, stubbed, success, vin } from './service.ts';

test('a key has the type of its data, tells vehicles apart and names none', async () => {
  const { client } = stubbed(located);
  const cache = new QueryClient();
  const queries = vehicleQueries(client, ['vehicle-data', 'user-7']);
  const one = queries.getLocation({ vin });
  const data: LocationRecord = await cache.fetchQuery(one);
  const cached: LocationRecord | undefined = cache.getQueryData(one.queryKey);
  expect(cached).toEqual(data);
  const other = queries.getLocation({ vin: vin.replace('1', '2') });
  expect(cache.getQueryData(other.queryKey)).toBeUndefined();
  const range = queries.drivingTrips({ vin, from: '2026-03-01', to: '2026-03-31' }, { limit: 5 });
  const text = JSON.stringify([one.queryKey, other.queryKey, range.queryKey]);
  expect(text).not.toMatch(/SANDB/);
  expect(text).toContain('user-7');
});

test('a range of any length is one query, of at most as many trips as it says', async () => {
  const trips = [1, 2, 3].map((day) => ({ triggerStartTime: `2026-03-0${day}T00:00:00.000Z`, tripLength: 1 }));
  const { client, sent } = stubbed((index) => success({ trips: index ? [] : trips }));
  const range = { vin, from: '2026-03-01', to: '2026-03-31' };
  const found: DrivingTrip[] = await new QueryClient().fetchQuery(
    vehicleQueries(client).drivingTrips(range, { limit: 2 }),
  );
  expect(found).toEqual(trips.slice(0, 2));
  expect(sent.length).toBeLessThan(4);
});

test('a withdrawal is a mutation that is sent once', async () => {
  const { client, sent } = stubbed(failed('5001', 500));
  const mutation = new MutationObserver(new QueryClient(), vehicleMutations(client).stopSharing());
  await expect(mutation.mutate({ vin })).rejects.toMatchObject({ resolution: 'check-effect' });
  expect(sent).toMatchObject([{ method: 'DELETE', url: `/v1/vehicles/consent?vin=${vin}` }]);
});

const tripAt = (index: number) => {
  const triggerStartTime = new Date(Date.UTC(2026, 2, 1, index)).toISOString();
  return createDrivingTrip({ triggerStartTime, tripLength: 5_000 });
};

test.each([3, 19, 20, 21, 50])('a CSV of %i trips out of a stream has a time on every line', async (count) => {
  const client = fakeClient({
    getDrivingData: () => ({ trips: Array.from({ length: count }, (_, hour) => tripAt(hour)) }),
  });
  let text = '';
  for await (const part of toCsv('driving', client.trips.driving({ vin, from: '20260301', to: '20260301' })))
    text += part;
  const [, ...lines] = text.trimEnd().split('\n');
  expect(lines).toHaveLength(count * 5);
  for (const line of lines) expect(line).toMatch(/^2026-\S+Z,5000,5,\d,2026-\S+Z,assumed-even,/);
});

test('a CSV has no times where nothing supports them, or where you say so', async () => {
  const basisOf = async (count: number, options = {}) => {
    let text = '';
    for await (const part of toCsv(
      'driving',
      Array.from({ length: count }, (_, hour) => tripAt(hour)),
      options,
    ))
      text += part;
    return [
      ...new Set(
        text
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => line.split(',')[5]),
      ),
    ];
  };
  expect(await basisOf(2)).toEqual(['unknown']);
  expect(await basisOf(30, { usualStepMs: null })).toEqual(['unknown']);
  expect(await basisOf(1, { usualStepMs: 1_000 })).toEqual(['assumed-even']);
});

test('what untyped code passes to the series is rejected by name', async () => {
  await expect(toNdjson('driving' as never).next()).rejects.toMatchObject({ name: 'SeriesError' });
  expect(() => resample(toColumns('driving', tripAt(1)), undefined as never)).toThrow(
    'resample needs everyMs and align',
  );
});
