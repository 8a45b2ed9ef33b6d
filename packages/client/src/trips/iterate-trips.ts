import { basicDateOf } from '../calendar-days.js';
import type { Settings } from '../call.js';
import { argumentError } from '../client-error.js';
import { quietly } from '../observe.js';
import { checkValues, membersOf, type Rules } from '../rules.js';
import { createFetchWindow } from './fetch-window.js';
import { createLeaving, leavable } from './leave.js';
import { divideDays, readInOrder } from './read-windows.js';
import { readCursor, writeCursor } from './trip-cursor.js';
import { identifyTrips, sourceHash } from './trip-identity.js';
import type { TripIterator, TripIteratorOptions } from './trip-iterator.js';
import { seriesOf } from './trip-series.js';
import { aFunction, readDay, windowOptionRules } from './window-options.js';

/** An iterator over the trips of any range, made of one operation of the contract that is a series with a date range. */
export function iterateTrips<Trip>(
  settings: Settings,
  name: string,
  given: unknown,
  options: TripIteratorOptions,
): Omit<TripIterator<Trip>, typeof Symbol.asyncIterator> {
  const series = seriesOf(name);
  const call = { ...settings, operation: series.operation };
  const { from, to, ...parameters } = membersOf(given) ?? {};
  const rules: Rules<TripIteratorOptions> = {
    ...windowOptionRules(series),
    cursor: { expected: 'the cursor of an iteration', isValid: (value) => readCursor(value) !== undefined },
    onProgress: aFunction,
  };
  const checked = checkValues(call, 'options', rules, options);
  const {
    concurrency = 2,
    windowDays = series.maxDays + 1,
    cursor,
    onProgress,
    onInvalidTrip,
    signal,
    ...callOptions
  } = checked;
  const [first, last] = [readDay(call, 'from', from), readDay(call, 'to', to)];
  if (first > last) throw argumentError(call, 'to must not be before from', 'to');
  const fetchWindow = createFetchWindow(settings, series, parameters, callOptions);

  const source = sourceHash(series, parameters);
  const resumed = cursor === undefined ? undefined : readCursor(cursor);
  if (resumed && resumed.source !== source) {
    throw argumentError(call, 'cursor is one of another vehicle, series or zone', 'cursor');
  }
  if (resumed && resumed.window.first > last) {
    throw argumentError(call, 'cursor is after the range: to must not be before it', 'cursor');
  }
  const windows = divideDays(Math.max(first, resumed?.window.first ?? first), last, windowDays);
  const leaving = createLeaving(call, signal);
  let position = cursor;

  async function* iterate(): AsyncGenerator<Trip, undefined> {
    let seen = new Set<string>();
    let windowsRead = 0;
    try {
      leaving.check();
      const results = readInOrder(windows, concurrency, (window) => fetchWindow(window, leaving.signal));
      for await (const result of results) {
        leaving.check();
        if ('error' in result) throw result.error;
        const { window } = result;
        const { trips, invalid } = identifyTrips<Trip>(series, result.trips);
        // The interrupted window was read to this trip; with another `windowDays` that may have been several windows.
        const skipTo = resumed && window.first <= resumed.window.last ? resumed.id : '';
        const fresh = trips.filter(({ id }) => id > skipTo && !seen.has(id));
        seen = new Set(trips.map(({ id }) => id));
        windowsRead += 1;
        const range = { from: basicDateOf(window.first), to: basicDateOf(window.last) };
        const counts = { trips: fresh.length, invalidTrips: invalid.length };
        for (const item of invalid) quietly(() => onInvalidTrip?.({ ...range, item }));
        quietly(() => onProgress?.({ ...range, ...counts, windowsRead, windowsTotal: windows.length }));
        for (const { trip, id } of fresh) {
          leaving.check();
          position = writeCursor({ source, window, id });
          yield trip;
        }
      }
    } finally {
      leaving.end();
    }
    return undefined;
  }

  return {
    get cursor() {
      return position;
    },
    ...leavable(iterate(), leaving),
  };
}
