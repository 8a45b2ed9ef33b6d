import type { Settings } from '../call/call.js';
import { quietly } from '../call/report.js';
import { argumentError } from '../call-error.js';
import { dayNumber } from '../checks/calendar-days.js';
import { aFunction, checkValues, must, type Rules } from '../checks/rules.js';
import { sourceHash } from './trip-identity.js';
import type { TripIterator, TripIteratorOptions } from './trip-iterator.js';
import { dayRule, daysOf, openWindows, readDay, type TripWindow } from './windows.js';

/**
 * Where an iteration stands: vehicle, series and zone, hashed; the days of its window; start and length of its last trip.
 * `undefined` where the text is no cursor.
 */
function readCursor(text: unknown) {
  const [, source, from = '', to = '', id = ''] = /^(\w+)\/(\d{8})\/(\d{8})\/(.+)$/.exec(String(text)) ?? [];
  const [first, last] = [dayNumber(from), dayNumber(to)];
  return first === undefined || last === undefined || first > last ? undefined : { source, first, last, id };
}

const rules = {
  cursor: must('one of an iteration', (value) => !!readCursor(value)),
  onProgress: aFunction,
};

/** An iterator over the trips of any range, made of one operation of the contract that is a series with a date range. */
export function iterateTrips<Trip>(
  settings: Settings,
  name: string,
  given: unknown,
  options: TripIteratorOptions<string> | null | undefined,
): Pick<TripIterator<Trip>, 'cursor' | 'next'> {
  const opened = openWindows<TripIteratorOptions<string>>(settings, `trips.${name}`, name, rules, options);
  const { call, series } = opened;
  const { [series.start]: _start, [series.end]: _end, ...own } = call.operation.parameters;
  const parameterRules: Rules<Record<string, unknown>> = { ...own, from: dayRule, to: dayRule };
  const { from, to, ...parameters } = checkValues(call, 'parameters', parameterRules, given);
  const { cursor, onProgress } = opened.options;
  const [first, last] = [readDay(call, 'from', from), readDay(call, 'to', to)];
  if (first > last) throw argumentError(call, 'to must not be before from', 'to');

  const source = sourceHash(series, parameters);
  const resumed = readCursor(cursor);
  if (resumed && (resumed.source !== source || resumed.first > last)) {
    throw argumentError(call, 'cursor is of another vehicle, series, zone or range', 'cursor');
  }
  const windows = opened.divide(parameters, Math.max(first, resumed?.first ?? first), last);

  let position = cursor;
  async function* iterate(): AsyncGenerator<Trip, undefined> {
    let seen = new Set<string>();
    let windowsRead = 0;
    for await (const { window, trips, invalidTrips, error } of opened.read<Trip, TripWindow>(windows)) {
      if (error) throw error;
      // The interrupted window was read to this trip; with another `windowDays` that may have been several windows.
      const skipTo = resumed && window.first <= resumed.last ? resumed.id : '';
      const fresh = trips.filter(({ id }) => id > skipTo && !seen.has(id));
      seen = new Set(trips.map(({ id }) => id));
      windowsRead += 1;
      const counts = { trips: fresh.length, invalidTrips, windowsRead, windowsTotal: windows.length };
      const days = daysOf(window);
      quietly(() => onProgress?.({ ...days, ...counts }));
      for (const { trip, id } of fresh) {
        opened.check();
        position = `${source}/${days.from}/${days.to}/${id}`;
        yield trip;
      }
    }
  }

  const steps = iterate();
  return {
    next: () => steps.next(),
    get cursor() {
      return position;
    },
  };
}
