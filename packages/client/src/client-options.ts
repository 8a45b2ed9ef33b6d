import { createAccessTokens, type TokenSource, tokenRule } from './access-token.js';
import type { Settings } from './call.js';
import { type CallOptions, callOptionRules, type HeaderSource, sharedRules } from './call-options.js';
import type { Brand } from './generated/schemas.js';
import { createApi, type ResponseValidation } from './middleware.js';
import { type Hooks, hookNames, type Logger, type LogLevel, logLevels } from './observe.js';
import {
  aFunction,
  checkValues,
  copyOf,
  isFunction,
  isText,
  must,
  objectOf,
  objectWith,
  oneOf,
  positive,
  type Rules,
  text,
  wholeNumber,
} from './rules.js';

/** What a transport gets beside the address. */
export interface TransportInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** Sends a request: `fetch` of the runtime, of a library, or a function of your own. It is called as `fetch(url, init)`. */
export type Transport = (url: string, init: TransportInit) => Promise<Response>;

/** Time and chance as the client uses them. */
export interface Clock {
  /** Milliseconds since 1 January 1970 UTC. */
  now(): number;
  /** Runs a function once after a number of milliseconds; the result cancels it. */
  after(delayMs: number, run: () => void): () => void;
  /** A number from 0 up to, and without, 1. */
  random(): number;
}

/** What differs between users and brands; `client.with()` takes it. */
export interface ClientOverrides {
  /** Vehicle brand of every call, unless the call names another. */
  readonly brand?: Brand | undefined;
  /**
   * The access token, or a function that gives it. The function is called with `refresh: true` when the service has rejected
   * a token. `null` sends none on purpose: for a proxy that adds the token itself.
   */
  readonly accessToken?: TokenSource | null | undefined;
  /** API key for a proxy, sent as `X-Api-Key`. With a key and no `accessToken`, the proxy adds the token. */
  readonly apiKey?: string | undefined;
  /** Further headers of every call, or a function that gives them for each attempt. */
  readonly headers?: HeaderSource | undefined;
  /** Ends every call of this client, for example with the request that it serves. */
  readonly signal?: AbortSignal | null | undefined;
}

/** Options of a client. */
export interface VehicleDataClientOptions extends ClientOverrides {
  /** Address of the service or of its proxy, for example `http://127.0.0.1:8787`. A path is kept; query and user are rejected. */
  readonly baseUrl: string | URL;
  /** Transport. Default: the `fetch` of the runtime. */
  readonly fetch?: Transport | undefined;
  /** Deadline of a whole call in milliseconds, with every retry and the body. Default 30000, thirty seconds. */
  readonly timeoutMs?: number | undefined;
  /** Retries after a temporary failure. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Most requests under way at a time; further ones wait. Default: no limit. */
  readonly maxConcurrency?: number | undefined;
  /** Largest response in bytes, after decompression. Default 67108864, 64 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Check of responses against the contract. Default: none. */
  readonly validate?: ResponseValidation | undefined;
  /** Functions that are called as a call proceeds. */
  readonly hooks?: Hooks | undefined;
  /** Receives requests, retries, failures and responses that break the contract. */
  readonly logger?: Logger | undefined;
  /** Least level that the logger receives. Default `debug`, everything. */
  readonly logLevel?: LogLevel | undefined;
  /** Where error codes are explained. Default: `/docs` of the base address, where the proxy has its reference. */
  readonly docsUrl?: string | undefined;
  /** Time and chance, so that tests need neither. */
  readonly clock?: Clock | undefined;
}

const overrideRules: Rules<ClientOverrides> = {
  ...sharedRules,
  accessToken: tokenRule,
  apiKey: text('visible ASCII characters', /^[!-~]+$/),
};

const optionRules: Rules<VehicleDataClientOptions> = {
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
    api: createApi(baseUrl),
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
