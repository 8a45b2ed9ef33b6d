import { addDays } from '../trip/calendar.js';
import { groupBy } from '../trip/read.js';
import type { Placement } from '../trip/stacks.js';
import type { Trip } from '../trip/trip.js';

/** What the page shows, from the fragment of its address. Vehicles are numbered: no VIN gets into a history. */
export interface Address {
  readonly vehicle: number;
  readonly day: string | undefined;
  readonly trip: string | undefined;
  /** Name of the trip that it is compared with. */
  readonly compare: string | undefined;
  readonly placement: Placement;
}

/** Of an address that names no trip. */
export const noTrip = { day: undefined, trip: undefined, compare: undefined } as const;

/** What names each trip in the address: its start, and from the second trip of one start on a number. */
export function tripNames(trips: readonly Trip[]): ReadonlyMap<Trip, string> {
  const starts = groupBy(trips, ({ startTime }) => new Date(startTime).toISOString());
  const nameOf = (start: string, index: number) => (index === 0 ? start : `${start}_${index + 1}`);
  return new Map([...starts].flatMap(([start, same]) => same.map((trip, index) => [trip, nameOf(start, index)])));
}

/** Reads the address. What it does not understand, it leaves out. */
export function readAddress(): Address {
  const fields = new URLSearchParams(location.hash.slice(1));
  const day = fields.get('day') ?? '';
  const vehicle = Number(fields.get('vehicle'));
  return {
    vehicle: Number.isInteger(vehicle) && vehicle >= 0 ? vehicle : 0,
    day: Number.isFinite(Date.parse(day)) && addDays(day, 0) === day ? day : undefined,
    trip: fields.get('trip') ?? undefined,
    compare: fields.get('compare') ?? undefined,
    placement: fields.get('axis') === 'index' ? 'index' : 'time',
  };
}

export function hrefOf(changes: Partial<Address>): string {
  const { vehicle, day, trip, compare, placement } = { ...readAddress(), ...changes };
  const axis = placement === 'index' ? placement : '';
  const fields = Object.entries({ vehicle: vehicle > 0 ? String(vehicle) : '', day, trip, axis, compare });
  return `#${new URLSearchParams(fields.flatMap(([name, value]) => (value ? [[name, value]] : [])))}`;
}

/** Changes the address; the page follows. */
export function writeAddress(changes: Partial<Address>): void {
  location.hash = hrefOf(changes);
}
