// What is missing in an archive, found where it is known: trips of the sandbox that were lost, held back, cut or altered on purpose.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { archiveIn, newFolder } from './folders.ts';
import { type Faulty, faultsOf, nightsOf, sandboxTrips, thinned } from './quality/faulty-nights.ts';

const days = { from: '2026-02-01', to: '2026-02-28' };
const vehicles = ['SANDB0XA000000001'];
const trips = await sandboxTrips(vehicles, days);

/**
 * An archive after a night of exports for each day, or for some of them, over trips with some faults. NDJSON holds trips as sent, as Parquet
 * does, and is written in half of its time.
 */
async function archiveOf(
  faults: Faulty,
  { nights = nightsOf(days), format = 'ndjson' as 'parquet' | 'ndjson', to = days.to } = {},
) {
  let clock = 0;
  const archive = await archiveIn(await newFolder(), { format, now: () => clock });
  for (const night of nights) {
    clock = night;
    await archive.export({
      vehicles: vehicles.map((vin) => ({ brand: 'brand_a', vin })),
      from: days.from,
      to,
      readWindow: async (window) => faults.served(window, night),
    });
  }
  return archive;
}

test('a clean month of nightly exports makes no alarm', async () => {
  await using archive = await archiveOf(faultsOf(thinned(trips), {}));
  const { alarms, vehicles: all } = await archive.quality();
  expect(alarms).toEqual([]);
  expect(all).toHaveLength(1);
  for (const { months } of all) expect(months[0]).toMatchObject({ month: '2026-02', unknownShare: 0, missingKm: 0 });
  await archive.mergeMonths();
  const merged = await archive.quality();
  expect(merged.vehicles).toEqual(all);
});

test('trips of a week with too few of them for a usual step are judged by the other weeks', async () => {
  const vin = vehicles[0] ?? '';
  const inLastWeek = ({ triggerStartTime }: { readonly triggerStartTime: string }) => triggerStartTime >= '2026-02-22';
  const fewOf = (series: 'driving' | 'powertrain') => {
    const all = trips.get(vin)?.[series] ?? [];
    return [...all.filter((trip) => !inLastWeek(trip)), ...all.filter(inLastWeek).slice(0, 2)];
  };
  const few = new Map([[vin, { driving: fewOf('driving'), powertrain: fewOf('powertrain') }]]);
  const [, cut] = few.get(vin)?.driving.filter(inLastWeek) ?? [];
  const position = few.get(vin)?.driving.findIndex((trip) => trip.triggerStartTime === cut?.triggerStartTime);
  // Nothing changes from night to night here.
  const lastNight = { nights: nightsOf(days).slice(-1) };
  await using clean = await archiveOf(faultsOf(few, {}), lastNight);
  expect((await clean.quality()).alarms).toEqual([]);
  await using archive = await archiveOf(faultsOf(few, { cut: position ?? 0 }), lastNight);
  const [month] = (await archive.quality()).vehicles.flatMap(({ months }) => months);
  expect(month?.untimed).toContain(cut?.triggerStartTime);
});

test('trips that were lost, held back, cut, altered or doubled are found, and no others', async () => {
  // Two weeks have enough trips for some of each kind.
  const to = '2026-02-16';
  const isEarly = ({ triggerStartTime }: { readonly triggerStartTime: string }) => triggerStartTime.slice(0, 10) <= to;
  const early = Array.from(thinned(trips), ([vin, { driving, powertrain }]) => {
    return [vin, { driving: driving.filter(isEarly), powertrain: powertrain.filter(isEarly) }] as const;
  });
  const faulty = faultsOf(new Map(early), { lost: 5, late: 7, cut: 11, altered: 13, doubled: 17, oneSided: 19 });
  const nights = nightsOf({ ...days, to });
  await using archive = await archiveOf(faulty, { nights, to });
  const report = await archive.quality();
  const validator = new Ajv2020({ allErrors: true });
  addFormats.default(validator);
  const schema = JSON.parse(await readFile(new URL('../schema/quality.schema.json', import.meta.url), 'utf8'));
  const isValid = validator.compile(schema);
  expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true);
  expect(isValid({ ...report, alarms: [{ ...report.alarms[0], kind: 'odd' }] })).toBe(false);
  const months = report.vehicles.flatMap(({ vehicle, months }) => months.map((month) => ({ vehicle, ...month })));
  const found = {
    lost: months.flatMap(({ vehicle, gaps }) => gaps.map(({ before }) => `${vehicle} ${before}`)),
    late: months.flatMap(({ vehicle, late }) => late.map(({ start }) => `${vehicle} ${start}`)),
    cut: months.flatMap(({ vehicle, untimed }) => untimed.map((start) => `${vehicle} ${start}`)),
    altered: months.flatMap(({ vehicle, changed }) => changed.map((start) => `${vehicle} ${start}`)),
    doubled: months.flatMap(({ vehicle, overlapping }) => overlapping.map((start) => `${vehicle} ${start}`)),
    oneSided: months.flatMap(({ vehicle, oneSided }) => oneSided.map(({ start }) => `${vehicle} ${start}`)),
  };
  const known = faulty.known((vin) => archive.pseudonymOf(vin));
  for (const kind of Object.keys(known) as (keyof typeof known)[]) {
    expect(known[kind].length, kind).toBeGreaterThan(1);
    expect([...new Set(found[kind])].sort(), kind).toEqual([...new Set(known[kind])].sort());
  }

  // The view says the same of what it knows: the trips of the last night.
  await using read = await archiveOf(faulty, { nights: nights.slice(-1), to, format: 'parquet' });
  const held = (await read.quality()).vehicles.flatMap(({ vehicle, months }) =>
    months.map((month) => ({ vehicle, ...month })),
  );
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET file_search_path = '${read.folder}'; SET TimeZone = 'UTC'`);
  await connection.run(await readFile(join(read.folder, 'views.duckdb.sql'), 'utf8'));
  const rows = (await connection.runAndReadAll('SELECT * FROM trip_quality ORDER BY vehicle, month')).getRowObjectsJS();
  expect(rows).toEqual(
    held.map((month) => ({
      brand: 'brand_a',
      vehicle: month.vehicle,
      month: month.month,
      trips: BigInt(month.trips),
      days_with_trips: BigInt(month.daysWithTrips),
      driven_km: month.drivenKm,
      one_sided: BigInt(month.oneSided.length),
      missing_km: month.missingKm,
      gaps: BigInt(month.gaps.length),
      overlapping: BigInt(month.overlapping.length),
      untimed: BigInt(month.untimed.length),
      unknown_share: expect.closeTo(month.unknownShare, 9),
      out_of_range: BigInt(month.outOfRange),
      missing: BigInt(month.missing),
      samples_per_second_lowest: expect.closeTo(month.samplesPerSecond.lowest ?? -1, 9),
      samples_per_second_highest: expect.closeTo(month.samplesPerSecond.highest ?? -1, 9),
    })),
  );
});
