import type { CallOptions } from '../call-options.js';

/** The days of a range, written yyyyMMdd or yyyy-MM-dd, counted in `zoneId`. */
export interface TripRange {
  /** First day. */
  readonly from: string;
  /** Last day; it is included. */
  readonly to: string;
}

/** How far an iteration has come. */
export interface TripProgress {
  /** First day of the window that was just read, yyyyMMdd. */
  readonly from: string;
  /** Last day of that window. */
  readonly to: string;
  /** New trips in that window; 0 where there is no data. */
  readonly trips: number;
  /** Windows read so far, this one included. */
  readonly windowsRead: number;
  readonly windowsTotal: number;
}

/** Options of an iteration. `signal` ends all of it; `timeoutMs` and `maxRetries` hold for each window. */
export interface TripIteratorOptions extends CallOptions {
  /** How many windows are asked for at a time, 1 to 32. Default 2. */
  readonly concurrency?: number | undefined;
  /** Calendar days of a window. Default: as many as the contract allows. Smaller windows need less memory. */
  readonly windowDays?: number | undefined;
  /** Goes on after the trip at which another iteration stood: its `cursor`. */
  readonly cursor?: string | undefined;
  /** Called for each window, in order, before its trips are handed out. What it throws is dropped. */
  readonly onProgress?: ((progress: TripProgress) => void) | undefined;
}

/**
 * Every trip of a range, in order of start time and each once, read window by window while you iterate. Leaving the loop,
 * by `break`, `return()` or the signal, ends every request under way.
 */
export interface TripIterator<Trip> extends AsyncIterableIterator<Trip, undefined> {
  /** Where the iteration stands: give it to another one as `cursor` to go on there. `undefined` before the first trip. */
  readonly cursor: string | undefined;
  /** Ends the iteration and every request under way. */
  return(): Promise<IteratorResult<Trip, undefined>>;
}
