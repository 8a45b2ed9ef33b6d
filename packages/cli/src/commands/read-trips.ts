import { CliError, didYouMean, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { readRange } from '../days.js';
import { type SeriesName, seriesCommands } from '../generated/commands.js';
import type { ReadTrip, SeriesCommand } from '../operation-command.js';

export type Series = SeriesCommand & { readonly name: SeriesName };

export interface TripOptions {
  readonly series: string;
  readonly from: string;
  readonly to: string;
  readonly zone?: string;
  readonly signals?: string;
  readonly trip?: string;
}

export function readSeries(word: string): Series {
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
  const trips = await series.read(await context.client(), range, { signal: context.signal });
  return { trips, zone, series };
}

/** The trip that `--trip` names: a number of `vds trips list`, or the last one. */
export function pickTrip(trips: readonly ReadTrip[], text: string | undefined): ReadTrip {
  const trip = trips[text === undefined ? trips.length - 1 : Number(text) - 1];
  if (trip !== undefined) return trip;
  if (trips.length === 0) throw new CliError('no-trips', 'there are no trips on these days');
  throw usageError(`--trip must be 1 to ${trips.length}, as in "vds trips list"`);
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
