import { type TripOf, usualStep } from '@vehicle-data/client/series';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { ArchiveShape } from './archive-settings.js';
import { sampleColumns, tripColumns } from './columns.js';
import { contractDigest, type SeriesContract } from './contract.js';
import { decompressors, type ParquetCodec } from './parquet-codec.js';
import { parquetFile } from './parquet-columns.js';
import { factsOf, memberOf, putTogether, type Samples, type TripParts, takeApart } from './trip-parts.js';
import type { VehicleWindow } from './windows.js';

/** What a file says of itself, beside its rows. */
export interface FileIdentity extends VehicleWindow {
  readonly zoneId: string;
}

type Row = Readonly<Record<string, unknown>>;
type TripFacts = ReturnType<typeof factsOf>;

/** Trips in the order in which they came: one row each, or one row a sample. A pure function of its arguments. */
export function parquetTrips(
  shape: ArchiveShape,
  series: SeriesContract,
  trips: readonly unknown[],
  identity: FileIdentity,
  codec: ParquetCodec,
) {
  const { name, sampleTimes } = series;
  // `usualStep` reads what is there, whatever the type claims.
  const usualStepMs = usualStep(name, trips as readonly TripOf<typeof name>[]);
  const rows = trips.flatMap((trip): Row[] => {
    const parts = takeApart(series, trip);
    const facts = factsOf(name, trip, usualStepMs);
    return shape === 'trips' ? [tripRow(parts, facts)] : sampleRows(parts, facts);
  });
  // Unit, range or values of each signal. Values outside are kept as sent and counted in `out_of_range`.
  const signals = Object.fromEntries(series.signals);
  const content = parquetFile(shape === 'trips' ? tripColumns(series) : sampleColumns(series), rows, codec, {
    'vehicle-data': JSON.stringify({
      ...identity,
      series: name,
      contract: contractDigest,
      sampleTimes,
      signals,
      usualStepMs,
    }),
    'vehicle-data.time': timeStatement,
  });
  return { content, rows: rows.length };
}

const timeStatement =
  'The API gives no times of samples. Signals that assumed_even names are assumed to be evenly spaced over the trip; a time may be off by up to one step (trip_length_ms / n). Other signals have an index only.';

/** The columns that rows of both shapes begin with. */
function headOf({ start, lengthMs }: TripParts): Row {
  return {
    trip_start: start === null ? null : micros(start),
    trip_length_ms: lengthMs === null ? null : BigInt(lengthMs),
  };
}

function tripRow(parts: TripParts, { outOfRange, missing, assumedEven }: TripFacts): Row {
  const { samples, rest } = parts;
  return { ...samples, ...headOf(parts), out_of_range: outOfRange, missing, assumed_even: assumedEven, rest };
}

/** Only signals with the same number of samples share rows; nothing is stretched. */
function sampleRows(parts: TripParts, { assumedEven }: TripFacts): Row[] {
  const { start, lengthMs, samples } = parts;
  const head = headOf(parts);
  const signals = Object.entries(samples);
  const lengths = [...new Set(signals.map(([, { length }]) => length))].sort((one, other) => other - one);
  return lengths.flatMap((n) => {
    const sharing = signals.filter(([, { length }]) => length === n);
    const isEven = start !== null && lengthMs !== null && sharing.every(([path]) => assumedEven.includes(path));
    return Array.from({ length: n }, (_, i): Row => {
      const row: Record<string, unknown> = {
        ...head,
        n,
        i,
        t_assumed: isEven ? micros(start + Math.floor((i * lengthMs) / n)) : null,
        time_basis: isEven ? 'assumed-even' : 'unknown',
      };
      for (const [path, values] of sharing) row[path] = values[i];
      return row;
    });
  });
}

function micros(time: number): bigint {
  return BigInt(time) * 1000n;
}

/** The trips of a trips file, as the service sent them. */
export async function readTripsFile(series: SeriesContract, content: Uint8Array): Promise<unknown[]> {
  return (await rowsOf(content)).map((row) => putTogether(series, partsOf(row)));
}

function rowsOf(content: Uint8Array): Promise<readonly Row[]> {
  return parquetReadObjects({
    file: new Uint8Array(content).buffer,
    compressors: decompressors,
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
export async function readTripRows(content: Uint8Array): Promise<readonly (TripParts & TripFacts)[]> {
  return (await rowsOf(content)).map((row) => ({
    ...partsOf(row),
    outOfRange: Number(row['out_of_range'] ?? 0),
    missing: Number(row['missing'] ?? 0),
    assumedEven: Array.isArray(row['assumed_even']) ? row['assumed_even'].map(String) : [],
  }));
}

/** Rows and trips of a file by decoding all of it, and the contract that it was written with. */
export async function inspectParquet(shape: ArchiveShape, content: Uint8Array) {
  const file = new Uint8Array(content).buffer;
  const metadata = await parquetMetadataAsync(file);
  const rows: readonly Row[] = await parquetReadObjects({ file, metadata, compressors: decompressors });
  const facts = metadata.key_value_metadata?.find(({ key }) => key === 'vehicle-data')?.value;
  const trips = shape === 'trips' ? rows.length : new Set(rows.map((row) => String(row['trip_start']))).size;
  return { rows: rows.length, trips, contract: memberOf(JSON.parse(facts ?? 'null'), 'contract') };
}
