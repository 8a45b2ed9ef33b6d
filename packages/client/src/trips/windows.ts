import type { Settings } from '../call/call.js';
import { abortedError } from '../call/deadline.js';
import { perform } from '../call/perform-call.js';
import { quietly } from '../call/report.js';
import { errorResponses } from '../call/response-error.js';
import { override } from '../call/settings.js';
import { argumentError, type FailedCall, typedError } from '../call-error.js';
import { basicDateOf, dayNumber, msPerDay } from '../checks/calendar-days.js';
import { callOptionRules } from '../checks/option-rules.js';
import { checkParameters } from '../checks/parameters.js';
import {
  aFunction,
  checkValues,
  invalidValue,
  isText,
  must,
  type Rule,
  type Rules,
  wholeNumber,
} from '../checks/rules.js';
import type { VehicleDataError, WindowFacts } from '../errors.js';
import { tripSeries } from '../generated/trip-series.js';
import { type IdentifiedTrip, identifyTrips } from './trip-identity.js';
import type { WindowOptions } from './trip-iterator.js';

/** Days of the calendar as numbers, both included. */
export interface DayWindow {
  readonly first: number;
  readonly last: number;
}

/** The days of one request, and what the operation needs beside them. */
export interface TripWindow extends DayWindow {
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What came of reading one window: its trips, or why there are none. */
interface WindowResult<Window, Trip> {
  readonly window: Window;
  readonly trips: readonly IdentifiedTrip<Trip>[];
  readonly invalidTrips: number;
  readonly error: VehicleDataError | undefined;
  /** The day on which the service says that it has responded, if it does. */
  readonly servedOn: number | undefined;
}

/**
 * The windows of an iteration over one series: the only way in which iterators reach the service.
 *
 * @param method Name of the method that iterates, for messages.
 * @param furtherRules Rules of the options that not every iteration has.
 * @throws ArgumentError where series or options cannot work.
 */
export function openWindows<Options extends WindowOptions<string>>(
  settings: Settings,
  method: string,
  name: unknown,
  furtherRules: Readonly<Record<Exclude<keyof Options, keyof WindowOptions<string>>, Rule>>,
  given: unknown,
) {
  const series = tripSeries.find((one) => one.name === name);
  if (!series) {
    const names = tripSeries.map((one) => one.name).join(' or ');
    throw argumentError(settings, `${method}: series must be ${names}`, 'series');
  }
  const { operation, start, end, maxDays, items } = series;
  const target = { ...settings, operation: { ...operation, name: method } };
  const rules: Rules<WindowOptions<string>> = {
    ...callOptionRules,
    brand: settings.brandRule,
    concurrency: wholeNumber(1, 32),
    windowDays: wholeNumber(1, maxDays + 1),
    onInvalidTrip: aFunction,
    ...furtherRules,
  };
  const checked = checkValues(target, 'options', rules, given ?? {});
  // Each has kept the rule of its name.
  const options = checked as Options;
  const { concurrency = 2, windowDays = maxDays + 1, onInvalidTrip } = options;
  const call = override(target, checked);

  const paramsOf = (window: TripWindow) => {
    const { from, to } = daysOf(window);
    return checkParameters(call, { ...window.parameters, [start]: from, [end]: to });
  };

  /** Reads a window. A failure is a result, so that the consumer decides whether the others continue. */
  async function readWindow(
    window: TripWindow,
  ): Promise<{ items: unknown; servedOn?: number; error?: VehicleDataError }> {
    try {
      const { data, meta } = await perform(call, paramsOf(window));
      return { items: data[items], servedOn: dayOf(meta.timestamp) };
    } catch (cause) {
      const error = typedError(cause);
      return error.resolution === 'no-data'
        ? { items: [], servedOn: dayOf(errorResponses.get(error)?.error.error['timestamp']) }
        : { items: [], error: Object.assign(error, { window: daysOf(window) }) };
    }
  }

  return {
    series,
    call,
    options,
    /** @throws AbortedError where a signal has ended the iteration. */
    check() {
      const error = abortedError(call);
      if (error) throw error;
    },
    /**
     * Divides a range into windows.
     *
     * @param parameters What the operation needs beside the two days.
     * @throws ArgumentError where these cannot work.
     */
    divide(parameters: TripWindow['parameters'], first: number, last: number): TripWindow[] {
      paramsOf({ parameters, first, last: first });
      const windows: TripWindow[] = [];
      for (let day = first; day <= last; day += windowDays) {
        windows.push({ parameters, first: day, last: Math.min(last, day + windowDays - 1) });
      }
      return windows;
    },
    /** Reads windows in order, `concurrency` at a time, and none further ahead. */
    async *read<Trip, Window extends TripWindow>(
      windows: Iterable<Window>,
    ): AsyncGenerator<WindowResult<Window, Trip>, void> {
      const waiting = windows[Symbol.iterator]();
      const ahead: { window: Window; reading: ReturnType<typeof readWindow> }[] = [];
      const readAhead = () => {
        while (ahead.length < concurrency) {
          const { done, value: window } = waiting.next();
          if (done) return;
          ahead.push({ window, reading: readWindow(window) });
        }
      };
      readAhead();
      for (let next = ahead.shift(); next; next = ahead.shift()) {
        const { window, reading } = next;
        const { items: found, error, servedOn } = await reading;
        readAhead();
        const { trips, invalid } = identifyTrips<Trip>(series, found);
        for (const item of invalid) quietly(() => onInvalidTrip?.({ ...daysOf(window), item }));
        yield { window, trips, invalidTrips: invalid.length, error, servedOn };
      }
    },
  };
}

/** The day of a time that the service gives; NaN where it gives none. */
const dayOf = (timestamp: unknown) => Math.floor(Date.parse(isText(timestamp) ? timestamp : '') / msPerDay);

/** First and last day of a window, yyyyMMdd. */
export function daysOf({ first, last }: DayWindow): WindowFacts {
  return { from: basicDateOf(first), to: basicDateOf(last) };
}

/** A day as text; `readDay` checks that it exists. */
export const dayRule: Rule = {
  ...must('a real day, written yyyyMMdd or yyyy-MM-dd, for example 2026-03-09', isText),
  isDay: true,
  isRequired: true,
};

/** The number of a day written yyyyMMdd or yyyy-MM-dd. */
export function readDay(call: FailedCall, name: string, day: unknown): number {
  const basicDate = `${day}`.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$1$2$3');
  const number = dayNumber(basicDate);
  if (number === undefined) throw invalidValue(call, name, dayRule, basicDate);
  return number;
}
