// From the options of user code to the settings of a client, of `with()` and of a call.

import { argumentError } from '../call-error.js';
import { callOptionRules, optionRules, overrideRules } from '../checks/option-rules.js';
import { checkValues, copyOf, type Defined, membersOf, oneOf, type Rules } from '../checks/rules.js';
import { brandRule } from '../generated/operations.js';
import type { CallOptions, ClientOverrides, Clock, VehicleDataClientOptions } from '../options.js';
import { createTokenStores } from './access-token.js';
import type { Settings, Target } from './call.js';
import { createRateGate } from './rate-gate.js';

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
export function readOptions(options: VehicleDataClientOptions<string>): Settings {
  // The brands first: they are the rule of another option.
  const ownBrands = membersOf(options)?.['brands'];
  const ruleOfBrand = Array.isArray(ownBrands) ? oneOf(...ownBrands) : brandRule;
  const rules: Rules<VehicleDataClientOptions<string>> = { ...optionRules, brand: ruleOfBrand };
  const checked = checkValues({}, 'options', rules, options);
  const { baseUrl: address, maxConcurrency = Infinity, brands: _, ...given } = checked;
  const baseUrl = `${address}`.replace(/\/+$/, '');
  const defaults: Settings = {
    baseUrl,
    docsUrl: `${baseUrl}/docs`,
    // Looked up at each call, so that an instrumented fetch is found.
    fetch: (url, init) => globalThis.fetch(url, init),
    clock: systemClock,
    timeoutMs: 30_000,
    maxRetries: 2,
    maxResponseBytes: 67_108_864,
    logLevel: 'debug',
    rateLimitScope: 'credentials',
    brandRule: ruleOfBrand,
    gate: createRateGate(maxConcurrency),
    tokenStores: createTokenStores(),
    headers: [],
    signals: [],
  };
  return override(defaults, given);
}

/**
 * The settings of a client with other ones for a user or a brand; transport and `maxConcurrency` stay shared.
 *
 * @throws ArgumentError also for an option that is there and undefined: what was lost must not be inherited.
 */
export function overrideSettings(settings: Settings, overrides: ClientOverrides<string>): Settings {
  const lost = Object.entries(membersOf(overrides) ?? {}).find(([, value]) => value === undefined);
  if (lost && lost[0] in overrideRules) {
    const hint = lost[0] === 'accessToken' ? '; null sends none on purpose' : '';
    throw argumentError(settings, `${lost[0]} is undefined: leave it out to keep the client's${hint}`, lost[0]);
  }
  const rules: Rules<ClientOverrides<string>> = { ...overrideRules, brand: settings.brandRule };
  return override(settings, checkValues(settings, 'options', rules, overrides));
}

/** A call with its own options, checked and each read once, over the settings of the client. */
export function withOptions(target: Target, options: unknown): Target {
  const rules: Rules<CallOptions<string>> = { ...callOptionRules, brand: target.brandRule };
  return override(target, checkValues(target, 'options', rules, options ?? {}));
}

/** Settings with checked options over them; headers and signals add to those that there are. */
export function override<Base extends Settings>(
  base: Base,
  { headers, signal, ...others }: Defined<CallOptions<string>> & ClientOverrides<string>,
): Base {
  return {
    ...base,
    ...others,
    headers: headers ? [...base.headers, copyOf(headers)] : base.headers,
    signals: signal ? [...base.signals, signal] : base.signals,
  };
}
