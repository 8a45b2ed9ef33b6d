import type { Placement } from '../trip/stacks.js';

/** What the page shows, from the fragment of its address. Vehicles are numbered: no VIN gets into a history. */
export interface Address {
  readonly vehicle: number;
  readonly day: string | undefined;
  /** Start of the trip. */
  readonly trip: string | undefined;
  /** Start of the trip that it is compared with. */
  readonly compare: string | undefined;
  readonly placement: Placement;
}

/** Reads the address. What it does not understand, it leaves out. */
export function readAddress(): Address {
  const fields = new URLSearchParams(location.hash.slice(1));
  const day = fields.get('day') ?? '';
  const vehicle = Number(fields.get('vehicle'));
  return {
    vehicle: Number.isInteger(vehicle) && vehicle >= 0 ? vehicle : 0,
    day: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day) && Number.isFinite(Date.parse(day)) ? day : undefined,
    trip: fields.get('trip') ?? undefined,
    compare: fields.get('compare') ?? undefined,
    placement: fields.get('axis') === 'index' ? 'index' : 'time',
  };
}

/** The address with some changes. */
export function hrefOf(changes: Partial<Address>): string {
  const next = { ...readAddress(), ...changes };
  const fields = new URLSearchParams();
  if (next.vehicle > 0) fields.set('vehicle', String(next.vehicle));
  if (next.day !== undefined) fields.set('day', next.day);
  if (next.trip !== undefined) fields.set('trip', next.trip);
  if (next.placement === 'index') fields.set('axis', 'index');
  if (next.compare !== undefined) fields.set('compare', next.compare);
  return `#${fields}`;
}

/** Changes the address; the page follows. */
export function writeAddress(changes: Partial<Address>): void {
  location.hash = hrefOf(changes);
}
