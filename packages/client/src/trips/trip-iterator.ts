import type { WindowFacts } from '../errors.js';
import type { Brand } from '../generated/schemas.js';
import type { SeriesItems } from '../generated/signals.js';
import type { CallOptions } from '../options.js';

/** The days of a range, written yyyyMMdd or yyyy-MM-dd, counted in `zoneId`. */
export interface TripRange {
  /** First day. */
  readonly from: string;
  /** Last day; it is included. */
  readonly to: string;
}

/** How far an iteration has come: the days of the window that was just read, and what was in it. */
export interface TripProgress extends WindowFacts {
  /** New trips in that window; 0 where there is no data. */
  readonly trips: number;
  /** Items of that window that are no trips. They were skipped. */
  readonly invalidTrips: number;
  /** Windows read so far, this one included. */
  readonly windowsRead: number;
  readonly windowsTotal: number;
}

/** An item of a window that is no trip: it is no object, or has no start. */
export interface InvalidTrip extends WindowFacts {
  /** The item as the service sent it. */
  readonly item: unknown;
}

/** Options of every iteration. `signal` ends all of it; `timeoutMs` and `maxRetries` hold for each window. */
export interface WindowOptions<BrandName extends string = Brand> extends CallOptions<BrandName> {
  /** How many windows are requested at a time, 1 to 32. Default 2. */
  readonly concurrency?: number | undefined;
  /** Calendar days of a window. Default: as many as the contract allows. Smaller windows need less memory. */
  readonly windowDays?: number | undefined;
  /** Called for each item that is no trip. One such item does not end the range. What it throws is dropped. */
  readonly onInvalidTrip?: ((invalid: InvalidTrip) => unknown) | undefined;
}

/** Options of an iteration over a range. */
export interface TripIteratorOptions<BrandName extends string = Brand> extends WindowOptions<BrandName> {
  /**
   * Continues after the trip at which another iteration stood: its `cursor`. Save it after you have processed a trip. A cursor
   * works for the same vehicle, series and zone, with any `windowDays`.
   */
  readonly cursor?: string | undefined;
  /** Called for each window, in order, before its trips. What it throws is dropped. */
  readonly onProgress?: ((progress: TripProgress) => unknown) | undefined;
}

/**
 * Every trip of a range, in order of start time and each once, read window by window while you iterate. Leaving the loop,
 * by `break`, `return()` or the signal, ends every request under way. An error of a window names it as `window`.
 */
export interface TripIterator<Trip> {
  /** Where the iteration stands: pass it to another one as `cursor`. `undefined` before the first trip. */
  readonly cursor: string | undefined;
  next(): Promise<IteratorResult<Trip, undefined>>;
  /** Ends the iteration and every request under way. */
  return(): Promise<IteratorResult<Trip, undefined>>;
  /**
   * The next items as a list, at most `limit` of them; then the iteration has ended, and `cursor` says where it stood.
   *
   * @throws ArgumentError where `limit` is no whole number of at least 1.
   */
  toArray(options: { readonly limit: number }): Promise<Trip[]>;
  [Symbol.asyncIterator](): TripIterator<Trip>;
}

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
  /** How many days before the last one are read again, for late trips; one more in a zone other than UTC. 0 to 60, default 3. */
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
export interface SyncOptions<BrandName extends string = Brand> extends WindowOptions<BrandName> {
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
  /**
   * The next items as a list, at most `limit` of them; then the iteration has ended, and `checkpoint` says which windows were read whole.
   *
   * @throws ArgumentError where `limit` is no whole number of at least 1.
   */
  toArray(options: { readonly limit: number }): Promise<SyncedTrip<Trip>[]>;
  [Symbol.asyncIterator](): SyncIterator<Trip>;
}

/** Iterates over the trips that are new since the last sync. */
export type SyncTrips<BrandName extends string = Brand> = <Name extends keyof SeriesItems>(
  request: SyncRequest<Name>,
  options?: SyncOptions<BrandName>,
) => SyncIterator<SeriesItems[Name]>;
