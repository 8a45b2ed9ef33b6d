import { CliError, didYouMean, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { readRange, timeIn } from '../days.js';
import { type SeriesName, seriesCommands } from '../generated/commands.js';
import type { ReadTrip, SeriesCommand } from '../operation-command.js';
import { renderTable } from '../output/table.js';

/** Options of the commands on trips. */
export interface TripOptions {
  readonly series: string;
  readonly from: string;
  readonly to: string;
  readonly zone?: string;
  readonly signals?: string;
  readonly trip?: string;
}

export const isSeries = (name: string): name is SeriesName => Object.hasOwn(seriesCommands, name);

export function readSeries(name: string): SeriesCommand & { readonly name: SeriesName } {
  if (!isSeries(name))
    throw usageError('the series is not one of the contract', `Use one of ${Object.keys(seriesCommands).join(', ')}.`);
  return { ...seriesCommands[name], name };
}

/** A number with its unit, short enough for a table. */
const measured = (value: number, unit: string) => `${Number(value.toPrecision(5))} ${unit}`;

export const lengthText = (ms: number) => {
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
};

/** Reads the trips of the days that the options name. */
export async function readTrips(
  context: Context,
  vehicle: string,
  options: TripOptions,
): Promise<{ readonly trips: readonly ReadTrip[]; readonly zone: string; readonly series: SeriesCommand }> {
  const series = readSeries(options.series);
  const zone = context.zone(options.zone);
  const range = readRange(options, zone);
  const vin = context.vin(vehicle);
  const client = await context.client();
  const trips = await series.read(client, { vin, ...range, zoneId: zone }, { signal: context.signal });
  return { trips, zone, series };
}

/** What a list says of a trip. */
function describe({ columns, summary }: ReadTrip, index: number, zone: string) {
  const { startTime, durationMs } = columns;
  const signals = Object.entries(summary.signals).flatMap(([path, signal]) =>
    signal === undefined ? [] : [{ path, signal }],
  );
  const badges = [
    ...(signals.some(({ signal }) => signal.outOfRange > 0) ? ['out of range'] : []),
    ...(signals.some(({ signal }) => signal.missing > 0) ? ['missing'] : []),
    ...(new Set(signals.map(({ signal }) => signal.samples)).size > 1 ? ['unequal lengths'] : []),
    ...(signals.every(({ signal }) => signal.timeBasis === 'unknown') ? ['time unknown'] : ['time assumed']),
  ];
  return {
    trip: index + 1,
    start: startTime === null ? null : timeIn(zone, startTime),
    startTime: startTime === null ? null : new Date(startTime).toISOString(),
    durationMs,
    // The difference of two readings has digits that neither has.
    distance: summary.distance && { ...summary.distance, value: Number(summary.distance.value.toPrecision(9)) },
    signals: signals.map(({ path }) => path),
    badges,
  };
}

/** `vds trips list`: one line for each trip. */
export async function listTrips(context: Context, vehicle: string, options: TripOptions): Promise<void> {
  const { trips, zone } = await readTrips(context, vehicle, options);
  context.output.list(
    trips.map((trip, index) => describe(trip, index, zone)),
    [
      { title: '#', value: (row) => row.trip, right: true },
      { title: `start (${zone})`, value: (row) => row.start },
      { title: 'length', value: (row) => (row.durationMs === null ? '' : lengthText(row.durationMs)), right: true },
      {
        title: 'distance',
        value: (row) => (row.distance === null ? '' : measured(row.distance.value, row.distance.unit)),
        right: true,
      },
      { title: 'signals', value: (row) => row.signals.length, right: true },
      { title: 'badges', value: (row) => row.badges.join(', ') },
    ],
    'No trips on these days.',
  );
}

/** The trip that `--trip` names: a number of `vds trips list`, or the last one. */
export function pickTrip(trips: readonly ReadTrip[], text: string | undefined): ReadTrip {
  const number = text === undefined ? trips.length : Number(text);
  const trip = trips[number - 1];
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
    throw usageError('a signal is not one of the contract', didYouMean(path, known) ?? `Use ${known.join(', ')}.`);
  });
}

/** `vds trips show`: a summary of each signal and, on a terminal, a plot of each. */
export async function showTrip(context: Context, vehicle: string, options: TripOptions): Promise<void> {
  const { trips, zone, series } = await readTrips(context, vehicle, options);
  const trip = pickTrip(trips, options.trip);
  const paths = pickSignals(series, trip, options.signals);
  const about = describe(trip, trips.indexOf(trip), zone);
  const signals = Object.fromEntries(paths.map((path) => [path, trip.summary.signals[path] ?? null]));
  const drawing = { series: options.series, signals: paths, startTime: trip.columns.startTime };
  const drawn = context.output.isJson
    ? []
    : (await import('./pictures.js')).drawForTerminal(context, vehicle, drawing, trips);
  context.output.record({ ...about, signals }, () => {
    const rows = paths.flatMap((path) => {
      const signal = trip.summary.signals[path];
      return signal === undefined ? [] : [{ path, signal }];
    });
    const table = renderTable(
      rows,
      [
        { title: 'signal', value: (row) => row.path },
        { title: 'samples', value: (row) => row.signal.samples, right: true },
        { title: 'min', value: (row) => ('unit' in row.signal ? row.signal.min : ''), right: true },
        {
          title: 'mean',
          value: (row) => ('unit' in row.signal && row.signal.mean !== null ? Number(row.signal.mean.toFixed(4)) : ''),
          right: true,
        },
        { title: 'max', value: (row) => ('unit' in row.signal ? row.signal.max : ''), right: true },
        {
          title: 'unit',
          value: (row) => ('unit' in row.signal ? row.signal.unit : Object.keys(row.signal.values).join(' ')),
        },
        { title: 'no value', value: (row) => `${Math.round(row.signal.missingShare * 100)} %`, right: true },
        { title: 'time', value: (row) => row.signal.timeBasis },
      ],
      context.output.width,
      context.output.hasColor,
    );
    return [
      `Trip ${about.trip}, ${about.start ?? 'start unknown'} (${zone}): ${about.badges.join(', ')}`,
      '',
      table,
      '',
      ...drawn,
    ];
  });
}

/** `vds trips timing`: what the data say about the time between samples. Evidence, not proof. */
export async function tripTiming(context: Context, vehicle: string, options: TripOptions): Promise<void> {
  const { trips } = await readTrips(context, vehicle, options);
  const bySignal = new Map<string, { steps: number[]; lengths: Set<number>; unknown: number }>();
  for (const { columns } of trips) {
    for (const [path, column] of Object.entries(columns.columns)) {
      if (column === undefined) continue;
      const entry = bySignal.get(path) ?? { steps: [], lengths: new Set(), unknown: 0 };
      bySignal.set(path, entry);
      const n = column.values.length;
      entry.lengths.add(n);
      if (n > 0 && columns.durationMs !== null) entry.steps.push(columns.durationMs / n);
      if (column.timeBasis === 'unknown') entry.unknown++;
    }
  }
  const rows = [...bySignal].map(([signal, { steps, unknown }]) => {
    const sorted = steps.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? null;
    return {
      signal,
      trips: steps.length,
      leastStepMs: at(0),
      medianStepMs: at(0.5),
      mostStepMs: at(1),
      timeUnknown: unknown,
    };
  });
  const ms = (value: number | null) => (value === null ? '' : String(Math.round(value)));
  context.output.list(
    rows,
    [
      { title: 'signal', value: (row) => row.signal },
      { title: 'trips', value: (row) => row.trips, right: true },
      { title: 'least step (ms)', value: (row) => ms(row.leastStepMs), right: true },
      { title: 'median', value: (row) => ms(row.medianStepMs), right: true },
      { title: 'most', value: (row) => ms(row.mostStepMs), right: true },
      { title: 'time unknown', value: (row) => row.timeUnknown, right: true },
    ],
    'No trips on these days.',
  );
}
