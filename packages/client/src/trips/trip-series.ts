import { argumentError } from '../client-error.js';
import { tripSeries } from '../generated/trip-series.js';
import type { Operation } from '../operation.js';

/** An operation whose response is a list of trips over a range of days. */
export interface TripSeries {
  readonly name: string;
  readonly operation: Operation;
  /** Its parameters of the first and the last day, and how many days the second may be after the first. */
  readonly start: string;
  readonly end: string;
  readonly maxDays: number;
  /** Member of `data` that holds the list, and members of an item that hold its start and its length. */
  readonly items: string;
  readonly startTime: string;
  readonly duration: string;
}

/** @throws ArgumentError where the contract has no such series. */
export function seriesOf(name: unknown): TripSeries {
  const series = tripSeries.find((one) => one.name === name);
  if (series) return series;
  throw argumentError({}, `series must be one of ${tripSeries.map((one) => one.name).join(', ')}`, 'series');
}
