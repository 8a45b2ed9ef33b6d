// Facts and moments of trips as `vds` shows them: each says where it comes from, and how far it may be off.
import type { TripIteratorOptions, VehicleDataClient } from '@vehicle-data/client';
import type { Fact, FactBasis, Moment, MomentKind, TripFacts } from '@vehicle-data/client/facts';
import { CliError } from '../cli-error.js';
import type { TableColumn } from '../output/table.js';

/** What is shown at once must fit in memory. */
const mostTrips = 20_000;

/** Facts of a whole trip; those of its signals are in its summary. */
export const factNames = [
  'distance',
  'duration',
  'averageSpeed',
  'topSpeed',
  'standing',
  'longestStop',
  'unbelted',
] as const satisfies readonly (keyof TripFacts)[];
export type FactName = (typeof factNames)[number];
export type NamedFacts = Readonly<Record<FactName, Fact>>;

/** What was read of one trip, of both series or of one. */
export interface TripWithFacts {
  readonly startTime: number | null;
  readonly facts: NamedFacts;
  readonly moments: readonly Moment[];
}

/** The facts of a whole trip, in the order in which they are shown. */
export function namedFacts(facts: NamedFacts): NamedFacts {
  const { distance, duration, averageSpeed, topSpeed, standing, longestStop, unbelted } = facts;
  return { distance, duration, averageSpeed, topSpeed, standing, longestStop, unbelted };
}

/** Reads both series of a range, and the facts and moments of each trip in the order of time. */
export async function readTripFacts(
  client: VehicleDataClient,
  range: Readonly<Record<'vin' | 'from' | 'to' | 'zoneId', string>>,
  options: TripIteratorOptions,
): Promise<readonly TripWithFacts[]> {
  const { joinTrips, toColumns, usualStep } = await import('@vehicle-data/client/series');
  const { moments, tripFacts } = await import('@vehicle-data/client/facts');
  const [driving, powertrain] = await Promise.all([
    allOf(client.trips.driving(range, options)),
    allOf(client.trips.powertrain(range, options)),
  ]);
  const drivingStep = { usualStepMs: usualStep('driving', driving) };
  const powertrainStep = { usualStepMs: usualStep('powertrain', powertrain) };
  return joinTrips(driving, powertrain).map((trip) => {
    const one = trip.driving && toColumns('driving', trip.driving, drivingStep);
    const other = trip.powertrain && toColumns('powertrain', trip.powertrain, powertrainStep);
    return { startTime: trip.startTime, facts: namedFacts(tripFacts(one, other)), moments: moments(one, other) };
  });
}

export async function allOf<Trip>(trips: AsyncIterable<Trip>): Promise<readonly Trip[]> {
  const all: Trip[] = [];
  for await (const trip of trips) {
    all.push(trip);
    if (all.length > mostTrips)
      throw new CliError('too-many-trips', `the range has more than ${mostTrips} trips; choose fewer days`);
  }
  return all;
}

/** How many moments there are of each kind, the rarest first. */
export function countKinds(moments: readonly Moment[]): Readonly<Partial<Record<MomentKind, number>>> {
  const counts = new Map<MomentKind, number>();
  for (const { kind } of moments) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, one], [, other]) => one - other));
}

/** A moment as a program reads it. Its times are assumed. */
export const momentRecord = ({ kind, series, from, to, startTime, endTime, signals, values }: Moment) => ({
  kind,
  startTime: isoOf(startTime),
  endTime: isoOf(endTime),
  values,
  series,
  from,
  to,
  signals,
});

export const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const marks: Readonly<Record<FactBasis, string>> = { sent: 'sent', derived: 'derived', 'assumed-time': 'assumed time' };
export const basisText = (basis: FactBasis) => marks[basis];

/** What the marks of a table mean. */
export const markNote =
  'Start and length are as sent. km and km/h are derived; ~ is derived at assumed times. Moments: vds trips show.';

/** A time: `45 s`, `3:05 min`, `1:02:09 h`. */
export function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)} h`;
}

/** A number of a fact with its unit; a dash where the data do not tell. */
export function valueText(value: number | null, unit: string): string {
  if (value === null) return '–';
  return unit === 'ms' ? timeText(value) : `${numberText(value)} ${unit}`;
}

/** Four digits that matter at most, and whole numbers whole. */
export const numberText = (value: number) => String(Number(value.toFixed(Math.abs(value) < 100 ? 1 : 0)));

/** The rows of a table of facts. */
export const factRows = (facts: NamedFacts) => factNames.map((name) => ({ name, ...facts[name] }));
export const factColumns: readonly TableColumn<Fact & { readonly name: string }>[] = [
  { title: 'fact', value: ({ name }) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) },
  { title: 'value', value: ({ value, unit }) => valueText(value, unit), right: true },
  {
    title: 'between',
    value: ({ low, high, unit, basis }) =>
      basis === 'sent' || (low === null && high === null) ? '' : `${valueText(low, unit)} and ${valueText(high, unit)}`,
  },
  { title: 'basis', value: ({ basis }) => basisText(basis) },
];

/** What made a moment, with the unit that its name ends in: `lowest -0.52 g, from 63 km/h`. */
export const valuesText = (values: Moment['values']) =>
  Object.entries(values)
    .map(([name, value]) => {
      const [, word = name, unit = ''] = /^(.*?)(G|Kmh|Km|V|Rpm|Celsius)?$/.exec(name) ?? [];
      const words = word.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return `${words} ${value} ${units[unit] ?? ''}`.trim();
    })
    .join(', ');
const units: Readonly<Record<string, string>> = { G: 'g', Kmh: 'km/h', Km: 'km', V: 'V', Rpm: 'rpm', Celsius: '°C' };
