import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { tripFacts } from '@vehicle-data/client/facts';
import {
  joinTrips,
  points,
  type SeriesName,
  signalsOf,
  summary,
  type TripOf,
  toColumns,
} from '@vehicle-data/client/series';
import { operations } from '@vehicle-data/openapi';
import { parquetMetadataAsync } from 'hyparquet';
import { afterAll, expect, test } from 'vitest';
import { seriesContract } from '../src/format/series-contract.js';
import { takeApart } from '../src/format/trip-parts.js';
import { type Archive, type ArchiveOptions, duckdbViews } from '../src/index.js';
import { parquetTrips } from '../src/parquet-file.js';
import { trino } from '../src/sql-dialects.js';
import { archiveIn, heldTrips, manifestOf, newFolder } from './folders.ts';
import { client, sandboxWindow } from './sandbox-source.ts';
import { dataFiles, syntheticWindow, vehiclesOf, vin } from './synthetic-source.ts';

const [combustion, electric] = ['SANDB0XA000000001', 'SANDB0XA000000003'] as const;
/** Of two windows. */
const range = { from: '2026-02-06', to: '2026-02-11', exactDays: true };
type Trip = TripOf<'driving'> & TripOf<'powertrain'>;
type Sql = (text: string) => Promise<readonly Record<string, unknown>[]>;

/** The trips of the range, as the sandbox sends them. */
async function tripsOf(series: SeriesName, vehicle: string) {
  const trips: Trip[] = [];
  for await (const trip of client.trips[series]({ vin: vehicle, from: '20260206', to: '20260211' }))
    trips.push(trip as Trip);
  return trips;
}

const duckdb = await DuckDBInstance.create(':memory:');
const archive = await archiveIn(await mkdtemp(join(tmpdir(), 'archive-')));
const vehicles = [combustion, electric].map((one) => ({ brand: 'brand_a', vin: one }));
await archive.export({ vehicles, ...range, readWindow: sandboxWindow });
afterAll(async () => {
  await archive.close();
  await rm(archive.folder, { recursive: true, force: true });
});

/** An archive of a week of synthetic trips. */
async function syntheticArchive(options: Partial<ArchiveOptions> = {}): Promise<Archive> {
  const synthetic = await archiveIn(await newFolder(), options);
  const week = { from: '2026-01-01', to: '2026-01-08' };
  await synthetic.export({ vehicles: vehiclesOf(1), ...week, readWindow: syntheticWindow });
  return synthetic;
}

const viewsOf = ({ folder }: Archive) => readFile(join(folder, 'views.duckdb.sql'), 'utf8');

/** DuckDB in the folder of an archive, with its views. */
async function sqlIn(of: Archive): Promise<Sql> {
  const connection = await duckdb.connect();
  await connection.run(`SET file_search_path = '${of.folder}'; SET TimeZone = 'UTC'`);
  const { format, shape } = of.settings;
  if (format === 'parquet' && shape === 'trips') await connection.run(await viewsOf(of));
  return async (text) => (await connection.runAndReadAll(text)).getRowObjectsJS();
}

const valueAt = (trip: object, path: string) =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], trip);

test.each(['driving', 'powertrain'] as const)(
  'DuckDB and hyparquet agree with the sandbox on %s, value by value',
  async (series) => {
    const sql = await sqlIn(archive);
    let compared = 0;
    const wrong: string[] = [];
    for (const vehicle of [combustion, electric]) {
      const trips = await tripsOf(series, vehicle);
      expect(trips.length).toBeGreaterThan(10);
      // By hyparquet.
      expect(isDeepStrictEqual(await heldTrips(archive, vehicle, series), trips)).toBe(true);
      const name = archive.pseudonymOf(vehicle);
      const rows = await sql(`SELECT * FROM ${series}_trips WHERE vehicle = '${name}' ORDER BY trip_start`);
      expect(rows).toHaveLength(trips.length);
      for (const [index, trip] of trips.entries()) {
        expect(rows[index]?.['trip_length_ms']).toBe(BigInt(trip.tripLength));
        for (const path of Object.keys(signalsOf(series))) {
          const expected = valueAt(trip, path) ?? null;
          // Quicker than expect() by far, and as strict.
          if (!isDeepStrictEqual(rows[index]?.[path] ?? null, expected)) wrong.push(`${index} ${path}`);
          if (Array.isArray(expected)) compared += expected.length;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(20_000);
    // Assumed times are where the data support them, and nowhere else.
    const [counted] = await sql(`SELECT count(*) AS n, count(t_assumed) AS timed FROM ${series}_samples`);
    expect(counted?.['n']).toBeGreaterThan(0n);
    expect(counted?.['timed']).toBe(counted?.['n']);
  },
);

test('assumed times in both shapes are those of the SDK', async () => {
  await using flat = await archiveIn(await newFolder(), { shape: 'samples' });
  await flat.export({ vehicles: vehicles.slice(0, 1), ...range, readWindow: sandboxWindow, series: ['powertrain'] });
  const [trip = {} as Trip] = await tripsOf('powertrain', combustion);
  const voltage = points(toColumns('powertrain', trip, { assumeEven: true }), 'batteries.hv.voltage');
  expect(voltage.length).toBeGreaterThan(100);
  const table = `read_parquet('*/*/*/*/*.parquet', hive_partitioning = true)`;
  for (const [of, from] of [[archive, 'powertrain_samples'] as const, [flat, table] as const]) {
    const sql = await sqlIn(of);
    const rows = await sql(`SELECT epoch_us(t_assumed) / 1000 AS time FROM ${from}
      WHERE "batteries.hv.voltage" IS NOT NULL AND vehicle = '${of.pseudonymOf(combustion)}' AND trip_start = '${trip.triggerStartTime}' ORDER BY i`);
    // In whole milliseconds.
    expect(rows).toEqual(voltage.map(({ time }) => ({ time: Math.floor((time ?? 0) + 0.001) })));
  }
});

test('the summary view and the SDK agree', async () => {
  const sql = await sqlIn(archive);
  const name = archive.pseudonymOf(combustion);
  const rows = await sql(`SELECT * FROM powertrain_summary WHERE vehicle = '${name}' ORDER BY trip_start`);
  for (const [index, trip] of (await tripsOf('powertrain', combustion)).entries()) {
    const rpm = summary(toColumns('powertrain', trip)).signals['engine.rpm'];
    expect(rows[index]?.['engine.rpm max (rpm)']).toBe(rpm?.max ?? null);
    expect(rows[index]?.['engine.rpm mean (rpm)']).toEqual(rpm?.mean == null ? null : expect.closeTo(rpm.mean, 9));
  }
});

test('each trip is once in the view of trips, with its id, end, odometer and distance as the SDK has them', async () => {
  const sql = await sqlIn(archive);
  for (const vehicle of [combustion, electric]) {
    const name = archive.pseudonymOf(vehicle);
    const rows = await sql(`SELECT * FROM trips WHERE vehicle = '${name}' ORDER BY trip_start`);
    const joined = joinTrips(await tripsOf('driving', vehicle), await tripsOf('powertrain', vehicle));
    expect(rows).toHaveLength(joined.length);
    for (const [index, { startTime, driving, powertrain }] of joined.entries()) {
      const facts = tripFacts(
        driving && toColumns('driving', driving),
        powertrain && toColumns('powertrain', powertrain),
      );
      const lengthMs = driving?.tripLength ?? powertrain?.tripLength ?? 0;
      expect(rows[index]).toMatchObject({
        trip_id: `${name}-${startTime}`,
        trip_start: new Date(startTime ?? 0),
        trip_end: new Date((startTime ?? 0) + lengthMs),
        distance_km: facts.distance.value,
        in_driving: driving !== null,
        in_powertrain: powertrain !== null,
      });
    }
  }
  const [seen] = await sql('SELECT count(*) AS n, count(DISTINCT trip_id) AS ids FROM trips');
  expect(seen?.['ids']).toBe(seen?.['n']);
  const [odd] = await sql('SELECT count(*) AS n FROM driving_trips WHERE odometer_last_km < odometer_first_km');
  expect(odd).toEqual({ n: 0n });
});

test('views tell the signals of the contract, the windows that were fetched, shares of values and days of the zone', async () => {
  const sql = await sqlIn(archive);
  const [rpm] = await sql("SELECT * FROM signals WHERE signal = 'engine.rpm'");
  expect(rpm).toMatchObject({ series: 'powertrain', unit: signalsOf('powertrain')['engine.rpm'].unit, possible: null });
  const windows = await sql(`SELECT first_day::VARCHAR AS first_day, last_day::VARCHAR AS last_day, trips, settled, file
    FROM windows WHERE series = 'driving' AND vehicle = '${archive.pseudonymOf(combustion)}' ORDER BY first_day`);
  const held = (await manifestOf(archive.folder))
    .filter(({ series, vehicle }) => series === 'driving' && vehicle === archive.pseudonymOf(combustion))
    .toSorted((a, b) => a.from.localeCompare(b.from));
  expect(windows).toEqual(
    held.map(({ from, to, trips, settled, path }) => ({
      first_day: from,
      last_day: to,
      trips: BigInt(trips),
      settled,
      file: path.slice(path.indexOf('series=')),
    })),
  );
  const [shares] = await sql(`SELECT "seatbelt.driver belted (share)" AS belted,
    list_count(list_filter("seatbelt.driver", lambda x: x = 'belted')) / len("seatbelt.driver") AS counted
    FROM driving_summary JOIN driving_trips USING (brand, vehicle, trip_start) LIMIT 1`);
  expect(shares?.['belted']).toBe(shares?.['counted']);
  await using eastern = await archiveIn(await newFolder(), { zoneId: 'Pacific/Auckland' });
  const request = { vehicles: vehiclesOf(1), from: '2026-01-01', to: '2026-01-08', readWindow: syntheticWindow };
  await eastern.export(request);
  // The synthetic trips of a day begin at 7, 8 and 9 UTC, in the evening there; those of 9 UTC are on it as well.
  const days = await (await sqlIn(eastern))('SELECT day::VARCHAR AS day, trips FROM driving_days ORDER BY day LIMIT 1');
  expect(days).toEqual([{ day: '2026-01-01', trips: 3n }]);
});

test('only views that a query names are made, with those that they need', () => {
  const views = duckdbViews(['driving'], { query: 'SELECT count(*) FROM Driving_Days' });
  expect(views.match(/VIEW \w+/g)).toEqual(['VIEW driving_trips', 'VIEW driving_days']);
  expect(duckdbViews(['driving'], { query: 'FROM information_schema.tables' }).match(/VIEW \w+/g)).toHaveLength(14);
});

test('the ends of all files are read only where they differ: columns of one contract are those of every file', async () => {
  await using archive = await syntheticArchive();
  expect(await viewsOf(archive)).not.toContain('union_by_name');
  const settings = JSON.parse(await readFile(join(archive.folder, 'archive.json'), 'utf8'));
  await archive.close();
  // As an archive was left before, and as one that was continued with another contract.
  for (const [contract, isOne] of [
    [settings.contract, true],
    ['0123456789abcdef', false],
  ] as const) {
    const { oneSchema: _, ...before } = settings;
    await writeFile(join(archive.folder, 'archive.json'), JSON.stringify({ ...before, contract }));
    await using again = await archiveIn(archive.folder);
    await again.export({
      ...{ vehicles: vehiclesOf(1), from: '2026-01-01', to: '2026-01-08', readWindow: syntheticWindow },
      acceptContract: true,
    });
    expect(!(await viewsOf(again)).includes('union_by_name')).toBe(isOne);
  }
});

test('the views are those of the series that the archive has files of', async () => {
  await using drives = await archiveIn(await newFolder());
  expect(await viewsOf(drives)).not.toContain('CREATE');
  const request = { vehicles: vehicles.slice(0, 1), ...range, readWindow: sandboxWindow };
  await drives.export({ ...request, series: ['driving'] });
  const sql = await sqlIn(drives);
  expect(await sql('SELECT 1 FROM driving_summary LIMIT 1')).toHaveLength(1);
  expect(await viewsOf(drives)).not.toContain('powertrain');
  await drives.purge({ vin: combustion });
  expect(await viewsOf(drives)).not.toContain('CREATE');
});

test('files of an earlier contract are read whole, and views have the newer signals empty', async () => {
  await using archive = await syntheticArchive();
  const path = Object.keys(await dataFiles(archive.folder)).find((one) => one.includes('series=driving')) ?? '';
  const { signals, ...series } = seriesContract('driving');
  const removed = ['horn.state', { kind: 'enumeration', values: ['on'] }] as const;
  const earlier = { ...series, signals: [...signals.filter(([name]) => name !== 'odometer.value'), removed] };
  const identity = { brand: 'brand_a', vehicle: 'x', from: '2026-01-01', to: '2026-01-08', zoneId: 'UTC' };
  const trips = [
    {
      triggerStartTime: '2026-01-02T00:00:00.000Z',
      tripLength: 2,
      transmission: { gear: ['d', 'p'] },
      horn: { state: ['on'] },
    },
  ];
  await writeFile(join(archive.folder, path), parquetTrips('trips', earlier, trips, identity, 'SNAPPY').content);
  const sql = await sqlIn(archive);
  const columns = '"odometer.value" AS km, "transmission.gear" AS gear';
  expect(await sql(`SELECT ${columns} FROM driving_trips`)).toEqual([{ km: null, gear: ['d', 'p'] }]);
  expect(await sql(`SELECT ${columns} FROM driving_samples ORDER BY i`)).toEqual([
    { km: null, gear: 'd' },
    { km: null, gear: 'p' },
  ]);
  expect(await sql('SELECT "odometer.value max (km)" AS km FROM driving_summary')).toEqual([{ km: null }]);
  expect(await heldTrips(archive, vin(1), 'driving')).toEqual(trips);
});

test('a start without its zone is in no column: it would be a time of this machine', () => {
  const trip = { triggerStartTime: '2026-01-02T00:00:00' };
  expect(takeApart(seriesContract('driving'), trip)).toMatchObject({ start: null, rest: JSON.stringify(trip) });
});

test('edges of the ranges, null, other types and unequal lengths come through, and nothing is invented', async () => {
  await using archive = await syntheticArchive();
  const sql = await sqlIn(archive);
  const [trip] = await sql('SELECT * FROM driving_trips ORDER BY trip_start LIMIT 1');
  expect(trip?.['odometer.value']).toEqual(expect.arrayContaining([1677721.4, null, 16777215]));
  expect(trip?.['acceleration.longitudinal']).toEqual([-4.177, 4.177, 0.30000000000000004, -0]);
  expect(trip).toMatchObject({
    'seatbelt.driver': ['unbelted', 'belted'],
    'seatbelt.assistance': [],
    'isla.optionUsm': ['warning', null, null],
    'ignition.status': ['on', null],
    trip_start: new Date('2026-01-01T07:00:00Z'),
  });
  expect(JSON.parse(String(trip?.['rest']))).toEqual({
    triggerStartTime: '2026-01-01T07:00:00Z',
    isla: { optionUsm: ['warning', 3, null], optionUsm2: 'off' },
    ignition: { status: ['on', '\ud800'] },
    'odometer.value': [9, 9],
  });
  expect(trip?.['out_of_range']).toBeGreaterThan(0);
  const belts = await sql(`SELECT n, i, t_assumed, "seatbelt.driver" AS belt FROM driving_samples
    WHERE trip_start = (SELECT min(trip_start) FROM driving_trips) AND "seatbelt.driver" IS NOT NULL ORDER BY i`);
  expect(belts).toEqual([
    { n: 2n, i: 0n, t_assumed: null, belt: 'unbelted' },
    { n: 2n, i: 1n, t_assumed: null, belt: 'belted' },
  ]);
  const [timed] = await sql('SELECT count(t_assumed) AS n FROM driving_samples');
  expect(timed?.['n']).toBe(0n);
});

test('a file says its units, ranges, contract and time basis', async () => {
  const path = Object.keys(await dataFiles(archive.folder)).find((one) => one.includes('series=powertrain')) ?? '';
  const file = new Uint8Array(await readFile(join(archive.folder, path))).buffer;
  const facts = new Map((await parquetMetadataAsync(file)).key_value_metadata?.map(({ key, value }) => [key, value]));
  const { signals, contract, sampleTimes, usualStepMs } = JSON.parse(facts.get('vehicle-data') ?? '');
  expect(sampleTimes).toBe(operations.getPowertrainData.series.sampleTimes);
  expect(signals).toEqual(signalsOf('powertrain'));
  expect(contract).toBe(archive.settings.contract);
  expect(usualStepMs).toBeCloseTo(1_000, -1);
  expect(facts.get('vehicle-data.time')).toContain('assumed');
});

test('the flat form has one row a sample, joined only where lengths are equal', async () => {
  await using archive = await syntheticArchive({ shape: 'samples' });
  const sql = await sqlIn(archive);
  const signals = '"seatbelt.driver", "ignition.status", "isla.optionUsm", "acceleration.longitudinal"';
  const rows = await sql(`SELECT trip_start, n, i, t_assumed, time_basis, ${signals}
    FROM read_parquet('brand=*/vehicle=*/series=driving/month=*/*.parquet', hive_partitioning = true)
    WHERE n < 5 ORDER BY trip_start, n, i LIMIT 9`);
  const start = new Date('2026-01-01T07:00:00Z');
  expect(rows.map((row) => Object.values(row))).toEqual([
    [start, 2, 0, null, 'unknown', 'unbelted', 'on', null, null],
    [start, 2, 1, null, 'unknown', 'belted', null, null, null],
    [start, 3, 0, null, 'unknown', null, null, 'warning', null],
    [start, 3, 1, null, 'unknown', null, null, null, null],
    [start, 3, 2, null, 'unknown', null, null, null, null],
    [start, 4, 0, null, 'unknown', null, null, null, -4.177],
    [start, 4, 1, null, 'unknown', null, null, null, 4.177],
    [start, 4, 2, null, 'unknown', null, null, null, 0.30000000000000004],
    [start, 4, 3, null, 'unknown', null, null, null, -0],
  ]);
  expect(await archive.verify()).toMatchObject({ ok: true });
  await expect(archive.trips({ vin: vin(1), series: 'driving' }).next()).rejects.toMatchObject({
    code: 'not-lossless',
  });
});

test('CSV has a header with units and is read by DuckDB', async () => {
  await using archive = await syntheticArchive({ format: 'csv' });
  const sql = await sqlIn(archive);
  const [row] = await sql(
    `SELECT count(*) AS n, max("engine.rpm (rpm)") AS rpm FROM read_csv('brand=*/vehicle=*/series=powertrain/month=*/*.csv')`,
  );
  expect(row?.['n']).toBeGreaterThan(100n);
  expect(row?.['rpm']).toBeGreaterThan(800);
  expect(await archive.verify()).toMatchObject({ ok: true });
});

// In the grammars of these engines: test/engines/grammars.check.ts. The Hive connector of Trino has only timestamps of three digits without a
// zone: https://trino.io/docs/current/connector/hive.html#data-types
test.each([
  { name: 'views.spark.sql', unknown: /timestamp\(/ },
  { name: 'views.trino.sql', unknown: /timestamp(?!\(3\),)/ },
])('a file of views is beside the data, with types that its engine has: $name', async ({ name, unknown }) => {
  const sql = (await readFile(join(archive.folder, name), 'utf8')).replace(/^--.*/gm, '');
  expect(sql.match(/^CREATE /gm)).toHaveLength(14);
  expect(sql).not.toMatch(unknown);
});

test('no sequence of Trino has more than 10,000 elements, however many samples a trip has', async () => {
  const sql = await sqlIn(archive);
  const [, , ...joins] = trino.explode('trips', ['n']).split('\n');
  // As DuckDB says it.
  const blocks = joins.join(' ').replaceAll('sequence', 'generate_series').replaceAll(' / ', ' // ');
  const lengths = [1, 10_000, 10_001, 25_000];
  const rows = await sql(`SELECT n, list(i ORDER BY i) = range(n) AS whole, max(i - block * 10000)::INTEGER AS last
    FROM (SELECT unnest([${lengths}]) AS n) ${blocks} GROUP BY n ORDER BY n`);
  expect(rows).toEqual(lengths.map((n) => ({ n, whole: true, last: Math.min(n, 10_000) - 1 })));
});

test('DuckDB reads a month in one file as it reads its windows', async () => {
  await using months = await archiveIn(await newFolder());
  const month = { from: '2026-02-01', to: '2026-02-28' };
  await months.export({ vehicles: vehiclesOf(1), ...month, readWindow: syntheticWindow });
  const ask = async () =>
    (await sqlIn(months))(`
      SELECT 'driving' AS series, count(*) AS n, hash(list(t ORDER BY trip_start)) AS content FROM driving_trips t
      UNION ALL SELECT 'powertrain', count(*), hash(list(t ORDER BY trip_start)) FROM powertrain_trips t ORDER BY series`);
  const before = await ask();
  expect(await months.mergeMonths()).toEqual({ months: 2, filesRemoved: 8 });
  expect(await ask()).toEqual(before);
  expect(before[0]?.['n']).toBeGreaterThan(20n);
  // Where trips start is known without reading them.
  const [path = ''] = Object.keys(await dataFiles(months.folder));
  const [known] = await (await sqlIn(months))(
    `SELECT count(*) AS groups, count(stats_min_value) AS known FROM parquet_metadata('${months.folder}/${path}') WHERE path_in_schema = 'trip_start'`,
  );
  expect(known).toEqual({ groups: 4n, known: 4n });
});
