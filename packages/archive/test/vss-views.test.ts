import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { toColumns, toVss, vssNamesOf } from '@vehicle-data/client/series';
import { afterAll, expect, test } from 'vitest';
import { archiveIn, newFolder } from './folders.ts';
import { client, sandboxWindow } from './sandbox-source.ts';
import { syntheticWindow, vehiclesOf } from './synthetic-source.ts';

const vehicle = 'SANDB0XA000000001';
const range = { from: '2026-02-01', to: '2026-02-02', exactDays: true };
const archive = await archiveIn(await mkdtemp(join(tmpdir(), 'archive-')));
const duckdb = await DuckDBInstance.create(':memory:');
afterAll(async () => {
  await archive.close();
  await rm(archive.folder, { recursive: true, force: true });
});

const sqlIn = async (folder: string) => sqlOf(folder, await readFile(join(folder, 'views.duckdb.sql'), 'utf8'));

/** DuckDB in a folder, with some views. */
async function sqlOf(folder: string, views = '') {
  const connection = await duckdb.connect();
  await connection.run(`SET file_search_path = '${folder}'; SET TimeZone = 'UTC'; ${views}`);
  return async (text: string) => (await connection.runAndReadAll(text)).getRowObjectsJS();
}

test.each(['driving', 'powertrain'] as const)(
  'vss_%s in DuckDB has every value that toVss gives for an exported archive, and no other',
  async (series) => {
    const vehicles = [{ brand: 'brand_a', vin: vehicle }];
    await archive.export({ vehicles, ...range, readWindow: sandboxWindow, series: [series] });
    const sql = await sqlIn(archive.folder);
    let compared = 0;
    const wrong: string[] = [];
    for await (const trip of client.trips[series]({ vin: vehicle, from: '20260201', to: '20260202' })) {
      // A trip of the series that was asked for.
      const { columns } = toVss(toColumns(series, trip as never));
      const rows = await sql(`SELECT * FROM vss_${series} WHERE trip_start = '${trip.triggerStartTime}' ORDER BY n, i`);
      for (const { path } of Object.values<{ path: string }>(vssNamesOf(series))) {
        const column = (columns as Readonly<Record<string, { readonly values: readonly unknown[] } | undefined>>)[path];
        const values = column?.values ?? [];
        const ofColumn = rows.filter(({ n }) => Number(n) === values.length);
        const found = ofColumn.map((row) => (typeof row[path] === 'bigint' ? Number(row[path]) : row[path]));
        for (const [index, value] of values.entries())
          if (!Object.is(found[index], value)) wrong.push(`${path} ${index}`);
        compared += values.length;
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(4_000);
  },
);

test('samples out of range, of another type and without a value in VSS are null, as in the SDK', async () => {
  await using synthetic = await archiveIn(await newFolder());
  const week = { from: '2026-01-01', to: '2026-01-08' };
  await synthetic.export({ vehicles: vehiclesOf(1), ...week, readWindow: syntheticWindow });
  const sql = await sqlIn(synthetic.folder);
  const [km] = await sql(`SELECT max("Vehicle.TraveledDistance") AS most, count(*) FILTER
    ("odometer.value" IS NOT NULL AND "Vehicle.TraveledDistance" IS NULL) AS lost
    FROM vss_driving JOIN driving_samples USING (vehicle, trip_start, n, i)`);
  expect(Number(km?.['most'])).toBe(1_677_721_400);
  expect(Number(km?.['lost'])).toBeGreaterThan(0);
});

test('CSV in the names of VSS has the values of the views, and an archive keeps its names', async () => {
  const request = { vehicles: [{ brand: 'brand_a', vin: vehicle }], ...range, readWindow: sandboxWindow };
  await using csv = await archiveIn(await newFolder(), { format: 'csv', names: 'vss' });
  await csv.export({ ...request, series: ['driving'] });
  await archive.export({ ...request, series: ['driving'] });
  const [own, views] = [await sqlOf(csv.folder), await sqlIn(archive.folder)];
  const files = `read_csv('brand=*/vehicle=*/series=driving/month=*/*.csv')`;
  const km = '"Vehicle.TraveledDistance (m)"';
  const gear = '"Vehicle.Powertrain.Transmission.SelectedGear"';
  const belt = '"Vehicle.Cabin.Seat.Row1.DriverSide.IsBelted"';
  const sums = (distance: string) =>
    `count(*)::INTEGER AS n, sum(${distance})::DOUBLE AS m, sum(${gear})::INTEGER AS gear, count(${belt})::INTEGER AS belts`;
  const [found] = await own(`SELECT ${sums(km)} FROM ${files}`);
  expect(found).toEqual((await views(`SELECT ${sums('"Vehicle.TraveledDistance"')} FROM vss_driving`))[0]);
  expect(found?.['n']).toBeGreaterThan(4_000);
  expect(await csv.verify()).toMatchObject({ ok: true });
  await csv.close();
  const other = archiveIn(csv.folder, { format: 'csv', names: 'contract' });
  await expect(other).rejects.toMatchObject({ code: 'settings-differ', differences: ['names'] });
  await using again = await archiveIn(csv.folder, { format: 'csv' });
  expect(again.settings.names).toBe('vss');
});

test('Parquet has views for the names of VSS, and says so where they are asked for', async () => {
  const asked = archiveIn(await newFolder(), { names: 'vss' });
  await expect(asked).rejects.toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining('vss_driving'),
  });
});
