import { typedError } from '../client-error.js';
import type { Core } from '../core.js';
import type { Operation } from '../operation.js';
import { iterateTrips } from './iterate-trips.js';
import type { TripIterator, TripIteratorOptions } from './trip-iterator.js';

/** Starts an iteration: what cannot work is an error of this package, at once and before any request. */
export function startTrips<Trip>(
  core: Core,
  operation: Operation,
  range: unknown,
  options: TripIteratorOptions | null | undefined,
): TripIterator<Trip> {
  try {
    return iterateTrips<Trip>(operation, range, options ?? {}, core);
  } catch (error) {
    throw typedError(error);
  }
}
