// What quality needs of each trip in a file, without its samples.
import { type SeriesName, type TripOf, usualStep } from '@vehicle-data/client/series';
import type { ArchiveSettings } from '../archive-settings.js';
import { readTripRows } from '../format/read-trips.js';
import type { SeriesContract } from '../format/series-contract.js';
import { factsOf, type Samples, takeApart } from '../format/trip-parts.js';
import { decompressors } from '../parquet-codec.js';
import { readFileTrips } from '../window-file.js';

/** A trip of one series. */
export interface HeldTrip {
  readonly series: string;
  /** yyyy-MM, by the window that holds the trip. */
  readonly month: string;
  /** Milliseconds since 1970 UTC. */
  readonly start: number | null;
  readonly lengthMs: number | null;
  readonly outOfRange: number;
  readonly missing: number;
  /** Signals that were sent, and those of them whose times the data support. */
  readonly sent: number;
  readonly timed: number;
  /** Samples of the longest signal. */
  readonly samples: number;
  /** First and last reading of the odometer inside its range, in km. */
  readonly odometer: readonly [number, number] | undefined;
  /** Members that no column holds. */
  readonly members: readonly string[];
}

/** The trips of a file; `undefined` where its format does not hold them. */
export async function readHeldTrips(
  settings: ArchiveSettings,
  contract: SeriesContract,
  month: string,
  content: Uint8Array,
): Promise<readonly HeldTrip[] | undefined> {
  if (settings.format === 'parquet' && settings.shape === 'trips')
    return (await readTripRows(content, decompressors)).map((row) => heldTrip(contract, month, row));
  const trips = await readFileTrips(settings, contract, content);
  // `usualStep` reads what is there, whatever the type claims.
  const usualStepMs = trips && usualStep(contract.name, trips as readonly TripOf<SeriesName>[]);
  return trips?.map((trip) =>
    heldTrip(contract, month, { ...takeApart(contract, trip), ...factsOf(contract.name, trip, usualStepMs ?? null) }),
  );
}

type TripRow = Awaited<ReturnType<typeof readTripRows>>[number];

function heldTrip({ name, signals, startTime, duration }: SeriesContract, month: string, row: TripRow): HeldTrip {
  const { start, lengthMs, outOfRange, missing, assumedEven } = row;
  const lists = signals.flatMap(([path]) => (row.samples[path] ? [row.samples[path]] : []));
  const rest: unknown = JSON.parse(row.rest ?? '{}');
  const names = typeof rest === 'object' && rest !== null ? Object.keys(rest) : [];
  return {
    series: name,
    month,
    start,
    lengthMs,
    outOfRange,
    missing,
    sent: lists.length,
    timed: assumedEven.length,
    samples: lists.reduce((most, { length }) => Math.max(most, length), 0),
    odometer: odometerOf(signals, row.samples),
    // A start in another notation is no other member.
    members: names.filter((member) => member !== startTime && member !== duration),
  };
}

function odometerOf(signals: SeriesContract['signals'], samples: Readonly<Record<string, Samples>>) {
  const [, rule] = signals.find(([path]) => path === 'odometer.value') ?? [];
  const readings = samples['odometer.value'];
  if (rule?.kind !== 'number' || !readings) return undefined;
  const isReading = (sample: unknown): sample is number =>
    typeof sample === 'number' && sample >= (rule.minimum ?? sample) && sample <= (rule.maximum ?? sample);
  const [first, last] = [readings.find(isReading), readings.findLast(isReading)];
  return first === undefined || last === undefined ? undefined : ([first, last] as const);
}
