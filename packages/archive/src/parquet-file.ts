import { type TripOf, usualStep } from '@vehicle-data/client/series';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { ArchiveShape } from './archive-settings.js';
import { sampleColumns, tripColumns } from './columns.js';
import { contractDigest } from './contract.js';
import type { SeriesContract } from './format/series-contract.js';
import { factsOf, memberOf, type TripParts, takeApart } from './format/trip-parts.js';
import { decompressors, type ParquetCodec } from './parquet-codec.js';
import { parquetFile } from './parquet-columns.js';
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

/** Rows and trips of a file by decoding all of it, and the contract that it was written with. */
export async function inspectParquet(shape: ArchiveShape, content: Uint8Array) {
  const file = new Uint8Array(content).buffer;
  const metadata = await parquetMetadataAsync(file);
  const rows: readonly Row[] = await parquetReadObjects({ file, metadata, compressors: decompressors });
  const facts = metadata.key_value_metadata?.find(({ key }) => key === 'vehicle-data')?.value;
  const trips = shape === 'trips' ? rows.length : new Set(rows.map((row) => String(row['trip_start']))).size;
  return { rows: rows.length, trips, contract: memberOf(JSON.parse(facts ?? 'null'), 'contract') };
}
