// What an export of every night fetches, and that nothing that arrives late is missing in the end.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVehicleDataClient, isVehicleDataError } from '@vehicle-data/client';
import { expect, test } from 'vitest';
import type { ArchiveOptions, ExportOptions, ReadWindow, WindowRequest } from '../src/index.js';
import { exportInto, manifestsIn, newFolder } from './folders.ts';
import { createSandbox, demoAccessToken } from './sandbox.ts';
import { dataFiles, syntheticWindow, vehiclesOf } from './synthetic-source.ts';

const msPerHour = 3_600_000;
const msPerDay = 24 * msPerHour;

type Trip = { readonly triggerStartTime: string; readonly tripLength: number };
const startOf = ({ triggerStartTime }: Trip) => Date.parse(triggerStartTime);
const endOf = (trip: Trip) => startOf(trip) + trip.tripLength;
const bytesOf = (trips: readonly unknown[]) =>
  trips.reduce((sum: number, trip) => sum + JSON.stringify(trip).length, 0);

/** Times in the nights after a first day, until everything up to a last day is settled. */
function nightsOf(from: string, to: string, atHour = 3): readonly number[] {
  const nights: number[] = [];
  for (let night = Date.parse(from) + msPerDay; night <= Date.parse(to) + 6 * msPerDay; night += msPerDay)
    nights.push(night + atHour * msPerHour);
  return nights;
}

/** The made trips that are over and were delivered by a time. */
function servedAt(now: () => number, delayOf: (trip: Trip) => number = () => 0): ReadWindow {
  return async (window) => {
    const trips = (await syntheticWindow(window)) as readonly Trip[];
    return trips.filter((trip) => endOf(trip) + delayOf(trip) <= now());
  };
}

/** What is fetched does not depend on the format, and one file is as good as the other to see a difference. Parquet takes twice as long. */
const quick = { format: 'ndjson' } as const;

/** An archive after an export at each time. Returns the ranges of each. */
async function exportAt(
  folder: string,
  times: readonly number[],
  request: Omit<ExportOptions, 'readWindow'>,
  read: (now: () => number) => ReadWindow,
  options: Partial<ArchiveOptions> = {},
): Promise<readonly string[]> {
  const ranges: string[] = [];
  for (const time of times) {
    const calls: WindowRequest[] = [];
    const readWindow: ReadWindow = async (window) => {
      calls.push(window);
      return read(() => time)(window);
    };
    await exportInto(folder, { ...request, readWindow }, { ...quick, ...options, now: () => time });
    ranges.push(calls.map(({ startDate, endDate }) => `${startDate.slice(6)}-${endDate.slice(6)}`).join());
  }
  return ranges;
}

const march = { vehicles: vehiclesOf(1), series: ['driving' as const], from: '2026-03-01', to: '2026-03-08' };

/** The files of an export of everything at once, long after. */
async function filesOfWhole(request: Omit<ExportOptions, 'readWindow'>, options: Partial<ArchiveOptions> = {}) {
  const folder = await newFolder();
  await exportAt(folder, [Date.parse('2026-06-01')], request, servedAt, options);
  return dataFiles(folder);
}

test('a night fetches what is new, and the one day that has become old enough to be settled', async () => {
  const folder = await newFolder();
  // The last trip of the third arrives four days late.
  const late = (trip: Trip) => (trip.triggerStartTime.startsWith('2026-03-03T09') ? 4 * msPerDay : 0);
  const times = nightsOf(march.from, march.to);
  const ranges = await exportAt(folder, times, march, (now) => servedAt(now, late), { format: 'parquet' });
  const growing = ['01-08', '02-08', '03-08', '04-08', '01-01,05-08', '02-02,06-08', '03-03,07-08', '04-04,08-08'];
  expect(ranges).toEqual([...growing, '05-05', '06-06', '07-07', '08-08', ''].slice(0, times.length));
  expect(await dataFiles(folder)).toEqual(await filesOfWhole(march, { format: 'parquet' }));
});

test('a second export of the same night, or one every hour, fetches the day alone that is not over', async () => {
  const folder = await newFolder();
  const times = Array.from({ length: 30 }, (_, hour) => Date.parse('2026-03-02T20:00:00Z') + hour * msPerHour);
  const ranges = await exportAt(folder, times, march, servedAt);
  // A day is looked at until it was over for an hour.
  expect(ranges.map((range) => range.slice(0, 2)).join(' ')).toBe(`01 ${'02 '.repeat(5)}${'03 '.repeat(23)}03`);
});

test('nights that were missed are made up at once: what is new, and each day that became old enough', async () => {
  const folder = await newFolder();
  const all = nightsOf(march.from, march.to);
  const ranges = await exportAt(folder, [...all.slice(0, 3), ...all.slice(7)], march, servedAt);
  expect(ranges).toEqual(['01-08', '02-08', '03-08', '01-08', '05-05', '06-06', '07-07', '08-08', '']);
  expect(await dataFiles(folder)).toEqual(await filesOfWhole(march));
});

test('an archive whose days an earlier version did not write down fetches its open windows once more', async () => {
  const folder = await newFolder();
  const all = nightsOf(march.from, march.to);
  await exportAt(folder, all.slice(0, 6), march, servedAt);
  const [path = ''] = (await manifestsIn(folder)).map((name) => join(folder, name));
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replaceAll(/,"days":\{[^}]*\}/g, ''));
  const ranges = await exportAt(folder, all.slice(6), march, servedAt);
  expect(ranges).toEqual(['01-08', '04-04,08-08', '05-05', '06-06', '07-07', '08-08', ''].slice(0, all.length - 6));
  expect(await dataFiles(folder)).toEqual(await filesOfWhole(march));
});

test('every night of a month costs at most 1.2 times the bytes of what is new and of one day', async () => {
  const folder = await newFolder();
  const month = { vehicles: vehiclesOf(1), from: '2026-02-01', to: '2026-02-28' };
  const seen = new Set<string>();
  const ratios: number[] = [];
  const total = { fetched: 0, fresh: 0, requests: 0 };
  const nights = nightsOf(month.from, month.to);
  for (const night of nights) {
    let [fetched, fresh, overlap] = [0, 0, 0];
    // The one day that is fetched again.
    const again = new Date(night - 5 * msPerDay).toISOString().slice(0, 10);
    const readWindow: ReadWindow = async (window) => {
      const trips = (await servedAt(() => night)(window)) as readonly Trip[];
      for (const trip of trips) {
        const [name, bytes] = [`${window.series} ${startOf(trip)}`, bytesOf([trip])];
        fetched += bytes;
        if (!seen.has(name)) fresh += bytes;
        else if (trip.triggerStartTime.startsWith(again)) overlap += bytes;
        seen.add(name);
      }
      total.requests += 1;
      return trips;
    };
    await exportInto(folder, { ...month, readWindow }, { ...quick, now: () => night });
    total.fetched += fetched;
    total.fresh += fresh;
    if (fetched > 0) ratios.push(fetched / (fresh + overlap));
  }
  expect([nights.length, ratios.length > 24]).toEqual([33, true]);
  expect(Math.max(...ratios)).toBeLessThanOrEqual(1.2);
  // Each trip as new, and once more.
  expect(total.fetched / total.fresh).toBeLessThanOrEqual(2.05);
  expect(total.requests / nights.length / 2).toBeLessThanOrEqual(2);
  const whole = await newFolder();
  await exportInto(whole, { ...month, readWindow: syntheticWindow }, { ...quick, now: () => Date.parse('2026-06-01') });
  expect(await dataFiles(folder)).toEqual(await dataFiles(whole));
});

test.for(['UTC', 'America/Los_Angeles', 'Pacific/Auckland'])(
  'trips that arrive up to three days late are all there in the end, whenever exports ran, in %s',
  async (zoneId) => {
    const series = ['powertrain' as const];
    const month = { vehicles: vehiclesOf(1), series, from: '2026-02-01', to: '2026-02-28' };
    // The same for each run: a trip is late by a part of three days that its start decides.
    const late = (trip: Trip) => (((startOf(trip) / msPerHour) * 7919) % 72) * msPerHour;
    const expected = await filesOfWhole(month, { zoneId });
    const nights = nightsOf(month.from, month.to, 16);
    const schedules = {
      'every night': nights,
      'some nights': nights.filter((_, index) => index % 7 < 4 || index > 29),
    };
    for (const [name, times] of Object.entries(schedules)) {
      const folder = await newFolder();
      await exportAt(folder, times, month, (now) => servedAt(now, late), { zoneId });
      expect(await dataFiles(folder), name).toEqual(expected);
    }
  },
);

test('half of the trips of a sandbox vehicle come a day late, and none is missing after the nights of a month', async () => {
  const sandbox = createSandbox({ now: new Date('2026-02-01'), frozen: true });
  const client = createVehicleDataClient({
    ...{ baseUrl: 'http://sandbox', brand: 'brand_a', accessToken: demoAccessToken },
    fetch: sandbox.fetch,
  });
  const vehicle = { brand: 'brand_a', vin: 'SANDB0XADIRTY0015' };
  const month = { vehicles: [vehicle], series: ['powertrain' as const], from: '2026-02-01', to: '2026-02-28' };
  const read = (now: () => number): ReadWindow => {
    sandbox.clock.set(now());
    return async ({ vin, startDate, endDate, zoneId, signal }) => {
      try {
        return (await client.getPowertrainData({ vin, startDate, endDate, zoneId }, { signal })).trips;
      } catch (error) {
        if (isVehicleDataError(error) && error.resolution === 'no-data') return [];
        throw error;
      }
    };
  };
  const [folder, whole] = [await newFolder(), await newFolder()];
  await exportAt(folder, nightsOf(month.from, month.to), month, read);
  await exportAt(whole, [Date.parse('2026-03-20')], month, read);
  expect(Object.keys(await dataFiles(whole))).toHaveLength(4);
  expect(await dataFiles(folder)).toEqual(await dataFiles(whole));
});
