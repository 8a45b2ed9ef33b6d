import type { TripIteratorOptions, VehicleDataClient } from '@vehicle-data/client';
import type { Moment } from '@vehicle-data/client/facts';
import type {
  EnumerationColumn,
  EnumerationSummary,
  NumberColumn,
  NumberSummary,
  TripColumns,
  TripOf,
} from '@vehicle-data/client/series';
import { CliError, didYouMean, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { readRange } from '../days.js';
import { type SeriesName, seriesCommands } from '../generated/commands.js';
import type { SeriesCommand } from '../operation-command.js';
import { allOf, type NamedFacts } from './trip-facts.js';

export type Series = SeriesCommand & { readonly name: SeriesName };

export interface TripOptions {
  /** Default that of driving. */
  readonly series?: string;
  readonly from: string;
  readonly to: string;
  readonly zone?: string;
  readonly signals?: string;
  readonly trip?: string;
}

/** A trip with its signals, whatever series it is of. */
export interface ReadTrip {
  readonly trip: object;
  readonly columns: {
    readonly startTime: number | null;
    readonly durationMs: number | null;
    readonly columns: Readonly<Record<string, NumberColumn | EnumerationColumn | undefined>>;
  };
  readonly summary: {
    readonly distance: { readonly value: number; readonly unit: string } | null;
    readonly signals: Readonly<Record<string, NumberSummary | EnumerationSummary | undefined>>;
  };
  /** What this series says of the trip as a whole, and its moments. */
  readonly facts: () => NamedFacts;
  readonly moments: () => readonly Moment[];
}

const names = Object.keys(seriesCommands);
/** The series of trips, unless another is chosen. */
export const defaultSeries = names.find((name) => name === 'driving') ?? names[0] ?? '';

/** Reads every trip of a range with its columns and summary. */
export async function tripsOf(
  { name }: Series,
  client: VehicleDataClient,
  range: Readonly<Record<'vin' | 'from' | 'to' | 'zoneId', string>>,
  options: TripIteratorOptions,
): Promise<readonly ReadTrip[]> {
  // Loaded when trips are read, so that help and completion stay fast.
  const { summary, toColumns, usualStep } = await import('@vehicle-data/client/series');
  const { moments, tripFacts } = await import('@vehicle-data/client/facts');
  const trips = await allOf<TripOf<SeriesName>>(client.trips[name](range, options));
  const usualStepMs = usualStep(name, trips);
  return trips.map((trip) => {
    const columns = toColumns(name, trip, { usualStepMs });
    const sides = [ofSeries(columns, 'driving'), ofSeries(columns, 'powertrain')] as const;
    return {
      trip,
      columns,
      summary: summary(columns),
      facts: () => tripFacts(...sides),
      moments: () => moments(...sides),
    };
  });
}

const isOf = <Name extends SeriesName>(
  columns: TripColumns<SeriesName>,
  series: Name,
): columns is TripColumns<SeriesName> & TripColumns<Name> => columns.series === series;

const ofSeries = <Name extends SeriesName>(columns: TripColumns<SeriesName>, series: Name) =>
  isOf(columns, series) ? columns : null;

export function readSeries(word = defaultSeries): Series {
  const series = Object.values(seriesCommands).find(({ name }) => name === word);
  if (series === undefined)
    throw usageError('the series is not one of the contract', `Use one of ${Object.keys(seriesCommands).join(', ')}.`);
  return series;
}

/** Reads the trips of the days that the options name. */
export async function readTrips(context: Context, options: TripOptions, vehicle: string) {
  const series = readSeries(options.series);
  const zone = context.zone(options.zone);
  const range = { ...readRange(options, zone), vin: context.vin(vehicle), zoneId: zone };
  const trips = await tripsOf(series, await context.client(), range, { signal: context.signal });
  return { trips, zone, series };
}

/** The trip that `--trip` names: a number of `vds trips list`, or the last one. */
export function pickTrip(trips: readonly ReadTrip[], text: string | undefined): ReadTrip {
  const trip = trips[text === undefined ? trips.length - 1 : Number(text) - 1];
  if (trip !== undefined) return trip;
  if (trips.length === 0) throw new CliError('no-trips', 'there are no trips on these days');
  throw usageError(`--trip must be 1 to ${trips.length}`, 'The numbers are those of: vds trips list');
}

/** The signals that `--signals` names, in its order; every one of the trip by default. */
export function pickSignals(series: SeriesCommand, trip: ReadTrip, text: string | undefined): readonly string[] {
  const known = Object.keys(series.signals);
  if (text === undefined) return known.filter((path) => trip.columns.columns[path] !== undefined);
  return text.split(',').map((path) => {
    if (known.includes(path)) return path;
    const other = Object.values(seriesCommands).find(({ signals }) => Object.hasOwn(signals, path));
    if (other !== undefined) throw usageError('a signal is one of another series', `Use --series ${other.name}.`);
    throw usageError('a signal is not one of the contract', didYouMean(path, known) ?? `Use ${known.join(', ')}.`);
  });
}
