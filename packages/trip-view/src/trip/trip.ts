import {
  joinTrips,
  type SeriesName,
  seriesTable,
  summary,
  type TripColumns,
  type TripOf,
  type TripSummary,
  toColumns,
  usualStep,
} from '@vehicle-data/client/series';
import { type Dated, lastTime } from './calendar.js';
import { groupBy, memberAt } from './read.js';
import { readSignals, type Signal } from './signals.js';

/** One trip of one series, as the API returned it, with what its holder knows about it. */
export interface TripRecord {
  /** How the vehicle is called on the page: an alias, a nickname or a pseudonym. */
  readonly vehicle: string;
  /** The series that the trip belongs to. */
  readonly series: SeriesName;
  /** The trip as sent. It is read tolerantly: absent and wrong members are shown as such. */
  readonly trip: unknown;
  /** Whether the trip may still change, because its window was fetched too early. */
  readonly provisional?: boolean | undefined;
  /** The usual step of the vehicle in milliseconds, where the holder knows more trips than it passes here. */
  readonly usualStepMs?: number | undefined;
}

/** A trip of a vehicle: the signals of every series that share its start. */
export interface Trip extends Dated {
  readonly vehicle: string;
  /** What the odometer shows between its first and its last reading; `null` where that cannot be trusted. */
  readonly distance: TripSummary<'driving'>['distance'];
  readonly series: readonly SeriesName[];
  readonly signals: readonly Signal[];
  /** Its columns, by series. */
  readonly sides: {
    readonly driving: TripColumns<'driving'> | null;
    readonly powertrain: TripColumns<'powertrain'> | null;
  };
  /** How often the trip was sent: 1, unless a series has it more than once. */
  readonly copies: number;
  /** Whether it starts before the trip before it ends. */
  readonly overlaps: boolean;
}

/** Trips that could be read, and a sentence on those that could not. */
export interface ReadTrips {
  readonly trips: readonly Trip[];
  readonly problems: readonly string[];
}

/**
 * Reads trips of any number of vehicles, each once, and joins both series of a trip. Start and length identify a trip of a
 * series. Samples are placed in time only where the trips of the vehicle support it.
 */
export function readTrips(records: readonly TripRecord[]): ReadTrips {
  const trips: { -readonly [Member in keyof Trip]: Trip[Member] }[] = [];
  let unreadable = records.filter(({ series }) => series !== 'driving' && series !== 'powertrain').length;
  for (const [vehicle, own] of groupBy(records, (record) => String(record.vehicle))) {
    const copies = new Map<unknown, number>();
    const driving = tripsOf(own, 'driving', copies);
    const powertrain = tripsOf(own, 'powertrain', copies);
    const known = (name: SeriesName) => own.find((record) => record.series === name && record.usualStepMs)?.usualStepMs;
    const steps = {
      driving: usualStep('driving', driving) ?? known('driving') ?? null,
      powertrain: usualStep('powertrain', powertrain) ?? known('powertrain') ?? null,
    };
    const provisional = new Set<unknown>(own.filter((record) => record.provisional === true).map(({ trip }) => trip));
    for (const { startTime, ...pair } of joinTrips(driving, powertrain)) {
      if (startTime === null || startTime > lastTime) {
        unreadable += 1;
        continue;
      }
      const sides = {
        driving: pair.driving && toColumns('driving', pair.driving, { usualStepMs: steps.driving }),
        powertrain: pair.powertrain && toColumns('powertrain', pair.powertrain, { usualStepMs: steps.powertrain }),
      };
      const read = [
        sides.powertrain && pair.powertrain && readTrip(sides.powertrain, pair.powertrain),
        sides.driving && pair.driving && readTrip(sides.driving, pair.driving),
      ].filter((side) => side !== null);
      trips.push({
        vehicle,
        startTime,
        durationMs: Math.max(...read.map(({ durationMs }) => durationMs)),
        provisional: [pair.driving, pair.powertrain].some((trip) => provisional.has(trip)),
        distance: read.map(({ distance }) => distance).find((distance) => distance !== null) ?? null,
        series: read.map(({ series }) => series),
        signals: read.flatMap(({ signals }) => signals),
        sides,
        copies: Math.max(1, ...[pair.driving, pair.powertrain].map((trip) => copies.get(trip) ?? 1)),
        overlaps: false,
      });
    }
  }
  trips.sort((one, other) => one.startTime - other.startTime || one.durationMs - other.durationMs);
  const ends = new Map<string, number>();
  for (const trip of trips) {
    const end = ends.get(trip.vehicle) ?? Number.NEGATIVE_INFINITY;
    trip.overlaps = trip.startTime < end;
    ends.set(trip.vehicle, Math.max(end, trip.startTime + trip.durationMs));
  }
  const problem = `${unreadable} of ${records.length} trips have no readable start time and are not shown.`;
  return { trips, problems: unreadable === 0 ? [] : [problem] };
}

/** Reads a trip of one series. */
function readTrip<Name extends SeriesName>(columns: TripColumns<Name>, trip: TripOf<Name>) {
  const { series, durationMs } = columns;
  return { series, durationMs: durationMs ?? 0, distance: distanceOf(columns), signals: readSignals(columns, trip) };
}

/** The distance of a trip. Only the odometer is summed up: other signals are read when they are shown. */
function distanceOf<Name extends SeriesName>(read: TripColumns<Name>): Trip['distance'] {
  const { 'odometer.value': odometer }: TripColumns<'driving'>['columns'] = read.columns;
  return odometer
    ? summary<'driving'>({ ...read, series: 'driving', columns: { 'odometer.value': odometer } }).distance
    : null;
}

/** The trips of one series, each once. The kit reads every member tolerantly, so that a trip may be anything. */
function tripsOf<Name extends SeriesName>(
  records: readonly TripRecord[],
  name: Name,
  copies: Map<unknown, number>,
): TripOf<Name>[] {
  const { startTime, duration } = seriesTable[name];
  const trips = new Map<unknown, unknown>();
  for (const { series, trip } of records) {
    if (series !== name) continue;
    const [start, length] = [memberAt(trip, startTime), memberAt(trip, duration)];
    const key = typeof start === 'string' && typeof length === 'number' ? `${start}/${length}` : trip;
    const before = trips.get(key);
    trips.set(key, trip);
    // The same trip may come with two windows that overlap; sent twice, it is two objects.
    if (before !== undefined && before !== trip) copies.set(trip, 1 + (copies.get(before) ?? 1));
  }
  return [...trips.values()] as TripOf<Name>[];
}
