import type { TripRecord } from '../../trip/trip.js';
import type { TripSource } from './source.js';

/** Trips that are part of the page. */
export function embeddedSource(records: readonly TripRecord[]): TripSource {
  const readable = records.filter((record) => typeof record === 'object' && record !== null);
  const names = [...new Set(readable.map(({ vehicle }) => String(vehicle)))];
  return {
    brands: [],
    now: Date.now(),
    vehicles: async () => ({ vehicles: names.map((name) => ({ key: name, name, detail: '' })), problems: [] }),
    index: async () => undefined,
    read: async ({ key }) => ({
      first: '0000-01-01',
      last: '9999-12-31',
      records: readable.filter(({ vehicle }) => String(vehicle) === key),
      problems: [],
    }),
  };
}
