import { isDate } from '#kit/calendar.js';
import { groupBy } from '../trip/read.js';
import type { Placement } from '../trip/stacks.js';
import type { Trip } from '../trip/trip.js';

/** What the page shows, from the fragment of its address. Vehicles are numbered: no VIN gets into a history. */
export interface Address {
  readonly vehicle: number;
  /** Month that is shown, as `yyyy-mm`, where neither a day nor a trip is named. */
  readonly month: string | undefined;
  readonly day: string | undefined;
  readonly trip: string | undefined;
  /** Name of the trip that it is compared with. */
  readonly compare: string | undefined;
  readonly placement: Placement;
  /** What the lanes show: from where to where on their axis, where the playhead is, and what is measured. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly at: number | undefined;
  readonly a: number | undefined;
  readonly b: number | undefined;
  /** Whether the latest day is shown in place of the month. */
  readonly latest: boolean;
}

/** Of an address that names no part of a trip. */
export const noPart = { from: undefined, to: undefined, at: undefined, a: undefined, b: undefined } as const;
/** Of an address that names no trip. */
export const noTrip = { ...noPart, month: undefined, day: undefined, trip: undefined, compare: undefined } as const;

/** What names each trip in the address: its start, and from the second trip of one start on a number. */
export function tripNames(trips: readonly Trip[]): ReadonlyMap<Trip, string> {
  const starts = groupBy(trips, ({ startTime }) => new Date(startTime).toISOString());
  const nameOf = (start: string, index: number) => (index === 0 ? start : `${start}_${index + 1}`);
  return new Map([...starts].flatMap(([start, same]) => same.map((trip, index) => [trip, nameOf(start, index)])));
}

const placements: readonly Placement[] = ['time', 'index', 'distance'];

function numberOf(text: string | null): number | undefined {
  const value = Number(text ?? Number.NaN);
  return value >= 0 && Number.isFinite(value) ? value : undefined;
}

/** Reads the address. What it does not understand, it leaves out. */
export function readAddress(): Address {
  const fields = new URLSearchParams(location.hash.slice(1));
  const day = fields.get('day') ?? '';
  const vehicle = Number(fields.get('vehicle'));
  return {
    vehicle: Number.isInteger(vehicle) && vehicle >= 0 ? vehicle : 0,
    day: isDate(day) ? day : undefined,
    trip: fields.get('trip') ?? undefined,
    compare: fields.get('compare') ?? undefined,
    placement: placements.find((one) => one === fields.get('axis')) ?? 'time',
    month: /^\d{4}-(0[1-9]|1[0-2])$/.exec(fields.get('month') ?? '')?.[0],
    from: numberOf(fields.get('from')),
    to: numberOf(fields.get('to')),
    at: numberOf(fields.get('at')),
    a: numberOf(fields.get('a')),
    b: numberOf(fields.get('b')),
    latest: fields.has('latest'),
  };
}

export function hrefOf(changes: Partial<Address>): string {
  const { vehicle, placement, latest, ...rest } = { ...readAddress(), ...changes };
  const axis = placement === 'time' ? '' : placement;
  const { month, day, trip, compare, from, to, at, a, b } = rest;
  const isDay = day !== undefined || trip !== undefined;
  const fields = Object.entries({
    vehicle: vehicle > 0 ? String(vehicle) : '',
    month: isDay ? '' : month,
    day,
    trip,
    axis,
    compare,
    ...Object.fromEntries(
      Object.entries({ from, to, at, a, b }).map(([name, value]) => [
        name,
        value === undefined ? '' : `${Math.round(value)}`,
      ]),
    ),
    latest: latest && !isDay && month === undefined ? '1' : '',
  });
  return `#${new URLSearchParams(fields.flatMap(([name, value]) => (value ? [[name, value]] : [])))}`;
}

/** Changes the address in place: what it shows is shown already. */
export function noteAddress(changes: Partial<Address>): void {
  history.replaceState(history.state, '', hrefOf(changes));
}

/** Changes the address; the page follows. */
export function writeAddress(changes: Partial<Address>): void {
  location.hash = hrefOf(changes);
}
