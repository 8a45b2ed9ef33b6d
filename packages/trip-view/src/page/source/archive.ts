import { signalsOf } from '@vehicle-data/client/series';
import { decompress } from 'fzstd';
import {
  type AsyncBuffer,
  asyncBufferFromUrl,
  cachedAsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet';
import type { ArchiveFile } from '../../archive-file.js';
import { contractFacts } from '../../generated/contract-facts.js';
import { addDays, type Dated } from '../../trip/calendar.js';
import type { TripRecord } from '../../trip/trip.js';
import { isRecord, memberAt } from '../member.js';
import { SourceError, type TripSource, type VehicleEntry } from './source.js';

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

interface OpenFile {
  readonly name: string;
  readonly provisional: boolean;
  readonly vehicle: string;
  readonly brand: string;
  readonly series: (typeof contractFacts.series)[number];
  readonly from: string;
  readonly to: string;
  readonly usualStepMs: number | undefined;
  readonly buffer: AsyncBuffer;
  readonly metadata: FileMetaData;
}

/** A folder of Parquet files, read by ranges: first the end of each file, then start and length of trips, then one window. */
export function archiveSource(base: string): TripSource {
  const problems: string[] = [];
  let files: readonly OpenFile[] = [];
  const records = new Map<OpenFile, Promise<readonly TripRecord[]>>();

  /** Runs a step for one file; a failure becomes a sentence about it. */
  async function attempt<Result>(name: string, step: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await step();
    } catch (error) {
      problems.push(
        error instanceof SourceError
          ? error.message
          : `${name} could not be read: it is damaged or it is not a Parquet file.`,
      );
      return undefined;
    }
  }

  async function open({ name, bytes, provisional }: ArchiveFile, number: number): Promise<OpenFile> {
    const url = `${base}/files/${number}`;
    const buffer = cachedAsyncBuffer(await asyncBufferFromUrl({ url, byteLength: bytes }), { minSize: 0 });
    const metadata = await parquetMetadataAsync(buffer);
    const columns = new Set(metadata.schema.map((element) => element.name));
    if (!columns.has('trip_start') || !columns.has('trip_length_ms'))
      throw new SourceError(
        `${name} is a Parquet file of something else: it has no columns trip_start and trip_length_ms.`,
      );
    if (columns.has('i') && columns.has('n'))
      throw new SourceError(`${name} holds single samples. This page reads archives with one row per trip.`);
    const text = metadata.key_value_metadata?.find(({ key }) => key === 'vehicle-data')?.value;
    const facts: unknown = text === undefined ? undefined : JSON.parse(text);
    const series = contractFacts.series.find((candidate) => candidate.name === memberAt(facts, 'series'));
    const [vehicle, brand, from, to] = ['vehicle', 'brand', 'from', 'to'].map((key) => memberAt(facts, key));
    if (series === undefined || typeof vehicle !== 'string')
      throw new SourceError(`${name} does not say which vehicle and series it holds.`);
    const step = memberAt(facts, 'usualStepMs');
    return {
      name,
      provisional,
      vehicle,
      brand: typeof brand === 'string' ? brand : '',
      series,
      from: typeof from === 'string' ? from : '',
      to: typeof to === 'string' ? to : '',
      usualStepMs: typeof step === 'number' ? step : undefined,
      buffer,
      metadata,
    };
  }

  function recordsOf(file: OpenFile): Promise<readonly TripRecord[]> {
    const known = records.get(file);
    if (known) return known;
    const { buffer, metadata, series, vehicle, provisional, usualStepMs } = file;
    const reading = attempt(file.name, async () => {
      const rows = await parquetReadObjects({ file: buffer, metadata, compressors, parsers });
      return rows.map(
        (row): TripRecord => ({
          vehicle: nameOf(vehicle),
          series: series.name,
          trip: tripOf(row, series),
          provisional,
          usualStepMs,
        }),
      );
    }).then((found) => found ?? []);
    records.set(file, reading);
    return reading;
  }

  return {
    brands: [],
    now: Date.now(),
    async vehicles() {
      problems.length = 0;
      const list = await listOf(base);
      if (list.length === 0)
        throw new SourceError(
          'This folder has no Parquet files. Export trips into it first: vds export --format parquet.',
        );
      const opened: (OpenFile | undefined)[] = [];
      const queue = [...list.entries()];
      const worker = async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          const [number, file] = next;
          opened[number] = await attempt(file.name, () => open(file, number));
        }
      };
      await Promise.all(Array.from({ length: readersAtOnce }, worker));
      files = opened.filter((file) => file !== undefined);
      const names = [...new Set(files.map(({ vehicle }) => vehicle))];
      const vehicles = names.map(
        (key): VehicleEntry => ({
          key,
          name: nameOf(key),
          detail: files.find(({ vehicle }) => vehicle === key)?.brand ?? '',
        }),
      );
      return { vehicles, problems: [...problems] };
    },
    async index(vehicle) {
      const dated = new Map<number, Dated>();
      await Promise.all(
        files
          .filter((file) => file.vehicle === vehicle.key)
          .map((file) =>
            attempt(file.name, async () => {
              const { buffer, metadata, provisional } = file;
              const columns = ['trip_start', 'trip_length_ms'];
              for (const row of await parquetReadObjects({ file: buffer, metadata, columns, compressors, parsers })) {
                const [startTime, length] = [row['trip_start'], row['trip_length_ms']];
                if (typeof startTime !== 'number') continue;
                dated.set(startTime, { startTime, durationMs: Number(length ?? 0), provisional });
              }
            }),
          ),
      );
      return [...dated.values()].sort((one, other) => one.startTime - other.startTime);
    },
    async read(vehicle, _brand, day) {
      // Days of a file are those of the zone it was exported with: the neighbors belong to the day as well.
      const near = files.filter(
        ({ from, to, vehicle: key }) =>
          key === vehicle.key && dashed(from) <= addDays(day, 1) && dashed(to) >= addDays(day, -1),
      );
      const found = await Promise.all(near.map(recordsOf));
      return { first: day, last: day, records: found.flat(), problems: [...problems] };
    },
  };
}

async function listOf(base: string): Promise<readonly ArchiveFile[]> {
  try {
    const response = await fetch(`${base}/files`, { signal: AbortSignal.timeout(30_000) });
    const list: unknown = await response.json();
    if (!Array.isArray(list)) throw new TypeError('not a list');
    return list.filter(isArchiveFile);
  } catch {
    throw new SourceError('The folder could not be listed. Check that vds trips view still runs, then try again.');
  }
}

function isArchiveFile(value: unknown): value is ArchiveFile {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['bytes'] === 'number' &&
    typeof value['provisional'] === 'boolean'
  );
}

/** A pseudonym is long; its beginning tells the vehicles of an archive apart. */
function nameOf(pseudonym: string): string {
  return `Vehicle ${pseudonym.slice(0, 8)}`;
}

/** A day as `yyyy-mm-dd`, however it is written. */
function dashed(day: string): string {
  return day.replace(/^([0-9]{4})([0-9]{2})([0-9]{2})$/, '$1-$2-$3');
}

/** The trip as it was sent, from its row. */
function tripOf(row: Readonly<Record<string, unknown>>, { name, startTime, duration }: OpenFile['series']): unknown {
  const start = row['trip_start'];
  const length = row['trip_length_ms'];
  const trip: Record<string, unknown> = {};
  if (typeof start === 'number') trip[startTime] = new Date(start).toISOString();
  if (typeof length === 'bigint') trip[duration] = Number(length);
  for (const path of Object.keys(signalsOf(name))) {
    const samples = row[path];
    if (!Array.isArray(samples)) continue;
    const names = path.split('.');
    let at = trip;
    for (const group of names.slice(0, -1)) {
      const inner: Record<string, unknown> = { ...(isRecord(at[group]) ? at[group] : {}) };
      at[group] = inner;
      at = inner;
    }
    at[names.at(-1) ?? ''] = samples;
  }
  return trip;
}
