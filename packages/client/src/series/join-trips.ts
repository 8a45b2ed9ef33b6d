import { lengthOf, startOf, type TripOf } from './signals.js';

/** Both sides of one trip; `null` where only the other side has it. */
export interface JoinedTrip {
  /** Start of the trip in milliseconds since 1 January 1970 UTC, `null` where it cannot be read or has no zone. */
  readonly startTime: number | null;
  readonly driving: TripOf<'driving'> | null;
  readonly powertrain: TripOf<'powertrain'> | null;
}

/**
 * Pairs the driving and the powertrain trips of one vehicle by their start time, in order of it. Of several trips with one
 * start time those of equal length belong together. Samples are not aligned: the two sides may have different numbers of them.
 */
export function joinTrips(
  driving: Iterable<TripOf<'driving'>>,
  powertrain: Iterable<TripOf<'powertrain'>>,
): JoinedTrip[] {
  const joined: { -readonly [Name in keyof JoinedTrip]: JoinedTrip[Name] }[] = [];
  const waiting = new Map<number | null, typeof joined>();
  for (const trip of driving) {
    const startTime = startOf('driving', trip);
    const one = { startTime, driving: trip, powertrain: null };
    joined.push(one);
    if (startTime !== null) waiting.set(startTime, [...(waiting.get(startTime) ?? []), one]);
  }
  let left = [...powertrain];
  // Equal lengths find each other before what is left is paired.
  for (const isAnyLength of [false, true]) {
    left = left.filter((trip) => {
      const length = lengthOf('powertrain', trip);
      const one = waiting
        .get(startOf('powertrain', trip))
        ?.find((other) => !other.powertrain && (isAnyLength || lengthOf('driving', other.driving) === length));
      if (one) one.powertrain = trip;
      return !one;
    });
  }
  for (const trip of left) joined.push({ startTime: startOf('powertrain', trip), driving: null, powertrain: trip });
  return joined.sort((one, other) => (one.startTime ?? 0) - (other.startTime ?? 0));
}
