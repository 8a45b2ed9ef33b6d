import { dayNumber } from './formats/calendar-date.js';
import { type RequestRule, refuse } from './request-validator.js';

/** `x-date-range` of the contract: the end is not before the start, nor more than so many days after it. */
export function dateRange(start: string, end: string, maxDays: number): RequestRule {
  return (findings, query) => {
    const [first, last] = [query[start], query[end]];
    if (!first || !last) return;
    const days = dayNumber(last) - dayNumber(first);
    if (days >= 0 && days <= maxDays) return;
    const allowed = days < 0 ? 'it must not be before it' : `at most ${maxDays} are allowed`;
    const distance = Math.abs(days);
    findings.name = end;
    refuse(
      findings,
      'dateRange',
      `is ${distance} day${distance === 1 ? '' : 's'} ${days < 0 ? 'before' : 'after'} ${start}; ${allowed}`,
    );
  };
}
