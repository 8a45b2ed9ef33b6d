import type { CallOptions } from './call-options.js';
import { brandRule } from './generated/operations.js';
import { isFunction, isText, membersOf, objectWith, positive, type Rules, wholeNumber } from './rules.js';

/** Names and values that a header can carry: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
export function areHeaders(value: unknown): value is Readonly<Record<string, string>> {
  const headers = membersOf(value);
  return (
    headers !== undefined &&
    Object.entries(headers).every(
      ([name, text]) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && isText(text) && /^[\t -~\x80-\xff]*$/.test(text),
    )
  );
}

/** An AbortSignal, also of another realm. */
const { isValid: isSignal } = objectWith('removeEventListener');

export const callOptionRules: Rules<CallOptions> = {
  signal: { expected: 'an AbortSignal', isValid: (value) => value === null || isSignal(value) },
  timeoutMs: positive('milliseconds'),
  maxRetries: wholeNumber(0),
  headers: {
    expected: 'an object of header names and texts, or a function that gives one',
    isValid: (value) => isFunction(value) || areHeaders(value),
  },
  brand: brandRule,
};
