import { createAccessTokens } from './access-token.js';
import { createApi } from './api.js';
import type { Settings } from './call.js';
import {
  areHeaders,
  callOptionRules,
  checkOptions,
  isFunction,
  type OptionRules,
  objectWith,
  positive,
  wholeNumber,
} from './check-options.js';
import { argumentError } from './client-error.js';
import type { ClientOverrides, VehicleDataClientOptions } from './client-options.js';
import { systemClock } from './clock.js';
import { logLevels } from './observe.js';
import { createRateGate } from './rate-gate.js';

const overrideRules: OptionRules<ClientOverrides> = {
  brand: callOptionRules.brand,
  signal: callOptionRules.signal,
  headers: callOptionRules.headers,
  accessToken: {
    expected: 'a text, a function that gives one, or null where a proxy adds the token',
    isValid: (value) => value === null || typeof value === 'string' || isFunction(value),
  },
  apiKey: {
    expected: 'a text of visible ASCII characters',
    isValid: (value) => typeof value === 'string' && /^[!-~]+$/.test(value) && areHeaders({ value }),
  },
};

const hookNames = ['onRequest', 'onResponse', 'onRetry', 'onThrottle', 'onError', 'onInvalidResponse'];

const optionRules: OptionRules<VehicleDataClientOptions> = {
  ...overrideRules,
  baseUrl: {
    expected: 'an http or https address without user, query and fragment',
    isValid: (value) => {
      const text = String(value);
      return /^https?:\/\/[^\s?#@{}]+$/.test(text) && URL.canParse(text);
    },
  },
  fetch: { expected: 'a function (url, init) that gives a Response', isValid: isFunction },
  timeoutMs: callOptionRules.timeoutMs,
  maxRetries: callOptionRules.maxRetries,
  maxRetryDelayMs: { ...positive('milliseconds, or 0,'), isValid: (value) => Number(value) >= 0 },
  maxConcurrency: wholeNumber(1),
  maxResponseBytes: positive('bytes'),
  validate: objectWith('an object with the function responses', 'responses'),
  hooks: {
    expected: `an object of functions, named ${hookNames.join(', ')}`,
    isValid: (value) =>
      objectWith('').isValid(value) &&
      Object.entries(value as object).every(
        ([name, hook]) => hookNames.includes(name) && (hook === undefined || isFunction(hook)),
      ),
  },
  logger: objectWith('an object with the functions debug, warn and error', 'debug', 'warn', 'error'),
  logLevel: { expected: logLevels.join(' or '), isValid: (value) => logLevels.some((level) => level === value) },
  docsUrl: { expected: 'a text', isValid: (value) => typeof value === 'string' },
  clock: objectWith('an object with the functions now, after and random', 'now', 'after', 'random'),
};

/**
 * Checks the options of a client and puts every default in place.
 *
 * @throws ArgumentError when an option is unknown or cannot work.
 */
export function readOptions(options: VehicleDataClientOptions): Settings {
  checkOptions({}, optionRules, options);
  if (!optionRules.baseUrl.isValid(options.baseUrl)) {
    throw argumentError({}, `baseUrl must be ${optionRules.baseUrl.expected}; got undefined`, 'baseUrl');
  }
  const baseUrl = String(options.baseUrl).replace(/\/+$/, '');
  const {
    clock = systemClock,
    accessToken,
    apiKey,
    headers,
    signal,
    brand,
    validate,
    hooks,
    logger,
    logLevel,
  } = options;
  return {
    brand,
    apiKey,
    validate,
    hooks,
    logger,
    logLevel,
    clock,
    docsUrl: options.docsUrl ?? `${baseUrl}/docs`,
    api: createApi(baseUrl),
    // Looked up at each call, so that an instrumented fetch is found.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    headers: headers ? [headers] : [],
    signals: signal ? [signal] : [],
    tokens: tokensOf(accessToken, apiKey),
    gate: createRateGate(options.maxConcurrency ?? Number.POSITIVE_INFINITY, clock),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 2,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 20_000,
    maxResponseBytes: options.maxResponseBytes ?? 64 * 1024 * 1024,
  };
}

/** The settings of a client with other ones for a user or a brand; rate limit and transport stay shared. */
export function overrideSettings(settings: Settings, overrides: ClientOverrides): Settings {
  checkOptions({ settings }, overrideRules, overrides);
  const { accessToken, apiKey = settings.apiKey, headers, signal, brand = settings.brand } = overrides;
  return {
    ...settings,
    brand,
    apiKey,
    headers: headers ? [...settings.headers, headers] : settings.headers,
    signals: signal ? [...settings.signals, signal] : settings.signals,
    tokens: accessToken === undefined ? settings.tokens : tokensOf(accessToken, apiKey),
  };
}

/** With an API key and no token, or with `null`, none is sent: the proxy adds it. */
function tokensOf(accessToken: ClientOverrides['accessToken'], apiKey: string | undefined): Settings['tokens'] {
  const isNone = accessToken === null || (accessToken === undefined && apiKey !== undefined);
  return isNone ? null : createAccessTokens(accessToken);
}
