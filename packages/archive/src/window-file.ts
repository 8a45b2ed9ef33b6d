import { type TripOf, toCsv, toNdjson, usualStep } from '@vehicle-data/client/series';
import type { ArchiveSettings } from './archive-settings.js';
import { readNdjson, readTripsFile } from './format/read-trips.js';
import type { SeriesContract } from './format/series-contract.js';
import { memberOf } from './format/trip-parts.js';
import { decompressors } from './parquet-codec.js';
import { type FileIdentity, inspectParquet, parquetTrips } from './parquet-file.js';
import { vssCsv } from './vss-csv.js';

export type FileStyle = Pick<ArchiveSettings, 'format' | 'shape' | 'codec' | 'names'>;

/** The file of a window. A pure function of its arguments: no clock, no random. */
export async function makeFile(
  { format, shape, codec, names }: FileStyle,
  series: SeriesContract,
  trips: readonly unknown[],
  identity: FileIdentity,
): Promise<{ readonly content: Uint8Array; readonly rows: number }> {
  const ordered = inOrder(series, trips);
  if (format === 'parquet') return parquetTrips(shape, series, ordered, identity, codec);
  if (format === 'ndjson') return { content: await bytesOf(toNdjson(ordered)), rows: ordered.length };
  // Both functions read what is there, whatever the type claims.
  const typed = ordered as readonly TripOf<typeof series.name>[];
  const csv = toCsv(series.name, typed, { usualStepMs: usualStep(series.name, typed) });
  const content = await bytesOf(names === 'vss' ? vssCsv(series.name, csv) : csv);
  return { content, rows: linesOf(content) - 1 };
}

/** Whether files hold the trips as the service sent them. */
export const holdsTripsAsSent = ({ format, shape }: Pick<FileStyle, 'format' | 'shape'>) =>
  format === 'ndjson' || (format === 'parquet' && shape === 'trips');

/** The trips of a file as sent; `undefined` where its format does not hold them. */
export async function readFileTrips(
  style: FileStyle,
  series: SeriesContract,
  content: Uint8Array,
): Promise<unknown[] | undefined> {
  if (!holdsTripsAsSent(style)) return undefined;
  return style.format === 'ndjson' ? readNdjson(content) : readTripsFile(series, content, decompressors);
}

/** Rows and trips of a file, counted by reading all of it, and the contract it names, where its format can name one. */
export async function inspectFile({ format, shape }: FileStyle, content: Uint8Array) {
  if (format === 'parquet') return inspectParquet(shape, content);
  const rows = format === 'ndjson' ? readNdjson(content).length : linesOf(content) - 1;
  // Lines of CSV are samples; how many trips they are of is not worth reading them for.
  return { rows, trips: rows, contract: undefined };
}

/** Trips by start, those that are equal once: the order in which the service sent them does not change a file. */
function inOrder({ startTime }: SeriesContract, trips: readonly unknown[]): readonly unknown[] {
  const byStart = new Map<string, unknown[]>();
  for (const trip of trips) {
    const start = memberOf(trip, startTime) ?? '';
    const key = typeof start === 'object' ? JSON.stringify(start) : `${start}`;
    const same = byStart.get(key);
    if (same) same.push(trip);
    else byStart.set(key, [trip]);
  }
  return sorted(byStart).flatMap((same) =>
    same.length === 1 ? same : sorted(new Map(same.map((trip) => [JSON.stringify(trip), trip]))),
  );
}

function sorted<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

function linesOf(content: Uint8Array): number {
  let lines = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** The texts as bytes. Twice as fast as `buffer` of `node:stream/consumers`. */
async function bytesOf(texts: AsyncIterable<string>): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const text of texts) pieces.push(Buffer.from(text));
  return Buffer.concat(pieces);
}
