import type { FailedCall } from '../call-error.js';
import { brandRule } from '../generated/operations.js';
import { hookNames, logLevels } from '../observe.js';
import type { CallOptions, ClientOverrides, VehicleDataClientOptions } from '../options.js';
import {
  aFunction,
  describeValue,
  invalidValue,
  isFunction,
  isObject,
  isText,
  membersOf,
  must,
  objectOf,
  objectWith,
  oneOf,
  positive,
  type Rule,
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

/** Names that a header can have, without those of the client: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
const headerName = /^(?!(authorization|brand|x-api-key)$)[!#$%&'*+.^_`|~\w-]+$/i;
const headerValue = /^[\t -~\x80-\xff]*$/;
const areHeaders = must(
  'Headers, or an object of texts, without Authorization, Brand and X-Api-Key, or a function that gives one',
  (value) => (value instanceof Headers || isObject(value)) && wrongHeader(value) === undefined,
);

/** The entries of a headers argument. A value that is undefined is left out. */
function headerEntries(value: unknown): readonly (readonly [string, unknown])[] {
  const entries = value instanceof Headers ? [...value] : Object.entries(membersOf(value) ?? {});
  return entries.filter(([, text]) => text !== undefined);
}

/** The first entry that a request cannot carry. */
const wrongHeader = (value: unknown) =>
  headerEntries(value).find(([name, text]) => !headerName.test(name) || !isText(text) || !headerValue.test(text));

/**
 * Names and values of headers that user code gives.
 *
 * @throws ArgumentError that names the header, if its name can be one.
 */
export function readHeaders(call: FailedCall, given: unknown): readonly (readonly [string, string])[] {
  if (!areHeaders.isValid(given)) throw invalidValue(call, 'headers', headersRule, given);
  return headerEntries(given).map(([name, text]) => [name, `${text}`]);
}

const headersRule: Rule = {
  ...areHeaders,
  isValid: (value) => isFunction(value) || areHeaders.isValid(value),
  describe(value) {
    const name = wrongHeader(value)?.[0];
    // A name can be a value by mistake, so only what looks like a name is repeated.
    return name && /^[\w-]{1,40}$/.test(name) ? `${describeValue(value)} with ${name}` : undefined;
  },
};

/** An AbortSignal, also of another realm. */
const { isValid: isSignal } = objectWith('removeEventListener');

const signal = must('an AbortSignal', (value) => value === null || isSignal(value));
const timeoutMs = positive('milliseconds');
const maxRetries = wholeNumber(0);

export const callOptionRules: Rules<CallOptions<string>> = {
  signal,
  headers: headersRule,
  brand: brandRule,
  timeoutMs,
  maxRetries,
};

export const overrideRules: Rules<ClientOverrides<string>> = {
  ...callOptionRules,
  accessToken: tokenRule,
  apiKey: text('visible ASCII characters', /^[!-~]+$/),
  hooks: objectOf('hooks', Object.fromEntries(hookNames.map((name) => [name, aFunction]))),
  logger: objectWith('debug', 'warn', 'error'),
  logLevel: oneOf(...logLevels),
  tag: text('1 to 100 characters', /^.{1,100}$/su),
};

/** Names that a header can carry and that a path of an archive can have. */
const brandName = /^[0-9A-Za-z._-]{1,64}$/;

export const optionRules: Rules<VehicleDataClientOptions<string>> = {
  ...overrideRules,
  baseUrl: {
    expected: 'an http(s) address without user, query and fragment',
    isValid: (value) => /^https?:\/\/[^\s?#@{}]+$/.test(`${value}`) && URL.canParse(`${value}`),
    isRequired: true,
  },
  brands: must(
    'a list of brand names, each of 1 to 64 ASCII letters, digits, dots, hyphens and underscores',
    (value) => Array.isArray(value) && value.length > 0 && value.every((one) => isText(one) && brandName.test(one)),
  ),
  fetch: must('a function that gives a Response', isFunction),
  maxConcurrency: wholeNumber(1),
  rateLimitScope: oneOf('credentials', 'brand', 'client'),
  maxResponseBytes: positive('bytes'),
  validate: objectOf('validate', {
    responses: { ...aFunction, isRequired: true },
    mode: oneOf('off', 'report', 'enforce'),
  }),
  docsUrl: must('an http(s) address', (value) => isText(value) && /^https?:/.test(value) && URL.canParse(value)),
  clock: objectWith('now', 'after', 'random'),
};
