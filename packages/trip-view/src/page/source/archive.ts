import { signalsOf } from '@vehicle-data/client/series';
import { decompress } from 'fzstd';
import { asyncBufferFromUrl, cachedAsyncBuffer, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { addDays } from '#kit/calendar.js';
import { contractFacts } from '../../generated/contract-facts.js';
import type { ArchiveFile, ArchiveFiles } from '../../page-html.js';
import { type Dated, lastTime } from '../../trip/calendar.js';
import { memberAt } from '../../trip/read.js';
import type { TripRecord } from '../../trip/trip.js';
import { SourceError, type TripSource } from './source.js';

/** Greatest size of a decompressed page: a damaged file cannot ask for all memory. */
const largestPage = 256_000_000;
/** Files whose ends are read at once. */
const readersAtOnce = 8;

const compressors = {
  ZSTD(page: Uint8Array, length: number): Uint8Array {
    if (length > largestPage) throw new Error('a page is too large');
    return decompress(page, new Uint8Array(length));
  },
};
const parsers = { timestampFromMicroseconds: (time: bigint) => Number(time / 1000n) };

type Row = Readonly<Record<string, unknown>>;
type Series = (typeof contractFacts.series)[number];
type OpenFile = Awaited<ReturnType<typeof open>>;

/** A folder of Parquet files, read by ranges: first the end of each file, then start and length of trips, then one window. */
export function archiveSource(base: string, { files: list, leftOut = 0, names = {} }: ArchiveFiles): TripSource {
  const problems: string[] = [];
  let files: readonly OpenFile[] = [];
  const nameOf = (pseudonym: string) => names[pseudonym] ?? shortName(pseudonym);
  const records = new Map<OpenFile, Promise<readonly TripRecord[]>>();

  /** Runs a step for one file; a failure becomes a sentence about it. */
  async function attempt<Result>(name: string, step: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await step();
    } catch (error) {
      const damaged = `${name} could not be read: it is damaged or it is not a Parquet file.`;
      const problem = error instanceof SourceError ? error.message : damaged;
      if (!problems.includes(problem)) problems.push(problem);
      return undefined;
    }
  }

  async function recordsOf(file: OpenFile): Promise<readonly TripRecord[]> {
    const { name, series, provisional, usualStepMs } = file;
    const facts = { vehicle: nameOf(file.vehicle), series: series.name, provisional, usualStepMs };
    const read = async () => (await file.rows()).map((row) => ({ ...facts, trip: tripOf(row, series) }));
    return (await attempt(name, read)) ?? [];
  }

  return {
    brands: [],
    now: Date.now,
    async vehicles() {
      problems.length = 0;
      const [left, all] = [leftOut, leftOut + list.length].map((count) => count.toLocaleString('en'));
      const others = `${left} of the ${all} Parquet files in this folder. Open a folder inside it to see the others.`;
      if (leftOut > 0) problems.push(`This page leaves out ${others}`);
      const none = 'This folder has no Parquet files. Export trips into it first: vds export --format parquet.';
      if (list.length === 0) throw new SourceError(none);
      const opened: (OpenFile | undefined)[] = [];
      const queue = list.entries();
      const worker = async () => {
        for (const [number, file] of queue)
          opened[number] = await attempt(file.name, () => open(file, `${base}/files/${file.id}`));
      };
      await Promise.all(Array.from({ length: readersAtOnce }, worker));
      files = opened.filter((file) => file !== undefined);
      const brands = new Map(files.map(({ vehicle, brand }) => [vehicle, brand]));
      const vehicles = [...brands].map(([key, detail]) => ({ key, name: nameOf(key), detail }));
      return { vehicles, problems: [...problems] };
    },
    async index(vehicle) {
      const dated = new Map<number, Dated>();
      const read = async ({ rows, provisional }: OpenFile) => {
        for (const { trip_start: startTime, trip_length_ms: length } of await rows(['trip_start', 'trip_length_ms'])) {
          if (typeof startTime !== 'number' || startTime > lastTime) continue;
          // Both series of a trip have its start, each in a file of its own.
          const known = dated.get(startTime) ?? { durationMs: 0, provisional };
          const durationMs = Math.max(known.durationMs, Number(length ?? 0));
          dated.set(startTime, { startTime, durationMs, provisional: provisional || known.provisional });
        }
      };
      const own = files.filter((file) => file.vehicle === vehicle.key);
      await Promise.all(own.map((file) => attempt(file.name, () => read(file))));
      return [...dated.values()].sort((one, other) => one.startTime - other.startTime);
    },
    async read(vehicle, day) {
      // Days of a file are those of the zone it was exported with: the neighbors belong to the day as well.
      const [before, after] = [addDays(day, -1), addDays(day, 1)];
      const near = files.filter((file) => file.vehicle === vehicle.key && file.from <= after && file.to >= before);
      for (const file of near) if (!records.has(file)) records.set(file, recordsOf(file));
      const found = await Promise.all(near.map((file) => records.get(file)));
      return { first: day, last: day, records: found.flatMap((some) => some ?? []), problems: [...problems] };
    },
  };
}

/** `fetch`, with a sentence for a server that has ended or fails and for a file that has changed. */
const reach: typeof fetch = async (...request) => {
  const response = await fetch(...request).catch(() => undefined);
  if (response?.status === 404)
    throw new SourceError('The archive has changed since this page was loaded. Reload the page.');
  if (response !== undefined && response.status < 500) return response;
  throw new SourceError('A file could not be fetched. Check that vds trips view still runs, then reload the page.');
};

/** Reads the end of a file: what it holds, and where. `rows` reads its rows, with some columns alone if any are named. */
async function open({ name, bytes, provisional }: ArchiveFile, url: string) {
  const file = cachedAsyncBuffer(await asyncBufferFromUrl({ url, byteLength: bytes, fetch: reach }), { minSize: 0 });
  const metadata = await parquetMetadataAsync(file);
  const found = new Set(metadata.schema.map((element) => element.name));
  if (!found.has('trip_start') || !found.has('trip_length_ms'))
    throw new SourceError(
      `${name} is a Parquet file of something else: it has no columns trip_start and trip_length_ms.`,
    );
  if (found.has('i') && found.has('n'))
    throw new SourceError(`${name} holds single samples. This page reads archives with one row per trip.`);
  const text = metadata.key_value_metadata?.find(({ key }) => key === 'vehicle-data')?.value;
  const facts: unknown = JSON.parse(text ?? 'null');
  const textOf = (key: string) => String(memberAt(facts, key) ?? '');
  const series = contractFacts.series.find((candidate) => candidate.name === memberAt(facts, 'series'));
  const vehicle = textOf('vehicle');
  if (series === undefined || vehicle === '')
    throw new SourceError(`${name} does not say which vehicle and series it holds.`);
  const step = memberAt(facts, 'usualStepMs');
  return {
    name,
    provisional,
    vehicle,
    brand: textOf('brand'),
    series,
    from: textOf('from'),
    to: textOf('to'),
    usualStepMs: typeof step === 'number' ? step : undefined,
    rows: (columns?: string[]): Promise<readonly Row[]> =>
      parquetReadObjects({ file, metadata, compressors, parsers, ...(columns && { columns }) }),
  };
}

/** A pseudonym is long; its beginning tells the vehicles of an archive apart. */
function shortName(pseudonym: string): string {
  return `Vehicle ${pseudonym.slice(0, 8)}`;
}

/** The trip as it was sent, from its row: what the column `rest` holds, then what the other columns hold. */
function tripOf(row: Row, { name, startTime, duration }: Series): unknown {
  const { trip_start: start, trip_length_ms: length, rest } = row;
  const left: unknown = JSON.parse(String(rest ?? '{}'));
  if (typeof left !== 'object' || left === null || Array.isArray(left)) return left;
  let trip: unknown = {
    ...(typeof start === 'number' && { [startTime]: new Date(start).toISOString() }),
    ...(typeof length === 'bigint' && { [duration]: Number(length) }),
    ...left,
  };
  for (const path of Object.keys(signalsOf(name)))
    if (Array.isArray(row[path])) trip = withMember(trip, path.split('.'), row[path]);
  return trip;
}

/** An object, or nothing, with a value at a path, unless it has one there. */
function withMember(object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return object ?? value;
  return { ...(typeof object === 'object' && object), [name]: withMember(memberAt(object, name), rest, value) };
}
