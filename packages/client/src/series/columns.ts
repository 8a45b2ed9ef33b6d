import { seriesTable } from '../generated/signals.js';
import { sampleTimes } from './sample-times.js';
import {
  type EnumerationPath,
  type NumberPath,
  type SeriesName,
  type SignalPath,
  type SignalRule,
  signalsOf,
  type TripOf,
  type ValueOf,
} from './signal-rules.js';

/** How many samples of a signal were no values, and why. */
export interface SampleCounts {
  readonly samples: number;
  /** Outside the range, or none of the values, that the contract states. */
  readonly outOfRange: number;
  /** Values that stand for "no value": the text `invalid`, and what `sentinels` lists. */
  readonly sentinels: number;
  /** `null`, or of another type than the signal. */
  readonly missing: number;
}

/** The samples of a signal that is measured in numbers. */
export interface NumberColumn {
  readonly kind: 'number';
  readonly unit: string;
  /** One number a sample; `NaN` where there is no value, which a row shows as `null`. */
  readonly values: Float64Array;
  readonly counts: SampleCounts;
}

/** The samples of a signal with a fixed set of values. */
export interface EnumerationColumn<Value extends string = string> {
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
  /** Start of the trip in milliseconds since 1 January 1970 UTC. */
  readonly startTime: number;
  /** Length of the trip in milliseconds. */
  readonly durationMs: number;
  readonly columns: ColumnsOf<Name>;
  /** Number of samples of the longest column. */
  readonly length: number;
  /** Paths of the columns that are shorter than the longest, with their lengths. Empty in a well-formed trip. */
  readonly unequalLengths: Readonly<Record<string, number>>;
}

/** Options of reading a trip. */
export interface ColumnOptions<Name extends SeriesName> {
  /** Further numbers that stand for "no value", by path: full-scale raw values that lie within the stated range. */
  readonly sentinels?: { readonly [Path in NumberPath<Name>]?: readonly number[] } | undefined;
}

/**
 * Reads the signals of a trip into columns: typed arrays for numbers, with units from the contract. What is outside the stated
 * range or stands for "no value" becomes none, and is counted.
 */
export function toColumns<Name extends SeriesName>(
  series: Name,
  trip: TripOf<Name>,
  options: ColumnOptions<Name> = {},
): TripColumns<Name> {
  const columns: Record<string, NumberColumn | EnumerationColumn> = {};
  const sentinels: Readonly<Record<string, readonly number[] | undefined>> = options.sentinels ?? {};
  let length = 0;
  for (const [path, rule] of Object.entries<SignalRule>(signalsOf(series))) {
    const samples = memberAt(trip, path.split('.'));
    if (!Array.isArray(samples)) continue;
    length = Math.max(length, samples.length);
    columns[path] =
      rule.kind === 'number' ? readNumbers(rule, samples, sentinels[path] ?? []) : readValues(rule, samples);
  }
  const shorter = Object.entries(columns).filter(([, { values }]) => values.length < length);
  const { startTime, duration } = seriesTable[series];
  return {
    series,
    startTime: Date.parse(String(memberAt(trip, [startTime]))),
    durationMs: Number(memberAt(trip, [duration])),
    // Each column was made by the rule of its own path.
    columns: columns as ColumnsOf<Name>,
    length,
    unequalLengths: Object.fromEntries(shorter.map(([path, { values }]) => [path, values.length])),
  };
}

/** Times of the samples of one column in milliseconds since 1970 UTC. Each column has its own step, `tripLength / n`. */
export function timesOf<Name extends SeriesName>(
  trip: TripColumns<Name>,
  path: NumberPath<Name> | EnumerationPath<Name>,
): Float64Array {
  return sampleTimes(trip.startTime, trip.durationMs, trip.columns[path]?.values.length ?? 0);
}

function readNumbers(
  { unit, minimum, maximum }: Extract<SignalRule, { readonly kind: 'number' }>,
  samples: readonly unknown[],
  sentinels: readonly number[],
): NumberColumn {
  const values = new Float64Array(samples.length);
  const counts = { samples: samples.length, outOfRange: 0, sentinels: 0, missing: 0 };
  const [low, high] = [minimum ?? Number.NEGATIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY];
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index];
    let value = Number.NaN;
    if (typeof sample !== 'number') counts.missing += 1;
    else if (sentinels.includes(sample)) counts.sentinels += 1;
    else if (sample >= low && sample <= high) value = sample;
    else counts.outOfRange += 1;
    values[index] = value;
  }
  return { kind: 'number', unit, values, counts };
}

/** The one text that the contract's enumerations use for "no value". */
const noValue = 'invalid';

function readValues(
  { values: allowed }: Extract<SignalRule, { readonly kind: 'enumeration' }>,
  samples: readonly unknown[],
): EnumerationColumn {
  const counts = { samples: samples.length, outOfRange: 0, sentinels: 0, missing: 0 };
  const values = samples.map((sample: unknown) => {
    if (typeof sample !== 'string') counts.missing += 1;
    else if (sample === noValue) counts.sentinels += 1;
    else if (!allowed.includes(sample)) counts.outOfRange += 1;
    else return sample;
    return null;
  });
  return { kind: 'enumeration', values, counts };
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
}
