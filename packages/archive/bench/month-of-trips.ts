// One month of one vehicle of the sandbox, written by this package and by its peers in one run: node bench/month-of-trips.ts
// The floor is JSON.parse of the same text. DuckDB reads the same text and writes Parquet with zstd.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { seriesContract } from '../dist/contract.js';
import { bestCodec } from '../dist/parquet-codec.js';
import { makeFile } from '../dist/window-file.js';
import { monthOfTrips } from './month.ts';

const rounds = 7;
const identity = { brand: 'brand_a', vehicle: '0'.repeat(32), from: '2026-02-01', to: '2026-02-28', zoneId: 'UTC' };

interface Result {
  readonly name: string;
  readonly ms: number;
  readonly bytes: number;
}

async function best(name: string, run: () => number | Promise<number>): Promise<Result> {
  let [ms, bytes] = [Number.POSITIVE_INFINITY, 0];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    bytes = await run();
    ms = Math.min(ms, performance.now() - startedAt);
  }
  return { name, ms, bytes };
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
try {
  for (const name of ['driving', 'powertrain'] as const) {
    const series = seriesContract(name);
    if (!series) throw new Error(`no series ${name}`);
    const trips = await monthOfTrips(name);
    const text = JSON.stringify(trips);
    const [json, parquet] = [join(folder, `${name}.json`), join(folder, `${name}.parquet`)];
    await writeFile(json, text);
    const parse = (): readonly unknown[] => JSON.parse(text);
    const write = (format: 'parquet' | 'ndjson' | 'csv', codec: 'ZSTD' | 'SNAPPY') => async () =>
      (await makeFile({ format, shape: 'trips', codec }, series, parse(), identity)).content.byteLength;
    const results = [
      await best('JSON.parse', () => parse().length),
      ...(bestCodec === 'ZSTD' ? [await best('archive, Parquet, zstd', write('parquet', 'ZSTD'))] : []),
      await best('archive, Parquet, snappy', write('parquet', 'SNAPPY')),
      await best('archive, NDJSON', write('ndjson', 'SNAPPY')),
      await best('archive, CSV', write('csv', 'SNAPPY')),
      await best('DuckDB, Parquet, zstd', async () => {
        await duckdb.run(
          `COPY (SELECT * FROM read_json_auto('${json}', maximum_object_size = 100000000)) TO '${parquet}' (FORMAT parquet, CODEC 'zstd')`,
        );
        return (await readFile(parquet)).byteLength;
      }),
      await best('gzip -6 of the JSON', () => gzipSync(text, { level: 6 }).byteLength),
    ];
    try {
      const filter =
        '.[] | .triggerStartTime as $t | (.odometer.value // .engine.rpm // .batteries.hv.voltage // [])[] | [$t, .] | @csv';
      results.push(
        await best(
          'jq, one signal to CSV',
          () => execFileSync('jq', ['-r', filter, json], { maxBuffer: 2 ** 28 }).byteLength,
        ),
      );
    } catch {
      console.log('jq is not installed: its row is left out');
    }
    const floor = results[0]?.ms ?? 1;
    console.log(`\n${name}: ${trips.length} trips, ${(text.length / 1e6).toFixed(2)} MB of JSON`);
    console.table(
      results.map((one) => ({
        writer: one.name,
        ms: Number(one.ms.toFixed(1)),
        'of JSON.parse': Number((one.ms / floor).toFixed(1)),
        kB: one.name === 'JSON.parse' ? '' : Math.round(one.bytes / 1_000),
      })),
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
