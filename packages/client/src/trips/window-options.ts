import { dayNumber } from '../calendar-days.js';
import { callOptionRules, isFunction, type OptionRule, type OptionRules, wholeNumber } from '../check-options.js';
import { argumentError, type FailedCall } from '../client-error.js';
import type { Operation } from '../operation.js';
import type { WindowOptions } from './trip-iterator.js';

export const aFunction: OptionRule = { expected: 'a function', isValid: isFunction };

/** Rules of the options that every iteration has. */
export function windowOptionRules({ range }: Operation): OptionRules<WindowOptions> {
  return {
    ...callOptionRules,
    concurrency: wholeNumber(1, 32),
    windowDays: wholeNumber(1, (range?.maxDays ?? 0) + 1),
    onInvalidTrip: aFunction,
  };
}

/** The number of a day written yyyyMMdd or yyyy-MM-dd. */
export function readDay(call: FailedCall, name: string, day: unknown): number {
  const number = typeof day === 'string' ? dayNumber(day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$1$2$3')) : undefined;
  if (number !== undefined) return number;
  throw argumentError(call, `${name} must be a real day, yyyyMMdd or yyyy-MM-dd, for example 2026-03-09`, name);
}
