import { createAccessTokens } from './access-token.js';
import { createApi } from './api.js';
import type { Settings } from './call.js';
import { callOptionRules } from './call-option-rules.js';
import type { CallOptions } from './call-options.js';
import type { ClientOverrides, VehicleDataClientOptions } from './client-options.js';
import { systemClock } from './clock.js';
import { hookNames, logLevels } from './observe.js';
import { createRateGate } from './rate-gate.js';
import {
  checkValues,
  isFunction,
  isObject,
  isText,
  objectWith,
  oneOf,
  positive,
  type Rules,
  text,
  wholeNumber,
} from './rules.js';

const { timeoutMs, maxRetries, ...shared } = callOptionRules;
const overrideRules: Rules<ClientOverrides> = {
  ...shared,
  accessToken: {
    expected: 'a text, a function that gives one, or null where a proxy adds the token',
    isValid: (value) => value === null || isText(value) || isFunction(value),
  },
  apiKey: text('a text of visible ASCII characters', /^[!-~]+$/),
};

const optionRules: Rules<VehicleDataClientOptions> = {
  ...overrideRules,
  baseUrl: {
    expected: 'an http or https address without user, query and fragment',
    isValid: (value) => /^https?:\/\/[^\s?#@{}]+$/.test(`${value}`) && URL.canParse(`${value}`),
    isRequired: true,
  },
  fetch: { expected: 'a function (url, init) that gives a Response', isValid: isFunction },
  timeoutMs,
  maxRetries,
  maxRetryDelayMs: { ...positive('milliseconds, or 0,'), isValid: (value) => Number(value) >= 0 },
  maxConcurrency: wholeNumber(1),
  maxResponseBytes: positive('bytes'),
  validate: objectWith('responses'),
  hooks: {
    expected: `an object of functions, named ${hookNames.join(', ')}`,
    isValid: (value) =>
      isObject(value) &&
      Object.entries(Object(value)).every(
        ([name, hook]) => hookNames.includes(name) && (hook === undefined || isFunction(hook)),
      ),
  },
  logger: objectWith('debug', 'warn', 'error'),
  logLevel: oneOf(...logLevels),
  docsUrl: { expected: 'a text', isValid: isText },
  clock: objectWith('now', 'after', 'random'),
};

/**
 * Checks the options of a client and puts every default in place.
 *
 * @throws ArgumentError when an option is unknown or cannot work.
 */
export function readOptions(options: VehicleDataClientOptions): Settings {
  const {
    baseUrl: address,
    maxConcurrency,
    headers,
    signal,
    accessToken,
    ...given
  } = checkValues({}, 'options', optionRules, options);
  const baseUrl = `${address}`.replace(/\/+$/, '');
  const defaults = {
    clock: systemClock,
    // Looked up at each call, so that an instrumented fetch is found.
    fetch: (url, init) => globalThis.fetch(url, init),
    timeoutMs: 30_000,
    maxRetries: 2,
    maxRetryDelayMs: 20_000,
    maxResponseBytes: 64 * 1024 * 1024,
    docsUrl: `${baseUrl}/docs`,
  } satisfies Partial<Settings>;
  const settings = { ...defaults, ...given };
  return override(
    {
      ...settings,
      api: createApi(baseUrl),
      gate: createRateGate(maxConcurrency ?? Number.POSITIVE_INFINITY, settings.clock),
      headers: [],
      signals: [],
    },
    { headers, signal, accessToken },
  );
}

/** The settings of a client with other ones for a user or a brand; rate limit and transport stay shared. */
export function overrideSettings(settings: Settings, overrides: ClientOverrides): Settings {
  return override(settings, checkValues(settings, 'options', overrideRules, overrides));
}

/** Settings with checked options over them; headers and signals add to those that there are. */
export function override<Base extends Settings>(
  base: Base,
  { headers, signal, accessToken, ...others }: ClientOverrides & CallOptions,
): Base {
  return {
    ...base,
    ...others,
    headers: headers ? [...base.headers, headers] : base.headers,
    signals: signal ? [...base.signals, signal] : base.signals,
    tokens: accessToken === undefined ? base.tokens : accessToken === null ? null : createAccessTokens(accessToken),
  };
}
