import { dayNumber } from './formats.js';
import { type RequestRule, reject } from './request-validator.js';

/** `x-date-range` of the contract: the end is not before the start, nor more than so many days after it. */
export function dateRange(start: string, end: string, maxDays: number): RequestRule {
  return (findings, query) => {
    // Not a number where one of the days is missing or invalid.
    const days = dayNumber(Number(query[end])) - dayNumber(Number(query[start]));
    if (!(days < 0 || days > maxDays)) return;
    const distance = Math.abs(days);
    const words =
      days < 0 ? `before ${start}; it must not be before it` : `after ${start}; at most ${maxDays} are allowed`;
    findings.name = end;
    reject(findings, 'dateRange', `is ${distance} day${distance === 1 ? '' : 's'} ${words}`);
  };
}

/** `x-wide-effect` of the contract: a bare `?` is no way to say that the narrowing parameter was left out on purpose. */
export function wideEffect(parameter: string): RequestRule {
  return (findings, _, { query }) => {
    if (query === '?') reject(findings, 'emptyQuery', `must be left out altogether, or hold ${parameter}`);
  };
}
