import { lengthOf, memberAt } from './read-trip.js';
import { type SeriesName, type SignalRule, signalsOf, type TripOf } from './signal-rules.js';

/**
 * Where the times of samples come from. The contract has arrays without timestamps and without a rate.
 *
 * - `assumed-even`: this implementation places the samples evenly over the trip, and the data support it.
 * - `unknown`: nothing supports a time; samples have an index only.
 * - `given`: the service states the times. Reserved, no series does so today.
 */
export type TimeBasis = 'assumed-even' | 'unknown' | 'given';

/** The basis of samples with this step. */
export function basisOf(stepMs: number | null): TimeBasis {
  return stepMs ? 'assumed-even' : 'unknown';
}

/**
 * The usual step of a vehicle in milliseconds: the median over its trips of trip length divided by number of samples.
 * Pass it to `toColumns` as `usualStepMs`. `null` with fewer than three trips that have numeric signals.
 */
export function usualStep<Name extends SeriesName>(series: Name, trips: Iterable<TripOf<Name>>): number | null {
  const steps: number[] = [];
  for (const trip of trips) {
    const lengths = numberLengths(series, trip);
    // The length that most signals share; the longer one of two.
    const [n = Infinity] = lengths.sort((one, other) => share(lengths, other) - share(lengths, one) || other - one);
    const step = (lengthOf(series, trip) ?? 0) / n;
    if (step > 0) steps.push(step);
  }
  steps.sort((one, other) => one - other);
  // A median of fewer trips says little about a vehicle.
  return (steps.length >= 3 && steps[steps.length >> 1]) || null;
}

/** How many samples each numeric signal of a trip has; signals without samples are left out. */
export function numberLengths(series: SeriesName, trip: unknown): number[] {
  return Object.entries<SignalRule>(signalsOf(series)).flatMap(([path, rule]) => {
    const samples = memberAt(trip, path);
    return (rule.kind === 'number' && Array.isArray(samples) && samples.length) || [];
  });
}

/** How many signals have this number of samples. */
export function share(lengths: readonly number[], n: number): number {
  return lengths.filter((length) => length === n).length;
}
