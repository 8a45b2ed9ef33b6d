// The last seven days of a vehicle on one screen: facts of each day, and the moments that are rarest.

import type { VehicleDataClient } from '@vehicle-data/client';
import type { Fact } from '@vehicle-data/client/facts';
import { dateIn, timeIn } from '#kit/calendar.js';
import type { Context } from '../context.js';
import { daysUntil, readDay } from '../days.js';
import { foldedLine } from '../output/table.js';
import {
  countKinds,
  type FactName,
  isoOf,
  momentRecord,
  numberText,
  readTripFacts,
  type TripWithFacts,
  timeText,
  valuesText,
} from './trip-facts.js';

export interface WeekOptions {
  readonly to: string;
  readonly zone?: string;
}

/** What fits on one screen. */
const mostMoments = 8;

/** Facts that add up, as they are without any trip. */
const ofNoTrip = {
  distance: { unit: 'km', basis: 'derived' },
  duration: { unit: 'ms', basis: 'sent' },
  standing: { unit: 'ms', basis: 'assumed-time' },
  unbelted: { unit: 'ms', basis: 'assumed-time' },
} as const satisfies Readonly<Partial<Record<FactName, Pick<Fact, 'unit' | 'basis'>>>>;
type SummedName = keyof typeof ofNoTrip;

/**
 * A fact of several trips: their sum. Where trips do not tell, `value` is the sum of those that do, `high` is `null`, and `unknown` says
 * how many there are.
 */
function sumOf(trips: readonly TripWithFacts[], name: SummedName) {
  const facts = trips.map((trip) => trip.facts[name]);
  const known = facts.filter(({ value }) => value !== null);
  const unknown = facts.length - known.length;
  const sum = (member: 'value' | 'low' | 'high') =>
    known.some((fact) => fact[member] === null)
      ? null
      : Number(known.reduce((total, fact) => total + (fact[member] ?? 0), 0).toFixed(3));
  const { unit, basis } = facts[0] ?? ofNoTrip[name];
  const isNothing = facts.length > 0 && known.length === 0;
  return {
    value: isNothing ? null : sum('value'),
    low: isNothing ? null : sum('low'),
    high: unknown > 0 ? null : sum('high'),
    unit,
    basis,
    unknown,
  };
}

/** The highest derived speed of several trips. */
function topOf(trips: readonly TripWithFacts[]): Fact | null {
  const known = trips.map(({ facts }) => facts.topSpeed).filter(({ value }) => value !== null);
  return known.toSorted((one, other) => (other.value ?? 0) - (one.value ?? 0))[0] ?? null;
}

const partOf = (trips: readonly TripWithFacts[]) => ({
  trips: trips.length,
  distance: sumOf(trips, 'distance'),
  duration: sumOf(trips, 'duration'),
  standing: sumOf(trips, 'standing'),
  unbelted: sumOf(trips, 'unbelted'),
  topSpeed: topOf(trips),
  moments: countKinds(trips.flatMap(({ moments }) => moments)),
});

/**
 * A week of a vehicle: seven days up to and with the last one, their total, and the moments with the rarest kind first.
 *
 * @param range the VIN, the last day as `yyyy-MM-dd`, and the zone of the days
 */
export async function weekOf(
  client: VehicleDataClient,
  { vin, to, zoneId }: Readonly<Record<'vin' | 'to' | 'zoneId', string>>,
  signal: AbortSignal,
) {
  const days = daysUntil(to, -6);
  const from = days[0] ?? to;
  const trips = await readTripFacts(client, { vin, from, to, zoneId }, { signal });
  const dayOf = ({ startTime }: TripWithFacts) => (startTime === null ? null : dateIn(zoneId, startTime));
  const total = partOf(trips);
  const ranks = Object.keys(total.moments);
  const moments = trips
    .flatMap((trip) => trip.moments.map((moment) => ({ tripStartTime: trip.startTime, moment })))
    // Stable, so each kind stays in the order of time.
    .sort((one, other) => ranks.indexOf(one.moment.kind) - ranks.indexOf(other.moment.kind));
  return {
    from,
    to,
    zone: zoneId,
    days: days.map((day) => ({ day, ...partOf(trips.filter((trip) => dayOf(trip) === day)) })),
    /** Also of trips whose start cannot be read, which are of no day. */
    total,
    moments,
  };
}

/** A moment of a week as a program reads it. */
export const weekMoment = ({ tripStartTime, moment }: Awaited<ReturnType<typeof weekOf>>['moments'][number]) => ({
  tripStartTime: isoOf(tripStartTime),
  ...momentRecord(moment),
});

type Part = ReturnType<typeof partOf>;
const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });
/** At least so much, where some trips do not tell. */
const least = ({ unknown }: { readonly unknown: number }) => (unknown > 0 ? '≥ ' : '');

/** `vds week`: the last seven days of a vehicle. */
export async function showWeek(context: Context, options: WeekOptions, vehicle: string): Promise<void> {
  const { output, signal } = context;
  const zoneId = context.zone(options.zone);
  const to = readDay(options.to, '--to', zoneId);
  const vin = context.vin(vehicle);
  const week = await weekOf(await context.client(), { vin, to, zoneId }, signal);
  const moments = week.moments.map(weekMoment);
  output.record({ ...week, moments }, () => {
    const rows: readonly (Part & { readonly day: string })[] = [...week.days, { day: 'total', ...week.total }];
    const table = output.table(rows, [
      {
        title: 'day',
        value: ({ day }) => (day === 'total' ? day : `${weekday.format(Date.parse(`${day}T00:00:00Z`))} ${day}`),
      },
      { title: 'trips', value: ({ trips }) => trips },
      {
        title: 'km',
        value: ({ distance }) => (distance.value === null ? '–' : `${least(distance)}${numberText(distance.value)}`),
        right: true,
      },
      {
        title: 'length',
        value: ({ duration }) => (duration.value === null ? '–' : `${least(duration)}${timeText(duration.value)}`),
        right: true,
      },
      {
        title: 'standing',
        value: ({ standing, trips }) =>
          standing.value === null ? '–' : `${trips > 0 ? '~' : ''}${least(standing)}${timeText(standing.value)}`,
        right: true,
      },
      {
        title: 'top km/h',
        value: ({ topSpeed }) => (topSpeed?.value == null ? '' : `~${numberText(topSpeed.value)}`),
        right: true,
      },
      {
        title: 'moments',
        value: ({ moments }) => Object.values(moments).reduce((sum, count) => sum + count, 0),
        right: true,
      },
    ]);
    const counts = Object.entries(week.total.moments).map(([kind, count]) => `${count} ${kind}`);
    const list = output.sideTable(
      week.moments.slice(0, mostMoments).map(({ moment }) => moment),
      [
        { title: 'moment', value: ({ kind }) => kind },
        { title: 'at ~', value: ({ startTime }) => startTime && timeIn(zoneId, startTime) },
        { title: 'values', value: ({ values }) => valuesText(values) },
      ],
    );
    const more = week.moments.length - mostMoments;
    return [
      `Seven days to ${to} (${zoneId})`,
      '',
      table,
      '',
      ...foldedLine(counts.length === 0 ? 'No moments.' : `Moments: ${counts.join(', ')}.`, output.width),
      ...(counts.length === 0 ? [] : ['', list]),
      ...(more > 0 ? [`… and ${more} more: --json`] : []),
      '',
      'Trips and length are as sent, km are derived from the odometer,',
      '~ is derived at assumed times, and ≥ leaves out trips that do not tell.',
    ];
  });
}
