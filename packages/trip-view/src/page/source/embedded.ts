import type { TripRecord } from '../../trip/trip.js';
import { damaged, SourceError, type TripSource } from './source.js';

/** Trips that are part of the page. */
export function embeddedSource(readRecords: () => Promise<unknown>): TripSource {
  let readable: readonly TripRecord[] = [];
  return {
    brands: [],
    now: Date.now,
    vehicles: async () => {
      const records = await readRecords().catch(() => undefined);
      if (!Array.isArray(records)) throw new SourceError(damaged);
      readable = records.filter((record) => typeof record === 'object' && record !== null);
      const names = [...new Set(readable.map(({ vehicle }) => String(vehicle)))];
      return { vehicles: names.map((name) => ({ key: name, name, detail: '' })), problems: [] };
    },
    read: async ({ key }) => {
      const own = readable.filter(({ vehicle }) => String(vehicle) === key);
      return { first: '0000-01-01', last: '9999-12-31', records: own, problems: [] };
    },
  };
}
