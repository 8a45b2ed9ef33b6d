// Reads the trips of a file. No module of Node.js is used here, so that a page or an edge can read an archive as well.
import type { SeriesName } from '@vehicle-data/client/series';
import { type Compressors, parquetReadObjects } from 'hyparquet';
import { type SeriesContract, seriesContract } from './series-contract.js';
import { type factsOf, putTogether, type Samples, type TripParts } from './trip-parts.js';

/** How compressed pages of Parquet are decompressed, by codec. Snappy needs nothing; zstd does. */
export type Decompressors = Compressors;

/** What is known of a file. */
export interface TripsFile {
  readonly series: SeriesName;
  /** By the extension of its name. */
  readonly format: 'parquet' | 'ndjson';
  /** Default: none but those of `hyparquet`, which has Snappy. */
  readonly decompressors?: Decompressors | undefined;
}

/**
 * The trips of a file, as the service sent them. Files of CSV and files with one row for each sample do not hold them.
 *
 * @throws Error where the file is damaged, or compressed in a way that `decompressors` does not have.
 */
export async function readTrips(content: Uint8Array, file: TripsFile): Promise<unknown[]> {
  if (file.format === 'ndjson') return readNdjson(content);
  return readTripsFile(seriesContract(file.series), content, file.decompressors);
}

/** The trips of a file of NDJSON. */
export function readNdjson(content: Uint8Array): unknown[] {
  const lines = new TextDecoder().decode(content).split('\n').slice(0, -1);
  return lines.map((line): unknown => JSON.parse(line));
}

/** The trips of a file of Parquet with one row for each trip. */
export async function readTripsFile(
  series: SeriesContract,
  content: Uint8Array,
  decompressors: Decompressors = {},
): Promise<unknown[]> {
  return (await rowsOf(content, decompressors)).map((row) => putTogether(series, partsOf(row)));
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(content: Uint8Array, compressors: Decompressors): Promise<readonly Row[]> {
  return parquetReadObjects({
    file: new Uint8Array(content).buffer,
    compressors,
    parsers: { timestampFromMicroseconds: (time) => Number(time / 1000n) },
  });
}

function partsOf(row: Row): TripParts {
  const samples: Record<string, Samples> = {};
  // The lists are the signals of the contract that the file was written with, each of the type of its signal.
  for (const [path, values] of Object.entries(row))
    if (Array.isArray(values) && path !== 'assumed_even') samples[path] = values as Samples;
  return {
    start: typeof row['trip_start'] === 'number' ? row['trip_start'] : null,
    lengthMs: typeof row['trip_length_ms'] === 'bigint' ? Number(row['trip_length_ms']) : null,
    samples,
    rest: typeof row['rest'] === 'string' ? row['rest'] : null,
  };
}

/** The rows of a trips file: parts of each trip, and what the file says of them. */
export async function readTripRows(
  content: Uint8Array,
  decompressors: Decompressors,
): Promise<readonly (TripParts & ReturnType<typeof factsOf>)[]> {
  return (await rowsOf(content, decompressors)).map((row) => ({
    ...partsOf(row),
    outOfRange: Number(row['out_of_range'] ?? 0),
    missing: Number(row['missing'] ?? 0),
    assumedEven: Array.isArray(row['assumed_even']) ? row['assumed_even'].map(String) : [],
  }));
}
