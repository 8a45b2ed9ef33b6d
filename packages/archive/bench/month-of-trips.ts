// One month of one vehicle of the sandbox, written by this package and by its peers in one run: node bench/month-of-trips.ts
// Every writer begins with the same JSON texts, one a series. The floor is JSON.parse of them. Figures are medians of the processor
// time of all threads, taken in turns. Each turn has several calls, so that each pays for its own garbage.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { seriesContract, seriesNames } from '../dist/format/series-contract.js';
import { bestCodec } from '../dist/parquet-codec.js';
import { makeFile } from '../dist/window-file.js';
import { monthOfTrips } from './month.ts';

const rounds = Number(process.argv[2] ?? 9);
const callsPerTurn = 5;
const identity = { brand: 'brand_a', vehicle: '0'.repeat(32), from: '2026-02-01', to: '2026-02-28', zoneId: 'UTC' };
const jqFilter =
  '.[] | .triggerStartTime as $t | (.odometer.value // .engine.rpm // .batteries.hv.voltage // [])[] | [$t, .] | @csv';

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
const texts = new Map<(typeof seriesNames)[number], string>();
for (const name of seriesNames) {
  texts.set(name, JSON.stringify(await monthOfTrips(name)));
  await writeFile(join(folder, `${name}.json`), texts.get(name) ?? '');
}

/** Writes one series and gives the bytes. A program of its own adds its processor time in milliseconds. */
type Writer = (name: (typeof seriesNames)[number], text: string) => Promise<number>;
let childMs = 0;

const archive =
  (format: 'parquet' | 'ndjson' | 'csv', codec: 'ZSTD' | 'SNAPPY'): Writer =>
  async (name, text) => {
    const made = await makeFile({ format, shape: 'trips', codec }, seriesContract(name), JSON.parse(text), identity);
    return made.content.byteLength;
  };
const writers: Readonly<Record<string, Writer>> = {
  'JSON.parse': async (_, text) => JSON.parse(text).length && Buffer.byteLength(text),
  [`archive, Parquet, ${bestCodec.toLowerCase()}`]: archive('parquet', bestCodec),
  'archive, Parquet, snappy': archive('parquet', 'SNAPPY'),
  'archive, NDJSON': archive('ndjson', 'SNAPPY'),
  'archive, CSV': archive('csv', 'SNAPPY'),
  'DuckDB, Parquet, zstd': async (name) => {
    const read = `read_json_auto('${folder}/${name}.json', maximum_object_size = 100000000)`;
    await duckdb.run(`COPY (SELECT * FROM ${read}) TO '${folder}/${name}.parquet' (FORMAT parquet, CODEC 'zstd')`);
    return (await readFile(`${folder}/${name}.parquet`)).byteLength;
  },
  'gzip -6 of the JSON': async (_, text) => gzipSync(text, { level: 6 }).byteLength,
  'jq, one signal to CSV': async (name) => {
    const [json, csv] = [`${folder}/${name}.json`, `${folder}/${name}.csv`];
    const times = execFileSync('sh', ['-c', 'jq -r "$0" "$1" > "$2"; times', jqFilter, json, csv]).toString();
    // User and system time of the children, on the second line.
    for (const [, minutes, seconds] of (times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g))
      childMs += Number(minutes) * 60_000 + Number(seconds) * 1_000;
    return (await readFile(csv)).byteLength;
  },
};

try {
  console.log(`node bench/month-of-trips.ts ${rounds}
${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, medians of processor time\n`);
  const times = new Map(Object.keys(writers).map((name) => [name, [] as number[]]));
  const sizes = new Map<string, number>();
  // The first two rounds warm up the compiler.
  for (let round = -2; round < rounds; round += 1) {
    for (const [writer, write] of Object.entries(writers)) {
      const calls = writer.startsWith('jq') ? 1 : callsPerTurn;
      let bytes = 0;
      childMs = 0;
      const start = process.cpuUsage();
      for (let call = 0; call < calls; call += 1) for (const [name, text] of texts) bytes += await write(name, text);
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) times.get(writer)?.push((user + system) / 1_000 / calls + childMs);
      sizes.set(writer, bytes / calls);
    }
  }
  const median = (writer: string) =>
    times.get(writer)?.toSorted((one, other) => one - other)[rounds >> 1] ?? Number.NaN;
  console.table(
    [...sizes].map(([writer, bytes]) => ({
      writer,
      ms: Number(median(writer).toFixed(1)),
      'of JSON.parse': Number((median(writer) / median('JSON.parse')).toFixed(1)),
      kB: Math.round(bytes / 1_000),
      "of DuckDB's size": Number((bytes / (sizes.get('DuckDB, Parquet, zstd') ?? 1)).toFixed(3)),
    })),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
