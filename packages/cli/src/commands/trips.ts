import type { NumberSummary } from '@vehicle-data/client/series';
import { timeIn } from '#kit/calendar.js';
import type { Context } from '../context.js';
import { pickSignals, pickTrip, type ReadTrip, readTrips, type TripOptions } from './read-trips.js';
import {
  countKinds,
  factColumns,
  factRows,
  isoOf,
  markNote,
  momentRecord,
  namedFacts,
  numberText,
  timeText,
  valuesText,
} from './trip-facts.js';

/** When a trip was and how long, by its number in a list. */
export function headOf({ columns: { startTime, durationMs }, summary: { distance } }: ReadTrip, index: number) {
  return {
    trip: index + 1,
    startTime: isoOf(startTime),
    durationMs,
    // The difference of two readings has digits that neither has.
    distance: distance && { ...distance, value: Number(distance.value.toPrecision(9)) },
  };
}

/** The head of a trip with its facts, and how many moments it has of each kind. */
export const headWithFacts = (read: ReadTrip, index: number) => ({
  ...headOf(read, index),
  facts: namedFacts(read.facts()),
  moments: countKinds(read.moments()),
});

function describe(read: ReadTrip, index: number, zone: string) {
  const { trip, ...head } = headOf(read, index);
  const { startTime } = read.columns;
  const signals = Object.values(read.summary.signals).filter((signal) => signal !== undefined);
  const badges = {
    'out of range': signals.some(({ outOfRange }) => outOfRange > 0),
    missing: signals.some(({ missing }) => missing > 0),
    'unequal lengths': new Set(signals.map(({ samples }) => samples)).size > 1,
    'time unknown': signals.every(({ timeBasis }) => timeBasis === 'unknown'),
    'time assumed': signals.some(({ timeBasis }) => timeBasis !== 'unknown'),
  };
  return {
    trip,
    start: startTime === null ? null : timeIn(zone, startTime),
    ...head,
    signals: Object.keys(read.summary.signals),
    badges: Object.entries(badges).flatMap(([badge, applies]) => (applies ? badge : [])),
  };
}

function lengthText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
}

const shownNumber = (value: number | null, mark = '') => (value === null ? '' : `${mark}${numberText(value)}`);

/** `vds trips list`: one line for each trip, with its facts. */
export async function listTrips(context: Context, options: TripOptions, vehicle: string): Promise<void> {
  const { trips, zone, series } = await readTrips(context, options, vehicle);
  const rows = trips.map((trip, index) => {
    const { facts, moments } = headWithFacts(trip, index);
    return { ...describe(trip, index, zone), facts, moments };
  });
  context.output.list(
    rows,
    [
      { title: '#', value: (row) => row.trip },
      { title: `start (${zone})`, value: (row) => row.start },
      { title: 'length', value: (row) => (row.durationMs === null ? '' : lengthText(row.durationMs)), right: true },
      {
        title: 'distance',
        value: ({ distance }) => distance && `${Number(distance.value.toPrecision(5))} ${distance.unit}`,
        right: true,
      },
      { title: 'average km/h', value: ({ facts }) => shownNumber(facts.averageSpeed.value), right: true },
      { title: 'top km/h', value: ({ facts }) => shownNumber(facts.topSpeed.value, '~'), right: true },
      {
        title: 'standing',
        value: ({ facts: { standing } }) => (standing.value === null ? '' : `~${timeText(standing.value)}`),
        right: true,
      },
      {
        title: 'moments',
        value: ({ moments }) => Object.values(moments).reduce((sum, count) => sum + count, 0) || '',
        right: true,
      },
      { title: 'badges', value: (row) => row.badges.join(', ') },
    ],
    'No trips on these days.',
  );
  if (!context.output.isJson && rows.length > 0)
    context.output.note(`${markNote} Facts and moments are of the ${series.name} series; vds week reads both.`);
}

/** A place of a trip on the list of its moments. */
const mostMoments = 30;

/** `vds trips show`: facts, moments, a summary of each signal and, on a terminal, a plot of each. */
export async function showTrip(context: Context, options: TripOptions, vehicle: string): Promise<void> {
  const { output } = context;
  const { trips, zone, series } = await readTrips(context, options, vehicle);
  const trip = pickTrip(trips, options.trip);
  const paths = pickSignals(series, trip, options.signals);
  const about = describe(trip, trips.indexOf(trip), zone);
  const signals = Object.fromEntries(paths.map((path) => [path, trip.summary.signals[path] ?? null]));
  // What has no start cannot be drawn.
  const drawn =
    output.isJson || trip.columns.startTime === null
      ? []
      : (await import('./pictures.js')).drawForTerminal(context, vehicle, series, trips, trip, paths);
  const facts = namedFacts(trip.facts());
  const found = trip.moments();
  const moments = found.map(momentRecord);
  output.record({ ...about, facts, moments, signals }, () => {
    const rows = Object.entries(signals).flatMap(([path, signal]) => (signal === null ? [] : [{ path, signal }]));
    const ofNumber = (value: (signal: NumberSummary) => unknown) => (row: (typeof rows)[number]) =>
      'unit' in row.signal ? value(row.signal) : '';
    const table = output.table(rows, [
      { title: 'signal', value: (row) => row.path },
      { title: 'samples', value: (row) => row.signal.samples },
      { title: 'min', value: ofNumber(({ min }) => min), right: true },
      { title: 'mean', value: ofNumber(({ mean }) => mean && Number(mean.toFixed(4))), right: true },
      { title: 'max', value: ofNumber(({ max }) => max), right: true },
      {
        title: 'unit',
        value: ({ signal }) => ('unit' in signal ? signal.unit : Object.keys(signal.values).join(' ')),
      },
      { title: 'no value', value: (row) => `${Math.round(row.signal.missingShare * 100)} %`, right: true },
      { title: 'time', value: (row) => row.signal.timeBasis },
    ]);
    const head = `Trip ${about.trip}, ${about.start ?? 'start unknown'} (${zone}): ${about.badges.join(', ')}`;
    const start = trip.columns.startTime;
    const list = output.sideTable(
      found.slice(0, mostMoments).map((moment, index) => ({ number: index + 1, ...moment })),
      [
        { title: '#', value: ({ number }) => number },
        { title: 'moment', value: ({ kind }) => kind },
        {
          title: 'after ~',
          value: ({ startTime }) => (startTime === null || start === null ? '' : timeText(startTime - start)),
          right: true,
        },
        { title: 'samples', value: ({ from, to }) => `${from}–${to - 1}`, right: true },
        { title: 'values', value: ({ values }) => valuesText(values) },
      ],
    );
    const more = found.length > mostMoments ? [`… and ${found.length - mostMoments} more: --json`] : [];
    const none = `No moments in the ${series.name} data.`;
    return [
      head,
      '',
      output.sideTable(factRows(facts), factColumns),
      '',
      ...(found.length === 0 ? [none] : [list, ...more]),
      '',
      table,
      '',
      ...drawn,
    ];
  });
}

/** `vds trips timing`: what the data say about the time between samples. Evidence, not proof. */
export async function tripTiming(context: Context, options: TripOptions, vehicle: string): Promise<void> {
  const { trips } = await readTrips(context, options, vehicle);
  const bySignal = new Map<string, { steps: number[]; unknown: number }>();
  for (const { columns } of trips) {
    for (const [path, column] of Object.entries(columns.columns)) {
      if (column === undefined) continue;
      const entry = bySignal.get(path) ?? { steps: [], unknown: 0 };
      bySignal.set(path, entry);
      const n = column.values.length;
      if (n > 0 && columns.durationMs !== null) entry.steps.push(columns.durationMs / n);
      if (column.timeBasis === 'unknown') entry.unknown++;
    }
  }
  const rows = [...bySignal].map(([signal, { steps, unknown }]) => {
    const sorted = steps.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? null;
    const [leastStepMs, medianStepMs, mostStepMs] = [at(0), at(0.5), at(1)];
    return { signal, trips: steps.length, leastStepMs, medianStepMs, mostStepMs, timeUnknown: unknown };
  });
  const rounded = (value: number | null) => value && Math.round(value);
  context.output.list(
    rows,
    [
      'signal',
      'trips',
      { title: 'least step (ms)', value: (row) => rounded(row.leastStepMs), right: true },
      { title: 'median', value: (row) => rounded(row.medianStepMs), right: true },
      { title: 'most', value: (row) => rounded(row.mostStepMs), right: true },
      { title: 'time unknown', value: (row) => row.timeUnknown },
    ],
    'No trips on these days.',
  );
}
