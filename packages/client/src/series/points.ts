import { columnOf, type TripColumns } from './columns.js';
import { type NumberPath, orNull, type SeriesName, type SignalPath, type ValueOf } from './signals.js';

/** The value of a signal in rows and points. */
export type SampleOf<Name extends SeriesName, Path extends SignalPath<Name>> =
  Path extends NumberPath<Name> ? number : ValueOf<Name, Path>;

/** One sample of a signal. */
export interface Point<Value> {
  readonly index: number;
  /** Milliseconds since 1 January 1970 UTC, `null` where the column's `timeBasis` is `unknown`. */
  readonly time: number | null;
  /** `null` where there is no value. */
  readonly value: Value | null;
}

/** A run of samples without a value. */
export interface Gap {
  /** Index of its first sample. */
  readonly from: number;
  /** Index after its last sample. */
  readonly to: number;
  /** Times of both in milliseconds since 1970 UTC, `null` where the column's `timeBasis` is `unknown`. */
  readonly startTime: number | null;
  readonly endTime: number | null;
}

/** The time of a sample, or of a position between two, `null` where it is not known. */
export function timeAt(trip: TripTime, stepMs: number | null, position: number): number | null {
  return stepMs && (trip.startTime ?? 0) + position * stepMs;
}

type TripTime = Pick<TripColumns<never>, 'startTime'>;

/**
 * Every sample of one signal with its index and, where the data support it, its assumed time. None where the trip does not
 * have the signal.
 *
 * @throws SeriesError `unknown-signal`.
 */
export function points<Name extends SeriesName, Path extends SignalPath<Name>>(
  trip: TripColumns<Name>,
  path: Path,
): Point<SampleOf<Name, Path>>[] {
  const { values, stepMs } = columnOf(trip, path);
  return Array.from<unknown, Point<SampleOf<Name, Path>>>(values, (value, index) => ({
    index,
    time: timeAt(trip, stepMs, index),
    // The column's values are those of its path.
    value: orNull(value) as SampleOf<Name, Path> | null,
  }));
}

/**
 * The runs of samples of a signal that have no value.
 *
 * @throws SeriesError `unknown-signal`.
 */
export function gaps<Name extends SeriesName>(trip: TripColumns<Name>, path: SignalPath<Name>): Gap[] {
  const { values, stepMs } = columnOf(trip, path);
  const found: Gap[] = [];
  for (let from = 0; from < values.length; from += 1) {
    let to = from;
    while (orNull(values[to]) === null) to += 1;
    if (to > from) {
      found.push({ from, to, startTime: timeAt(trip, stepMs, from), endTime: timeAt(trip, stepMs, to) });
    }
    from = to;
  }
  return found;
}
