import {
  lengthOf,
  memberAt,
  type NumberPath,
  ownMember,
  type SeriesName,
  type SignalPath,
  type SignalRule,
  signalsOf,
  startOf,
  type TripOf,
  type ValueOf,
} from './signals.js';

/** How many samples of a signal are no values, and why. */
export interface SampleCounts {
  readonly samples: number;
  /** Outside the range, or none of the values, that the contract states. */
  readonly outOfRange: number;
  /** Values that stand for "no value": the text `invalid`. */
  readonly sentinels: number;
  /** `null`, or of another type than the signal. A value in place of the list counts as one sample. */
  readonly missing: number;
}

/** What every column says about the times of its samples. */
interface ColumnTime {
  readonly timeBasis: TimeBasis;
  /** Milliseconds from one sample to the next, `null` where `timeBasis` is `unknown`. A time may be off by up to one step. */
  readonly stepMs: number | null;
}

/** The samples of a signal that is measured in numbers. */
export interface NumberColumn extends ColumnTime {
  readonly kind: 'number';
  readonly unit: string;
  /** One number a sample; `NaN` where there is no value, which rows and points show as `null`. */
  readonly values: Float64Array;
  readonly counts: SampleCounts;
}

/** The samples of a signal with a fixed set of values. */
export interface EnumerationColumn<Value extends string = string> extends ColumnTime {
  readonly kind: 'enumeration';
  /** One value a sample, `null` where there is none. */
  readonly values: readonly (Value | null)[];
  readonly counts: SampleCounts;
}

/** The columns of a trip: those that the trip has, by dotted path. */
export type ColumnsOf<Name extends SeriesName> = {
  readonly [Path in SignalPath<Name>]?: Path extends NumberPath<Name>
    ? NumberColumn
    : EnumerationColumn<Extract<ValueOf<Name, Path>, string>>;
};

/** A trip with its signals as columns. */
export interface TripColumns<Name extends SeriesName> {
  readonly series: Name;
  /** Start of the trip in milliseconds since 1 January 1970 UTC, `null` where it cannot be read or has no zone. */
  readonly startTime: number | null;
  /** Length of the trip in milliseconds, `null` where it is no number of at least 0. */
  readonly durationMs: number | null;
  readonly columns: ColumnsOf<Name>;
  /** Number of samples of the longest column. Others may be shorter. */
  readonly length: number;
}

/** Options of reading a trip. */
export interface ColumnOptions {
  /** The vehicle's usual step, from `usualStep`. Without it no time is supported and `timeBasis` is `unknown`. */
  readonly usualStepMs?: number | null | undefined;
  /**
   * Places the samples of every signal evenly over the trip, whatever the data support. Their `timeBasis` is `assumed-even`
   * as well: note that you asked for it. Default false.
   */
  readonly assumeEven?: boolean | undefined;
}

/**
 * Reads the signals of a trip into columns: typed arrays for numbers, with units from the contract. A sample that is
 * outside the stated range or stands for "no value" becomes `NaN` or `null`, and is counted. Nothing is interpolated.
 *
 * @throws SeriesError `unknown-series`.
 */
export function toColumns<Name extends SeriesName>(
  series: Name,
  trip: TripOf<Name>,
  { usualStepMs, assumeEven }: ColumnOptions = {},
): TripColumns<Name> {
  const lengths = numberLengths(series, trip);
  const startTime = startOf(series, trip);
  const durationMs = lengthOf(series, trip);
  const columns: Record<string, Column> = {};
  let length = 0;
  for (const [path, rule] of Object.entries<SignalRule>(signalsOf(series))) {
    const found = memberAt(trip, path);
    if (found === undefined || found === null) continue;
    const samples = Array.isArray(found) ? found : [null];
    const n = samples.length;
    const step = (durationMs ?? 0) / n;
    // The step is within 2 % of the usual one. Another numeric signal has as many samples, or there is no other.
    const isShared = share(lengths, n) > Number(rule.kind === 'number' && lengths.length > 1);
    const isSupported = isShared && Math.abs(step / (usualStepMs ?? 0) - 1) <= 0.02;
    const isTimed = startTime !== null && n && (assumeEven || isSupported);
    const stepMs = (isTimed && step) || null;
    columns[path] = { ...readSamples(rule, samples), timeBasis: basisOf(stepMs), stepMs };
    length = Math.max(length, n);
  }
  // Each column was made by the rule of its own path.
  return { series, startTime, durationMs, columns, length } as unknown as TripColumns<Name>;
}

/** A column of either kind. */
export type Column = NumberColumn | EnumerationColumn;

/**
 * The samples and the step of a signal; none where the trip does not have it.
 *
 * @throws SeriesError `unknown-signal`.
 */
export function columnOf<Name extends SeriesName>(
  trip: TripColumns<Name>,
  path: SignalPath<Name>,
): Pick<Column, 'values' | 'stepMs'> {
  ownMember('signal', signalsOf(trip.series), path);
  const columns: Readonly<Record<string, Column | undefined>> = trip.columns;
  return columns[path] ?? { values: [], stepMs: null };
}

/** The columns that a trip has, with their paths. */
export function columnsOf(trip: { readonly columns: Readonly<Record<never, never>> }): [string, Column][] {
  return Object.entries<Column>(trip.columns);
}

function readSamples(rule: SignalRule, samples: readonly unknown[]) {
  const counts = { samples: samples.length, outOfRange: 0, sentinels: 0, missing: 0 };
  if (rule.kind === 'number') {
    const values = new Float64Array(samples.length).fill(Number.NaN);
    // Counted loops read a week of samples several times as fast as callbacks.
    for (let index = 0; index < values.length; index += 1) {
      const sample = samples[index];
      if (typeof sample !== 'number' || Number.isNaN(sample)) counts.missing += 1;
      else if (sample < (rule.minimum ?? sample) || sample > (rule.maximum ?? sample)) counts.outOfRange += 1;
      else values[index] = sample;
    }
    return { kind: rule.kind, unit: rule.unit, values, counts };
  }
  const values = samples.map((sample) => {
    if (typeof sample !== 'string') counts.missing += 1;
    // The one text that the contract's enumerations use for "no value".
    else if (sample === 'invalid') counts.sentinels += 1;
    else if (!rule.values.includes(sample)) counts.outOfRange += 1;
    else return sample;
    return null;
  });
  return { kind: rule.kind, values, counts };
}

/**
 * Where the times of samples come from. The contract has arrays without timestamps and without a rate.
 *
 * - `assumed-even`: this implementation places the samples evenly over the trip: the data support it, or you ask for it by
 *   `assumeEven`.
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
function numberLengths(series: SeriesName, trip: unknown): number[] {
  return Object.entries<SignalRule>(signalsOf(series)).flatMap(([path, rule]) => {
    const samples = memberAt(trip, path);
    return (rule.kind === 'number' && Array.isArray(samples) && samples.length) || [];
  });
}

/** How many signals have this number of samples. */
function share(lengths: readonly number[], n: number): number {
  return lengths.filter((length) => length === n).length;
}
