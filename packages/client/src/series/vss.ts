// Trips in the names, units and types of the COVESA Vehicle Signal Specification, as the contract assigns them.
import { vssCatalogue, vssTable } from '../generated/vss.js';
import { type Column, columnsOf, type SampleCounts, type TimeBasis, type TripColumns } from './columns.js';
import { ownMember, type SeriesName } from './signals.js';

/** A value in VSS. */
export type VssValue = string | number | boolean;

/** Where a signal goes in VSS. */
export interface VssName {
  /** Name in the catalogue, or in the overlay `vehicle-data.vspec` of `@vehicle-data/openapi` for what the catalogue lacks. */
  readonly path: string;
  /** Type of the name. Numbers are rounded to the nearest whole one where it is a type of whole numbers. */
  readonly datatype: 'boolean' | 'string' | 'int8' | 'int16' | 'uint32' | 'float' | 'double';
  /** Unit in VSS, where `g` would be grams; `null` where there is none. */
  readonly unit: string | null;
  /** What a number of the contract is multiplied by; `null` for texts. */
  readonly factor: number | null;
  /** What each text of the contract becomes, `null` where VSS has no such value; `null` for numbers. */
  readonly values: Readonly<Record<string, VssValue | null>> | null;
}

type Table = typeof vssTable;
type Names<Name extends SeriesName> = Table[Name][keyof Table[Name]];

/** Names in VSS of the signals of a series, for example `Vehicle.TraveledDistance`. */
export type VssPath<Name extends SeriesName> =
  Names<Name> extends { readonly path: infer Path extends string } ? Path : never;

/** The samples of a signal in VSS. */
export interface VssColumn<Value extends VssValue = VssValue> {
  readonly datatype: VssName['datatype'];
  readonly unit: string | null;
  /** One value a sample, `null` where there is none. */
  readonly values: readonly (Value | null)[];
  readonly timeBasis: TimeBasis;
  /** Milliseconds from one sample to the next, `null` where `timeBasis` is `unknown`. */
  readonly stepMs: number | null;
  /** Counts of the column in the contract, before the conversion. */
  readonly counts: SampleCounts;
}

type ValueAt<Entry> = Entry extends { readonly values: infer Values extends Readonly<Record<string, unknown>> }
  ? Extract<Values[keyof Values], VssValue>
  : number;

/** The columns of a trip: those that the trip has, by their names in VSS. */
export type VssColumns<Name extends SeriesName> = {
  readonly [Path in VssPath<Name>]?: VssColumn<ValueAt<Extract<Names<Name>, { readonly path: Path }>>>;
};

/** A trip in VSS. */
export interface VssTrip<Name extends SeriesName> {
  /** Version of the VSS catalogue. */
  readonly catalogue: typeof vssCatalogue;
  readonly series: Name;
  /** Start of the trip in milliseconds since 1 January 1970 UTC, `null` where it cannot be read or has no zone. */
  readonly startTime: number | null;
  /** `Vehicle.TripDuration` in seconds, `null` where the trip has no length. */
  readonly tripDuration: number | null;
  readonly columns: VssColumns<Name>;
}

/**
 * Where each signal of a series goes in VSS, by its path in the contract.
 *
 * @throws SeriesError `unknown-series`.
 */
export function vssNamesOf<Name extends SeriesName>(series: Name): Table[Name] {
  return ownMember('series', vssTable, series);
}

/**
 * A trip in the names, units and types of VSS. Samples without a value, out of range or without a value in VSS are `null`.
 * Floating-point numbers keep the precision of the service. Signs are as sent: the service does not specify them. VSS does not
 * define time series, so the result is a column for each name.
 */
export function toVss<Name extends SeriesName>(trip: TripColumns<Name>): VssTrip<Name> {
  const names: Readonly<Record<string, VssName | undefined>> = vssNamesOf(trip.series);
  const columns: Record<string, VssColumn> = {};
  for (const [signal, column] of columnsOf(trip)) {
    const name = names[signal];
    if (name === undefined) continue;
    const { timeBasis, stepMs, counts } = column;
    const { datatype, unit } = name;
    columns[name.path] = { datatype, unit, values: valuesOf(name, column), timeBasis, stepMs, counts };
  }
  const { series, startTime, durationMs } = trip;
  return {
    catalogue: vssCatalogue,
    series,
    startTime,
    tripDuration: durationMs === null ? null : durationMs / 1000,
    // Each column was made by the name of its own signal.
    columns: columns as VssColumns<Name>,
  };
}

const valuesOf = (name: VssName, { values }: Column) =>
  Array.from<number | string | null, VssValue | null>(values, (value) => toVssValue(name, value));

/** One sample of a signal in VSS, `null` where it is no value or has none there. It must be inside the range of the contract. */
export function toVssValue({ datatype, factor, values }: VssName, sample: number | string | null): VssValue | null {
  if (typeof sample === 'string') return values && Object.hasOwn(values, sample) ? (values[sample] ?? null) : null;
  if (sample === null || Number.isNaN(sample)) return null;
  const converted = sample * (factor ?? 1);
  // Halves go up, in every engine of the archive's views as well.
  return datatype.includes('int') ? Math.floor(converted + 0.5) : converted;
}
