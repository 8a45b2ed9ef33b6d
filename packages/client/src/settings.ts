import createClient from 'openapi-fetch';
import { createAccessTokens } from './call/access-token.js';
import type { Api, Settings, Target } from './call/call.js';
import { callOptionRules, optionRules, overrideRules } from './checks/option-rules.js';
import { checkValues, copyOf } from './checks/rules.js';
import type { paths } from './generated/types.js';
import type { CallOptions, ClientOverrides, Clock, VehicleDataClientOptions } from './options.js';

const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    // A longer delay than 32 bits hold would pass at once; this one is 24 days.
    const timer = setTimeout(run, Math.min(delayMs, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/**
 * Checks the options of a client and puts every default in place.
 *
 * @throws ArgumentError when an option is unknown or cannot work.
 */
export function readOptions(options: VehicleDataClientOptions): Settings {
  const values = checkValues({}, 'options', optionRules, options);
  const { baseUrl: address, maxConcurrency: freePlaces = Infinity, ...given } = values;
  const baseUrl = `${address}`.replace(/\/+$/, '');
  const settings: Settings = {
    clock: systemClock,
    // Looked up at each call, so that an instrumented fetch is found.
    fetch: (url, init) => globalThis.fetch(url, init),
    timeoutMs: 30_000,
    maxRetries: 2,
    maxResponseBytes: 67_108_864,
    docsUrl: `${baseUrl}/docs`,
    api: createClient<paths>({ baseUrl }).request as Api,
    gate: { opensAt: 0, lastsMs: 0, freePlaces, waiting: [] },
    headers: [],
    signals: [],
  };
  return override(settings, given);
}

/** The settings of a client with other ones for a user or a brand; rate limit and transport stay shared. */
export function overrideSettings(settings: Settings, overrides: ClientOverrides): Settings {
  return override(settings, checkValues(settings, 'options', overrideRules, overrides));
}

/** A call with its own options, checked and each read once, over the settings of the client. */
export const withOptions = (target: Target, options: unknown): Target =>
  override(target, checkValues(target, 'options', callOptionRules, options ?? {}));

/** Settings with checked options over them; headers and signals add to those that there are. */
export function override<Base extends Settings>(
  base: Base,
  { headers, signal, accessToken, ...others }: ClientOverrides & CallOptions,
): Base {
  return {
    ...base,
    ...others,
    headers: headers ? [...base.headers, copyOf(headers)] : base.headers,
    signals: signal ? [...base.signals, signal] : base.signals,
    tokens: accessToken === undefined ? base.tokens : accessToken === null ? null : createAccessTokens(accessToken),
  };
}
