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
  /**
   * What is left of the trip's length, in milliseconds, once each sample took the vehicle's usual step: above 0, samples may be
   * missing and nothing says where. `undefined` where no usual step is known.
   */
  readonly unaccountedMs?: number | undefined;
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
  const hasJump = jumpsOf(trip, usualStepMs).length > 0;
  const columns: Record<string, Column> = {};
  let length = 0;
  for (const [path, rule] of Object.entries<SignalRule>(signalsOf(series))) {
    const found = memberAt(trip, path);
    if (found === undefined || found === null) continue;
    const samples = Array.isArray(found) ? found : [null];
    const n = samples.length;
    const step = (durationMs ?? 0) / n;
    const unaccountedMs = usualStepMs && durationMs !== null ? durationMs - n * usualStepMs : undefined;
    // Another numeric signal has as many samples, or there is no other.
    const isShared = share(lengths, n) > Number(rule.kind === 'number' && lengths.length > 1);
    // Samples at the usual step fill the trip: within 2 % of it, and within one sample.
    const isFull = Math.abs(unaccountedMs ?? Infinity) <= Math.min(1 / n, 0.02) * (usualStepMs ?? 0) * n;
    const isSupported = isShared && isFull && !hasJump;
    const isTimed = startTime !== null && n && (assumeEven || isSupported);
    const stepMs = (isTimed && step) || null;
    columns[path] = { ...readSamples(rule, samples), timeBasis: basisOf(stepMs), stepMs, unaccountedMs };
    length = Math.max(length, n);
  }
  // Each column was made by the rule of its own path.
  return { series, startTime, durationMs, columns, length } as TripColumns<Name>;
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
    const values = readNumbers(samples, rule.minimum ?? -Infinity, rule.maximum ?? Infinity, counts);
    return { kind: rule.kind, unit: rule.unit, values, counts };
  }
  return { kind: rule.kind, values: readTexts(samples, rule.values, counts), counts };
}

type Counting = { -readonly [Name in keyof SampleCounts]: SampleCounts[Name] };

// A trip has a million samples. Counted loops read them several times as fast as callbacks, and each is compiled once for all signals.
function readNumbers(samples: readonly unknown[], least: number, most: number, counts: Counting): Float64Array {
  const values = new Float64Array(samples.length);
  for (let index = 0; index < values.length; index += 1) {
    const sample = samples[index];
    let value = Number.NaN;
    if (typeof sample !== 'number' || Number.isNaN(sample)) counts.missing += 1;
    else if (sample < least || sample > most) counts.outOfRange += 1;
    else value = sample;
    values[index] = value;
  }
  return values;
}

function readTexts(samples: readonly unknown[], allowed: readonly string[], counts: Counting): (string | null)[] {
  const values = new Array<string | null>(samples.length);
  let from = 0;
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index];
    // Most samples have the value of the one before them.
    if (samples[index + 1] === sample && index + 1 < samples.length) continue;
    const n = index + 1 - from;
    let value: string | null = null;
    if (typeof sample !== 'string') counts.missing += n;
    // The one text that the contract's enumerations use for "no value".
    else if (sample === 'invalid') counts.sentinels += n;
    else if (!allowed.includes(sample)) counts.outOfRange += n;
    else value = sample;
    values.fill(value, from, index + 1);
    from = index + 1;
  }
  return values;
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
 * The usual step of a vehicle in milliseconds: the one at which the samples of most of its trips fill the trip's length, to
 * within one sample. Pass it to `toColumns` as `usualStepMs`. `null` with fewer than three such trips, and where they are fewer
 * than half of the trips that have numeric signals: then samples are missing, or the steps of this vehicle differ.
 */
export function usualStep<Name extends SeriesName>(series: Name, trips: Iterable<TripOf<Name>>): number | null {
  const all: { readonly n: number; readonly length: number }[] = [];
  for (const trip of trips) {
    const lengths = numberLengths(series, trip);
    // The length that most signals share; the longer one of two.
    const [n = 0] = lengths.sort((one, other) => share(lengths, other) - share(lengths, one) || other - one);
    const length = lengthOf(series, trip);
    if (n && length) all.push({ n, length });
  }
  let [most, usual] = [2, 0];
  // Of many trips, the steps of some are tried.
  for (let index = 0; index < all.length; index += Math.ceil(all.length / 250)) {
    const { n, length } = all[index] as (typeof all)[number];
    const step = length / n;
    // A few samples tell no more than 10 %.
    const fits = all.filter((one) => Math.abs(one.length - one.n * step) <= Math.min(step, one.length / 10)).length;
    if (fits > most || (fits === most && step < usual)) [most, usual] = [fits, step];
  }
  return most * 2 < all.length ? null : usual || null;
}

/** No car is faster, in kilometers a millisecond: 500 km/h. */
const fastest = 500 / 3_600_000;
/** Readings of an odometer may be rounded to this, in kilometers. */
const odometerStep = 0.1;

/**
 * Where the odometer rises by more than a car can drive from one sample to the next: there samples are missing. Indices of the
 * samples after it. None without a usual step and for trips without an odometer.
 */
export function jumpsOf(trip: unknown, usualStepMs: number | null | undefined): number[] {
  const samples = memberAt(trip, odometer);
  return usualStepMs && Array.isArray(samples) ? jumpsIn(samples, usualStepMs) : [];
}

const odometer = 'odometer.value' satisfies NumberPath<'driving'>;

/** The same of the readings of an odometer alone. */
export function jumpsIn(samples: ArrayLike<unknown>, usualStepMs: number): number[] {
  const { minimum, maximum } = signalsOf('driving')[odometer];
  const jumps: number[] = [];
  let [last, reading] = [-1, 0];
  for (let index = 0; index < samples.length; index += 1) {
    const value = samples[index];
    if (typeof value !== 'number' || !(value >= minimum && value <= maximum)) continue;
    const most = (index - last) * usualStepMs * fastest + 2 * odometerStep;
    if (last >= 0 && value - reading > most) jumps.push(index);
    last = index;
    reading = value;
  }
  return jumps;
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
