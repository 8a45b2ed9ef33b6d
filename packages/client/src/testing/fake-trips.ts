import type { TripIterator } from '../trips/trip-iterator.js';

/**
 * An iterator over trips of your own, in place of one of `client.trips`.
 *
 * @example
 * vi.spyOn(client.trips, 'driving').mockReturnValue(fakeTrips([createDrivingTrip()]));
 */
export function fakeTrips<Trip>(trips: readonly Trip[]): TripIterator<Trip> {
  let index = 0;
  return {
    get cursor() {
      return index === 0 ? undefined : `trip-${index}`;
    },
    async next() {
      const [trip] = trips.slice(index, index + 1);
      if (trip === undefined) return { done: true, value: undefined };
      index += 1;
      return { done: false, value: trip };
    },
    async return() {
      index = trips.length;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
