import { dayNumber } from '../calendar-days.js';
import { callOptionRules } from '../call-option-rules.js';
import { argumentError, type FailedCall } from '../client-error.js';
import { isFunction, type Rule, type Rules, wholeNumber } from '../rules.js';
import type { WindowOptions } from './trip-iterator.js';
import type { TripSeries } from './trip-series.js';

export const aFunction: Rule = { expected: 'a function', isValid: isFunction };

/** Rules of the options that every iteration has. */
export function windowOptionRules({ maxDays }: TripSeries): Rules<WindowOptions> {
  return {
    ...callOptionRules,
    concurrency: wholeNumber(1, 32),
    windowDays: wholeNumber(1, maxDays + 1),
    onInvalidTrip: aFunction,
  };
}

/** The number of a day written yyyyMMdd or yyyy-MM-dd. */
export function readDay(call: FailedCall, name: string, day: unknown): number {
  const number = typeof day === 'string' ? dayNumber(day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$1$2$3')) : undefined;
  if (number !== undefined) return number;
  throw argumentError(call, `${name} must be a real day, yyyyMMdd or yyyy-MM-dd, for example 2026-03-09`, name);
}
