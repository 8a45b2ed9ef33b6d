import { columnsOf, type SampleCounts, type TimeBasis, type TripColumns } from './columns.js';
import type { EnumerationPath, NumberPath, SeriesName, ValueOf } from './signals.js';

/** What every signal's summary says. Shares are from 0 to 1, of all samples. */
interface SignalSummaryBase extends SampleCounts {
  readonly timeBasis: TimeBasis;
  /** Share of samples without a value: missing, a sentinel or out of range. */
  readonly missingShare: number;
  readonly outOfRangeShare: number;
}

/** Summary of a signal in numbers. All three are `null` where no sample has a value. */
export interface NumberSummary extends SignalSummaryBase {
  readonly unit: string;
  readonly min: number | null;
  /** Mean of the samples, whatever time lies between them. */
  readonly mean: number | null;
  readonly max: number | null;
}

/** Summary of a signal with a fixed set of values. */
export interface EnumerationSummary<Value extends string = string> extends SignalSummaryBase {
  /** How many samples have each value. */
  readonly values: { readonly [One in Value]?: number };
}

/** Summary of a trip. */
export interface TripSummary<Name extends SeriesName> {
  readonly startTime: number | null;
  readonly durationMs: number | null;
  /**
   * Last reading of the odometer minus the first, both with a value. `null` where there are fewer than two, or where a
   * reading is below the one before it, since then one of them is wrong.
   */
  readonly distance: { readonly value: number; readonly unit: string } | null;
  readonly signals: { readonly [Path in NumberPath<Name>]?: NumberSummary } & {
    readonly [Path in EnumerationPath<Name>]?: EnumerationSummary<Extract<ValueOf<Name, Path>, string>>;
  };
}

/** Distance, length, and minimum, mean, maximum and share of missing samples of each signal of a trip. */
export function summary<Name extends SeriesName>(trip: TripColumns<Name>): TripSummary<Name> {
  const signals: Record<string, NumberSummary | EnumerationSummary> = {};
  let distance: TripSummary<Name>['distance'] = null;
  for (const [path, column] of columnsOf(trip)) {
    const { counts } = column;
    const missing = counts.missing + counts.sentinels + counts.outOfRange;
    const base = {
      ...counts,
      timeBasis: column.timeBasis,
      missingShare: missing / (counts.samples || 1),
      outOfRangeShare: counts.outOfRange / (counts.samples || 1),
    };
    if (column.kind === 'number') {
      const n = counts.samples - missing;
      const { min, max, sum, isRising } = totalsOf(column.values);
      signals[path] = {
        ...base,
        unit: column.unit,
        ...(n ? { min, mean: sum / n, max } : { min: null, mean: null, max: null }),
      };
      if (path === ('odometer.value' satisfies NumberPath<'driving'>) && n > 1 && isRising)
        distance = { value: max - min, unit: column.unit };
    } else {
      signals[path] = { ...base, values: countsOf(column.values) };
    }
  }
  // Each summary was made of the column of its own path.
  return {
    startTime: trip.startTime,
    durationMs: trip.durationMs,
    distance,
    signals: signals as TripSummary<Name>['signals'],
  };
}

/**
 * By index: a long trip has a million values, and an iterator takes three times as long. A function of its own is compiled once for
 * all signals.
 */
function totalsOf(values: Float64Array) {
  let [min, max, sum, isRising] = [Infinity, -Infinity, 0, true];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    // No comparison with NaN holds.
    if (value < max) isRising = false;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value || 0;
  }
  return { min, max, sum, isRising };
}

/** How often each value occurs. Most samples have the value of the one before them. */
function countsOf(samples: readonly (string | null)[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  let from = 0;
  for (let index = 0; index < samples.length; index += 1) {
    const value = samples[index] ?? null;
    if (index + 1 < samples.length && samples[index + 1] === value) continue;
    if (value !== null) counts[value] = index + 1 - from + (counts[value] ?? 0);
    from = index + 1;
  }
  return counts;
}
