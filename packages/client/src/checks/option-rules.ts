import { brandRule } from '../generated/operations.js';
import { hookNames, logLevels } from '../observe.js';
import type { CallOptions, ClientOverrides, VehicleDataClientOptions } from '../options.js';
import {
  aFunction,
  isFunction,
  isText,
  membersOf,
  must,
  objectOf,
  objectWith,
  oneOf,
  positive,
  type Rules,
  text,
  wholeNumber,
} from './rules.js';

/** The form of https://www.rfc-editor.org/rfc/rfc6750#section-2.1; a header that rejects a token would quote it. */
export const isToken = (value: unknown): value is string => isText(value) && /^[\w~+/.-]+=*$/.test(value);

export const tokenRule = must(
  'a token without "Bearer", a function that gives one, or null',
  (value) => value === null || isFunction(value) || isToken(value),
);

/** Names and values that a header can carry, without those of the client: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
export function areHeaders(value: unknown): value is Readonly<Record<string, string>> {
  const headers = membersOf(value);
  return (
    headers !== undefined &&
    Object.entries(headers).every(
      ([name, text]) =>
        /^(?!(authorization|brand|x-api-key)$)[!#$%&'*+.^_`|~\w-]+$/i.test(name) &&
        isText(text) &&
        /^[\t -~\x80-\xff]*$/.test(text),
    )
  );
}

/** An AbortSignal, also of another realm. */
const { isValid: isSignal } = objectWith('removeEventListener');

/** Of the options that a client has as well, and that differ between users. */
export const sharedRules: Rules<Pick<CallOptions, 'signal' | 'headers' | 'brand'>> = {
  signal: must('an AbortSignal', (value) => value === null || isSignal(value)),
  headers: must(
    'an object of texts without Authorization, Brand and X-Api-Key, or a function that gives one',
    (value) => isFunction(value) || areHeaders(value),
  ),
  brand: brandRule,
};

export const callOptionRules: Rules<CallOptions> = {
  ...sharedRules,
  timeoutMs: positive('milliseconds'),
  maxRetries: wholeNumber(0),
};

export const overrideRules: Rules<ClientOverrides> = {
  ...sharedRules,
  accessToken: tokenRule,
  apiKey: text('visible ASCII characters', /^[!-~]+$/),
};

export const optionRules: Rules<VehicleDataClientOptions> = {
  ...callOptionRules,
  ...overrideRules,
  baseUrl: {
    expected: 'an http(s) address without user, query and fragment',
    isValid: (value) => /^https?:\/\/[^\s?#@{}]+$/.test(`${value}`) && URL.canParse(`${value}`),
    isRequired: true,
  },
  fetch: must('a function that gives a Response', isFunction),
  maxConcurrency: wholeNumber(1),
  maxResponseBytes: positive('bytes'),
  validate: objectOf('validate', {
    responses: { ...aFunction, isRequired: true },
    mode: oneOf('off', 'report', 'enforce'),
  }),
  hooks: objectOf('hooks', Object.fromEntries(hookNames.map((name) => [name, aFunction]))),
  logger: objectWith('debug', 'warn', 'error'),
  logLevel: oneOf(...logLevels),
  docsUrl: must('a text', isText),
  clock: objectWith('now', 'after', 'random'),
};
