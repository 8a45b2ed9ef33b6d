import { basicDateOf } from '../calendar-days.js';
import type { Settings } from '../call.js';
import type { CallOptions } from '../call-options.js';
import { checkParameters } from '../check-parameters.js';
import { typedError } from '../client-error.js';
import { perform } from '../perform.js';
import type { DayWindow } from './read-windows.js';
import type { TripSeries } from './trip-series.js';

/** Fetches the items of one window, as they are. */
export type FetchWindow = (window: DayWindow, signal: AbortSignal) => Promise<readonly unknown[]>;

/**
 * Makes the function that fetches one window of a series: the only way in which iterators reach the service.
 *
 * @param parameters What the operation needs beside the two days.
 * @throws ArgumentError when these cannot work, before any request.
 */
export function createFetchWindow(
  settings: Settings,
  { operation, start, end, items }: TripSeries,
  parameters: Readonly<Record<string, unknown>>,
  options: CallOptions,
): FetchWindow {
  const target = { ...settings, operation };
  const paramsOf = (from: string, to: string) => checkParameters(target, { ...parameters, [start]: from, [end]: to });
  const anyDay = basicDateOf(0);
  paramsOf(anyDay, anyDay);
  return async ({ first, last }, signal) => {
    const window = { from: basicDateOf(first), to: basicDateOf(last) };
    try {
      const { data } = await perform(target, paramsOf(window.from, window.to), { ...options, signal });
      // That it is a list has been checked; each trip is looked at when its start is read.
      return data[items] as readonly unknown[];
    } catch (error) {
      const failure = typedError(error);
      if (failure.resolution === 'no-data') return [];
      throw Object.assign(failure, { window });
    }
  };
}
