import type { CallOptions } from './call-options.js';
import { isBrand, readMembers } from './check-arguments.js';
import { argumentError, type FailedCall } from './client-error.js';
import { describeValue } from './describe-value.js';
import { brandRule } from './generated/operations.js';

/** What an option must be, in words and as a check. */
export interface OptionRule {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
}

export type OptionRules<Options> = { readonly [Name in keyof Required<Options>]: OptionRule };

export const isFunction = (value: unknown) => typeof value === 'function';
const isWholeNumber = (value: unknown, least: number) => Number.isInteger(value) && Number(value) >= least;
const hasFunction = (value: unknown, name: string) => isFunction(readMembers(value)?.[name]);

/** A number above 0; Infinity is allowed. */
export const positive = (unit: string): OptionRule => ({
  expected: `a number of ${unit} above 0`,
  isValid: (value) => typeof value === 'number' && value > 0,
});
export const wholeNumber = (least: number): OptionRule => ({
  expected: `a whole number of ${least} or more`,
  isValid: (value) => isWholeNumber(value, least),
});
export const objectWith = (expected: string, ...functions: readonly string[]): OptionRule => ({
  expected,
  isValid: (value) => readMembers(value) !== undefined && functions.every((name) => hasFunction(value, name)),
});

/** Names and values that a header can carry: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
export function areHeaders(value: unknown): boolean {
  const headers = readMembers(value);
  return (
    headers !== undefined &&
    Object.entries(headers).every(
      ([name, text]) =>
        /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && typeof text === 'string' && /^[\t -~\x80-\xff]*$/.test(text),
    )
  );
}

export const callOptionRules: OptionRules<CallOptions> = {
  signal: {
    expected: 'an AbortSignal',
    isValid: (value) => value === null || hasFunction(value, 'removeEventListener'),
  },
  timeoutMs: positive('milliseconds'),
  maxRetries: wholeNumber(0),
  headers: {
    expected: 'an object of header names and texts, or a function that gives one',
    isValid: (value) => isFunction(value) || areHeaders(value),
  },
  brand: {
    expected: brandRule.expected,
    isValid: isBrand,
  },
};

/**
 * Checks options, whatever their types claim: an unknown one is rejected and not dropped, since it was meant to do something.
 *
 * @throws ArgumentError that names the option and what it must be, never the value.
 */
export function checkOptions<Options>(call: FailedCall, rules: OptionRules<Options>, given: unknown): void {
  const options = readMembers(given);
  if (!options) throw argumentError(call, `options must be an object; got ${describeValue(given)}`);
  const known = new Map<string, OptionRule>(Object.entries(rules));
  for (const [name, value] of Object.entries(options)) {
    const rule = known.get(name);
    if (!rule) {
      const shown = /^[A-Za-z]{1,24}$/.test(name) ? name : '(not a name)';
      throw argumentError(call, `there is no option ${shown}; the options are ${[...known.keys()].join(', ')}`, shown);
    }
    if (value !== undefined && !rule.isValid(value)) {
      throw argumentError(call, `${name} must be ${rule.expected}; got ${describeValue(value)}`, name);
    }
  }
}
