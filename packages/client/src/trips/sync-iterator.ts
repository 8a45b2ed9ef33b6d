import type { SeriesItems } from '../generated/signals.js';
import type { TripRange, WindowOptions } from './trip-iterator.js';

/** What to keep in step with the service. */
export interface SyncRequest<Name extends keyof SeriesItems> {
  /** Name of the series. */
  readonly series: Name;
  /** One vehicle, or several under one `concurrency`. */
  readonly vin: string | readonly string[];
  /** First day of the first sync, yyyyMMdd or yyyy-MM-dd. */
  readonly since: TripRange['from'];
  /** Time zone in which days are counted. Default: that of the operation. */
  readonly zoneId?: string | undefined;
  /** How many days before the last one are read again, for trips that arrive late. 0 to 60, default 3. */
  readonly overlapDays?: number | undefined;
  /** Where the last sync stood: what `onCheckpoint` gave. */
  readonly checkpoint?: string | undefined;
}

/** A trip that is new since the last sync. */
export interface SyncedTrip<Trip> {
  readonly vin: string;
  readonly trip: Trip;
}

/** A vehicle whose trips could not be read. */
export interface VehicleFailure {
  readonly vin: string;
  /** Says what to do next; `window` says for which days. */
  readonly error: unknown;
}

/** Options of a sync. */
export interface SyncOptions extends WindowOptions {
  /**
   * Called and awaited after you have taken every trip of a window, also of an empty one: save the checkpoint here. What it
   * throws ends the sync with an `AbortedError` whose `cause` is the error. Trips after the last checkpoint come again.
   */
  readonly onCheckpoint?: ((checkpoint: string) => unknown) | undefined;
  /** Called and awaited for a vehicle that fails; the other vehicles continue. Without it a failure ends the sync. */
  readonly onVehicleError?: ((failure: VehicleFailure) => unknown) | undefined;
}

/** The new trips of a sync. Leaving the loop ends every request under way. */
export interface SyncIterator<Trip> {
  /** Where the sync stands: pass it to the next one as `checkpoint`. `undefined` before the first step of a first sync. */
  readonly checkpoint: string | undefined;
  next(): Promise<IteratorResult<SyncedTrip<Trip>, undefined>>;
  return(): Promise<IteratorResult<SyncedTrip<Trip>, undefined>>;
  [Symbol.asyncIterator](): SyncIterator<Trip>;
}

/** Iterates over the trips that are new since the last sync. */
export type SyncTrips = <Name extends keyof SeriesItems>(
  request: SyncRequest<Name>,
  options?: SyncOptions,
) => SyncIterator<SeriesItems[Name]>;
