// One month of one vehicle of the sandbox, written by this package and by its peers in one run:
// node bench/month-of-trips.ts
// Every writer begins with the same JSON text. The floor is JSON.parse of it. Figures are medians of the processor time of all
// threads, taken in turns. Each turn has several calls, so that each pays for its own garbage.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { seriesContract } from '../dist/contract.js';
import { bestCodec } from '../dist/parquet-codec.js';
import { makeFile } from '../dist/window-file.js';
import { monthOfTrips } from './month.ts';

const rounds = Number(process.argv[2] ?? 9);
const callsPerTurn = 5;
const identity = { brand: 'brand_a', vehicle: '0'.repeat(32), from: '2026-02-01', to: '2026-02-28', zoneId: 'UTC' };
const jqFilter =
  '.[] | .triggerStartTime as $t | (.odometer.value // .engine.rpm // .batteries.hv.voltage // [])[] | [$t, .] | @csv';

/** Writes and gives the bytes. A program of its own adds its processor time in milliseconds. */
type Writer = () => Promise<{ readonly bytes: number; readonly childMs?: number }>;

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();

async function writersOf(name: 'driving' | 'powertrain'): Promise<Readonly<Record<string, Writer>>> {
  const series = seriesContract(name);
  if (!series) throw new Error(`no series ${name}`);
  const text = JSON.stringify(await monthOfTrips(name));
  const [json, parquet, csv] = ['json', 'parquet', 'csv'].map((end) => join(folder, `${name}.${end}`));
  await writeFile(json ?? '', text);
  const parse = (): readonly unknown[] => JSON.parse(text);
  const archive =
    (format: 'parquet' | 'ndjson' | 'csv', codec: 'ZSTD' | 'SNAPPY'): Writer =>
    async () => ({
      bytes: (await makeFile({ format, shape: 'trips', codec }, series, parse(), identity)).content.byteLength,
    });
  return {
    'JSON.parse': async () => ({ bytes: parse().length && Buffer.byteLength(text) }),
    [`archive, Parquet, ${bestCodec.toLowerCase()}`]: archive('parquet', bestCodec),
    'archive, Parquet, snappy': archive('parquet', 'SNAPPY'),
    'archive, NDJSON': archive('ndjson', 'SNAPPY'),
    'archive, CSV': archive('csv', 'SNAPPY'),
    'DuckDB, Parquet, zstd': async () => {
      const read = `read_json_auto('${json}', maximum_object_size = 100000000)`;
      await duckdb.run(`COPY (SELECT * FROM ${read}) TO '${parquet}' (FORMAT parquet, CODEC 'zstd')`);
      return { bytes: (await readFile(parquet ?? '')).byteLength };
    },
    'gzip -6 of the JSON': async () => ({ bytes: gzipSync(text, { level: 6 }).byteLength }),
    'jq, one signal to CSV': async () => {
      const times = execFileSync('sh', ['-c', 'jq -r "$0" "$1" > "$2"; times', jqFilter, json ?? '', csv ?? '']);
      const [, minutes, seconds, minutesSystem, secondsSystem] =
        /.*\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s/.exec(times.toString())?.map(Number) ?? [];
      const childMs =
        ((minutes ?? 0) + (minutesSystem ?? 0)) * 60_000 + ((seconds ?? 0) + (secondsSystem ?? 0)) * 1_000;
      return { bytes: (await readFile(csv ?? '')).byteLength, childMs };
    },
  };
}

try {
  console.log(`node bench/month-of-trips.ts ${rounds}
${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, medians of processor time\n`);
  const results = new Map<string, { ms: number; bytes: number }>();
  for (const series of ['driving', 'powertrain'] as const) {
    const writers = Object.entries(await writersOf(series));
    const times = new Map(writers.map(([name]) => [name, [] as number[]]));
    const sizes = new Map<string, number>();
    // The first two rounds warm up the compiler.
    for (let round = -2; round < rounds; round += 1) {
      for (const [name, write] of writers) {
        const calls = name.startsWith('jq') ? 1 : callsPerTurn;
        let [bytes, childMs] = [0, 0];
        const start = process.cpuUsage();
        for (let call = 0; call < calls; call += 1) ({ bytes, childMs = 0 } = await write());
        const { user, system } = process.cpuUsage(start);
        if (round >= 0) times.get(name)?.push((user + system) / 1_000 / calls + childMs);
        sizes.set(name, bytes);
      }
    }
    for (const [name, all] of times) {
      const { ms, bytes } = results.get(name) ?? { ms: 0, bytes: 0 };
      const median = all.sort((one, other) => one - other)[all.length >> 1] ?? Number.NaN;
      results.set(name, { ms: ms + median, bytes: bytes + (sizes.get(name) ?? 0) });
      const floor = times.get('JSON.parse')?.[rounds >> 1] ?? Number.NaN;
      console.log(
        `${series.padEnd(11)} ${name.padEnd(26)} ${median.toFixed(1).padStart(7)} ms ${(median / floor).toFixed(1).padStart(5)}`,
      );
    }
  }
  const [floor, peer] = [results.get('JSON.parse'), results.get('DuckDB, Parquet, zstd')];
  console.log('\nboth series');
  console.table(
    [...results].map(([writer, { ms, bytes }]) => ({
      writer,
      ms: Number(ms.toFixed(1)),
      'of JSON.parse': Number((ms / (floor?.ms ?? 1)).toFixed(1)),
      kB: Math.round(bytes / 1_000),
      "of DuckDB's size": Number((bytes / (peer?.bytes ?? 1)).toFixed(3)),
    })),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
