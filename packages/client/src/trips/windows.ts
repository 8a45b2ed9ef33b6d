import { basicDateOf, dayNumber } from '../calendar-days.js';
import { perform, type Settings } from '../call.js';
import { callOptionRules } from '../call-options.js';
import { argumentError, callError, type FailedCall, typedError } from '../client-error.js';
import { AbortedError } from '../errors.js';
import { tripSeries } from '../generated/trip-series.js';
import { quietly } from '../observe.js';
import { checkParameters, type DateRange, type Operation } from '../operation.js';
import { checkValues, isFunction, must, type Rule, type Rules, wholeNumber } from '../rules.js';
import type { WindowOptions } from './trip-iterator.js';

/** An operation whose response is a list of trips over a range of days. */
export interface TripSeries extends DateRange {
  readonly name: string;
  readonly operation: Operation;
  /** Member of `data` that holds the list, and members of an item that hold its start and its length. */
  readonly items: string;
  readonly startTime: string;
  readonly duration: string;
}

/** Days of the calendar as numbers, both included. */
export interface DayWindow {
  readonly first: number;
  readonly last: number;
}

/** What came of reading one window, without throwing. */
type WindowResult<Window> =
  | { readonly window: Window; readonly items: readonly unknown[] }
  | { readonly window: Window; readonly error: unknown };

/** Fetches the items of one window, as they are. */
export type FetchWindow = (window: DayWindow) => Promise<readonly unknown[]>;

export const aFunction = must('a function', isFunction);

/**
 * The windows of an iteration over one series: the only way in which iterators reach the service.
 *
 * @param furtherRules Rules of the options that not every iteration has.
 * @throws ArgumentError where series or options cannot work.
 */
export function openWindows<Options extends WindowOptions>(
  settings: Settings,
  name: unknown,
  furtherRules: Readonly<Record<Exclude<keyof Options, keyof WindowOptions>, Rule>>,
  given: unknown,
) {
  const series = tripSeries.find((one) => one.name === name);
  if (!series) {
    throw argumentError({}, `series must be one of ${tripSeries.map((one) => one.name).join(', ')}`, 'series');
  }
  const { operation, start, end, maxDays, items } = series;
  const call = { ...settings, operation };
  const rules: Rules<WindowOptions> = {
    ...callOptionRules,
    concurrency: wholeNumber(1, 32),
    windowDays: wholeNumber(1, maxDays + 1),
    onInvalidTrip: aFunction,
    ...furtherRules,
  };
  // Each has kept the rule of its name.
  const options = checkValues(call, 'options', rules, given) as Options;
  const { concurrency = 2, windowDays = maxDays + 1, onInvalidTrip, signal: userSignal } = options;
  const { timeoutMs, maxRetries, headers, brand } = options;
  const controller = new AbortController();
  const onAbort = () => controller.abort(userSignal?.reason);

  /** Ends every request under way. */
  function leave() {
    userSignal?.removeEventListener('abort', onAbort);
    controller.abort();
  }
  /** @throws AbortedError where the user's signal has ended the iteration. */
  function check() {
    if (!userSignal?.aborted) return;
    throw callError(call, AbortedError, 'aborted', 'none', 'ended by your signal', { cause: userSignal.reason });
  }

  return {
    series,
    call,
    options,
    check,
    /** The steps of a generator, of which `return()` ends the requests under way first. */
    stepsOf<Item>(generator: AsyncGenerator<Item, undefined>) {
      return {
        next: () => generator.next(),
        return() {
          leave();
          return generator.return(undefined);
        },
      };
    },
    /** Skips the items of a window that are no trips. */
    skip(window: DayWindow, invalid: readonly unknown[]) {
      for (const item of invalid) quietly(() => onInvalidTrip?.({ ...daysOf(window), item }));
    },
    /**
     * @param parameters What the operation needs beside the two days.
     * @throws ArgumentError where these cannot work, before any request.
     */
    fetchWith(parameters: Readonly<Record<string, unknown>>): FetchWindow {
      const paramsOf = ({ from, to }: { readonly from: string; readonly to: string }) =>
        checkParameters(call, { ...parameters, [start]: from, [end]: to });
      paramsOf(daysOf({ first: 0, last: 0 }));
      return async (window) => {
        const days = daysOf(window);
        const callOptions = { timeoutMs, maxRetries, headers, brand, signal: controller.signal };
        try {
          const { data } = await perform(call, paramsOf(days), callOptions);
          // That it is a list has been checked; each trip is looked at when its start is read.
          return data[items] as readonly unknown[];
        } catch (error) {
          const failure = typedError(error);
          if (failure.resolution === 'no-data') return [];
          throw Object.assign(failure, { window: days });
        }
      };
    },
    divide(first: number, last: number): DayWindow[] {
      const windows: DayWindow[] = [];
      for (let day = first; day <= last; day += windowDays) {
        windows.push({ first: day, last: Math.min(last, day + windowDays - 1) });
      }
      return windows;
    },
    /**
     * Reads windows in order, `concurrency` at a time, and none further ahead. A failed window is a result, so that the
     * consumer decides whether the others continue.
     */
    async *read<Window>(
      windows: readonly Window[],
      fetchWindow: (window: Window) => Promise<readonly unknown[]>,
    ): AsyncGenerator<WindowResult<Window>, undefined> {
      const ahead: Promise<WindowResult<Window>>[] = [];
      let started = 0;
      const readAhead = () => {
        const next = windows.slice(started, started + concurrency - ahead.length);
        started += next.length;
        for (const window of next) {
          ahead.push(
            fetchWindow(window).then(
              (found) => ({ window, items: found }),
              (error: unknown) => ({ window, error }),
            ),
          );
        }
      };
      try {
        check();
        userSignal?.addEventListener('abort', onAbort);
        for (readAhead(); ahead[0]; ) {
          const result = await ahead[0];
          ahead.shift();
          readAhead();
          check();
          yield result;
        }
      } finally {
        leave();
      }
      return undefined;
    },
  };
}

/** First and last day of a window, yyyyMMdd. */
export function daysOf({ first, last }: DayWindow): { readonly from: string; readonly to: string } {
  return { from: basicDateOf(first), to: basicDateOf(last) };
}

/** The number of a day written yyyyMMdd or yyyy-MM-dd. */
export function readDay(call: FailedCall, name: string, day: unknown): number {
  const number = typeof day === 'string' ? dayNumber(day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$1$2$3')) : undefined;
  if (number !== undefined) return number;
  throw argumentError(call, `${name} must be a real day, yyyyMMdd or yyyy-MM-dd, for example 2026-03-09`, name);
}
