import type { CallOptions } from './call-options.js';
import { isAllowed, readMembers, readNamed } from './check-arguments.js';
import { argumentError, type FailedCall } from './client-error.js';
import { describeValue } from './describe-value.js';
import { brandRule } from './generated/operations.js';

/** What an option must be, in words and as a check. */
export interface OptionRule {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
}

export type OptionRules<Options> = { readonly [Name in keyof Required<Options>]: OptionRule };

export const isText = (value: unknown) => typeof value === 'string';
export const isFunction = (value: unknown) => typeof value === 'function';

/** A number above 0; Infinity is allowed. */
export const positive = (unit: string): OptionRule => ({
  expected: `a number of ${unit} above 0`,
  isValid: (value) => typeof value === 'number' && value > 0,
});
export const wholeNumber = (least: number, most = Number.POSITIVE_INFINITY): OptionRule => ({
  expected: `a whole number from ${least} to ${most}`,
  isValid: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
});
export const objectWith = (...functions: readonly string[]): OptionRule => ({
  expected: `an object with the functions ${functions.join(', ')}`,
  isValid(value) {
    const members = readMembers(value);
    return members !== undefined && functions.every((name) => isFunction(members[name]));
  },
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

const { isValid: isSignal } = objectWith('removeEventListener');

export const callOptionRules: OptionRules<CallOptions> = {
  signal: { expected: 'an AbortSignal', isValid: (value) => value === null || isSignal(value) },
  timeoutMs: positive('milliseconds'),
  maxRetries: wholeNumber(0),
  headers: {
    expected: 'an object of header names and texts, or a function that gives one',
    isValid: (value) => isFunction(value) || areHeaders(value),
  },
  brand: { expected: brandRule.expected, isValid: (value) => isAllowed(brandRule, value) },
};

/**
 * Checks options, whatever their types claim: an unknown one is rejected and not dropped, since it was meant to do something.
 *
 * @throws ArgumentError that names the option and what it must be, never the value.
 */
export function checkOptions<Options>(call: FailedCall, rules: OptionRules<Options>, given: unknown): void {
  const options = readNamed(call, 'options', Object.keys(rules), given);
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    const value = options[name];
    if (value !== undefined && !rule.isValid(value)) {
      throw argumentError(call, `${name} must be ${rule.expected}; got ${describeValue(value)}`, name);
    }
  }
}
