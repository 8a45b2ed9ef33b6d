import { createAccessTokens } from './access-token.js';
import { createApi } from './api.js';
import type { Settings } from './call.js';
import {
  callOptionRules,
  checkOptions,
  isFunction,
  isText,
  type OptionRules,
  objectWith,
  positive,
  wholeNumber,
} from './check-options.js';
import { argumentError } from './client-error.js';
import type { ClientOverrides, VehicleDataClientOptions } from './client-options.js';
import { systemClock } from './clock.js';
import { hookNames, logLevels } from './observe.js';
import { createRateGate } from './rate-gate.js';

const { brand, signal, headers, timeoutMs, maxRetries } = callOptionRules;
const overrideRules: OptionRules<ClientOverrides> = {
  brand,
  signal,
  headers,
  accessToken: {
    expected: 'a text, a function that gives one, or null where a proxy adds the token',
    isValid: (value) => value === null || isText(value) || isFunction(value),
  },
  apiKey: {
    expected: 'a text of visible ASCII characters',
    isValid: (value) => isText(value) && /^[!-~]+$/.test(`${value}`),
  },
};

const optionRules: OptionRules<VehicleDataClientOptions> = {
  ...overrideRules,
  baseUrl: {
    expected: 'an http or https address without user, query and fragment',
    isValid: (value) => /^https?:\/\/[^\s?#@{}]+$/.test(`${value}`) && URL.canParse(`${value}`),
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
      objectWith().isValid(value) &&
      Object.entries(Object(value)).every(
        ([name, hook]) => hookNames.includes(name) && (hook === undefined || isFunction(hook)),
      ),
  },
  logger: objectWith('debug', 'warn', 'error'),
  logLevel: { expected: logLevels.join(' or '), isValid: (value) => logLevels.some((level) => level === value) },
  docsUrl: { expected: 'a text', isValid: isText },
  clock: objectWith('now', 'after', 'random'),
};

/**
 * Checks the options of a client and puts every default in place.
 *
 * @throws ArgumentError when an option is unknown or cannot work.
 */
export function readOptions(options: VehicleDataClientOptions): Settings {
  checkOptions({}, optionRules, options);
  const {
    baseUrl: address,
    clock = systemClock,
    // Looked up at each call, so that an instrumented fetch is found.
    fetch = (url, init) => globalThis.fetch(url, init),
    timeoutMs = 30_000,
    maxRetries = 2,
    maxRetryDelayMs = 20_000,
    maxResponseBytes = 64 * 1024 * 1024,
    maxConcurrency = Number.POSITIVE_INFINITY,
    docsUrl,
    headers,
    signal,
    accessToken,
    ...others
  } = options;
  if (address === undefined) throw argumentError({}, `baseUrl must be ${optionRules.baseUrl.expected}`, 'baseUrl');
  const baseUrl = String(address).replace(/\/+$/, '');
  const settings = {
    ...others,
    clock,
    fetch,
    timeoutMs,
    maxRetries,
    maxRetryDelayMs,
    maxResponseBytes,
    docsUrl: docsUrl ?? `${baseUrl}/docs`,
    api: createApi(baseUrl),
    gate: createRateGate(maxConcurrency, clock),
    headers: [],
    signals: [],
    // With an API key and no token, the proxy adds it.
    tokens: others.apiKey === undefined ? createAccessTokens(undefined) : null,
  };
  return override(settings, { headers, signal, accessToken });
}

/** The settings of a client with other ones for a user or a brand; rate limit and transport stay shared. */
export function overrideSettings(settings: Settings, overrides: ClientOverrides): Settings {
  checkOptions({ settings }, overrideRules, overrides);
  return override(settings, overrides);
}

function override(settings: Settings, overrides: ClientOverrides): Settings {
  const { accessToken, apiKey = settings.apiKey, headers, signal, brand = settings.brand } = overrides;
  const { tokens } = settings;
  return {
    ...settings,
    brand,
    apiKey,
    headers: headers ? [...settings.headers, headers] : settings.headers,
    signals: signal ? [...settings.signals, signal] : settings.signals,
    tokens: accessToken === undefined ? tokens : accessToken === null ? null : createAccessTokens(accessToken),
  };
}
