import type { DateRange, Operation } from '../checks/parameters.js';
import { isText, membersOf } from '../checks/rules.js';

/** An operation whose response is a list of trips over a range of days. */
export interface TripSeries extends DateRange {
  readonly name: string;
  readonly operation: Operation;
  /** Member of `data` that holds the list, and members of an item that hold its start and its length. */
  readonly items: string;
  readonly startTime: string;
  readonly duration: string;
}

/** A trip with what tells it from the others of its vehicle: its start and its length, or, without one, all of it. */
export interface IdentifiedTrip<Trip> {
  readonly trip: Trip;
  readonly start: string;
  /** Texts in whose order trips with one start come. */
  readonly id: string;
}

/** The trips of a window in the order of their start, each once, and those without a start. */
export function identifyTrips<Trip>(
  { startTime, duration }: TripSeries,
  items: unknown,
): { readonly trips: readonly IdentifiedTrip<Trip>[]; readonly invalid: readonly unknown[] } {
  const byId = new Map<string, IdentifiedTrip<Trip>>();
  const invalid: unknown[] = [];
  // That it is a list has been checked.
  for (const item of items as readonly unknown[]) {
    const { [startTime]: start, [duration]: length } = membersOf(item) ?? {};
    if (!isText(start) || !start) invalid.push(item);
    else {
      const id = `${start}/${typeof length === 'number' ? `${length}`.padStart(12, '0') : shortHash(JSON.stringify(item))}`;
      // The item is an object with a start; what else it has is read tolerantly.
      if (!byId.has(id)) byId.set(id, { trip: item as Trip, start, id });
    }
  }
  // Starts are of one fixed width, so that the order of texts is that of times.
  return { trips: [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1)), invalid };
}

/**
 * A short hash (cyrb53) of a text: tells vehicles and trips apart in a cursor without naming them. 53 bits do not give a VIN
 * back, and whoever guesses one could test it, so a cursor is still personal data.
 */
export function shortHash(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return (4294967296 * (2097151 & other) + (one >>> 0)).toString(36);
}

/** What names a vehicle, series and zone in a cursor or checkpoint. */
export function sourceHash({ name }: TripSeries, parameters: Readonly<Record<string, unknown>>): string {
  return shortHash(JSON.stringify([name, ...Object.entries(parameters).sort()]));
}
