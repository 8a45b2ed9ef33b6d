// The options of the proxy that do not depend on a runtime, and their defaults.
import { contractBrands } from './contract.js';
import type { CorsRules } from './request/cors.js';

/** What happens to a finding: nothing, a count in the drift report, or an error response. */
export type CheckMode = 'off' | 'report' | 'enforce';

/**
 * How the proxy proves itself to the upstream: with the client's own bearer token, with one token of its own, or with tokens that
 * the proxy's token source fetches.
 */
export type UpstreamAuth =
  | { readonly kind: 'forward' }
  | { readonly kind: 'static'; readonly accessToken: string }
  | { readonly kind: 'token-endpoint' };

/** Settings of the proxy that do not depend on a runtime. */
export interface ProxyConfig {
  /** Base address of the upstream, `http:` or `https:`, without query and user information; a path is put before every target. */
  readonly upstreamUrl: string;
  /** Brand identifiers to accept. Default: those of the contract. */
  readonly brands?: readonly string[] | undefined;
  /** Default: the client's bearer token is forwarded. */
  readonly upstreamAuth?: UpstreamAuth;
  /** Exceptions from `upstreamAuth`, by brand. Default: none. */
  readonly upstreamAuthByBrand?: Readonly<Record<string, UpstreamAuth>>;
  /** Checks of responses. Default `report`: violations of the contract are counted and the response passes. */
  readonly validateResponses?: CheckMode;
  /** Time from the head of a request until its response begins, whatever it waits for, in milliseconds. Default 10 000 (ten seconds). */
  readonly deadlineMs?: number;
  /** Time in which more of a response's body must come, in milliseconds. Default: that of `deadlineMs`. */
  readonly bodyIdleMs?: number | undefined;
  /** Time in which a client must take more of a response that waits for it, in milliseconds. Default 60 000 (one minute). */
  readonly sendTimeoutMs?: number;
  /** Time for a whole request with its response, in milliseconds. Default `null`: as long as the body makes progress. */
  readonly totalDeadlineMs?: number | null | undefined;
  /** Whether a call that leaves out the parameter which narrows its effect may pass. Default `false` (no). */
  readonly allowStopAll?: boolean;
  /** Calls under way at once before further ones are shed with 503. Default 1024. */
  readonly maxInFlight?: number;
  /** Calls that one client may have under way at once before further ones get 429. Default: an eighth of `maxInFlight`, at least 16. */
  readonly maxInFlightPerClient?: number | undefined;
  /** Whether responses say in `Server-Timing` how long the upstream took. Default `false` (no). */
  readonly serverTiming?: boolean;
  /**
   * Whether a call that would get a token of the proxy is rejected when its `Host` is not a name of this machine. Without it, a web
   * page whose name is made to point here could call as the proxy. Default `false` (no); the program sets it where clients
   * are not recognised.
   */
  readonly localHostOnly?: boolean;
  /** Own proxies in front, whose `X-Forwarded-For` says the address of the client. Default 0 (the connection's own address). */
  readonly trustedHops?: number;
  /** Web pages whose scripts may read responses. Default: none. */
  readonly cors?: CorsRules | null;
}

/** The settings with every default filled in. */
export type ResolvedConfig = { readonly [Key in keyof ProxyConfig]-?: Exclude<ProxyConfig[Key], undefined> };

/** Smallest default of how many requests one client may have in flight. */
const leastShare = 16;

/** How many requests one client may have in flight where no setting says: an eighth of those of all, at least 16. */
function clientShare(maxInFlight: number): number {
  return Math.min(maxInFlight, Math.max(leastShare, Math.floor(maxInFlight / 8)));
}

export function resolveConfig(config: ProxyConfig): ResolvedConfig {
  const { maxInFlight = 1024 } = config;
  return {
    upstreamUrl: config.upstreamUrl,
    brands: config.brands ?? contractBrands(),
    upstreamAuth: config.upstreamAuth ?? { kind: 'forward' },
    upstreamAuthByBrand: config.upstreamAuthByBrand ?? {},
    validateResponses: config.validateResponses ?? 'report',
    deadlineMs: Math.min(config.deadlineMs ?? 10_000, config.totalDeadlineMs ?? Number.POSITIVE_INFINITY),
    bodyIdleMs: config.bodyIdleMs ?? config.deadlineMs ?? 10_000,
    sendTimeoutMs: config.sendTimeoutMs ?? 60_000,
    totalDeadlineMs: config.totalDeadlineMs ?? null,
    allowStopAll: config.allowStopAll ?? false,
    maxInFlight,
    maxInFlightPerClient: config.maxInFlightPerClient ?? clientShare(maxInFlight),
    serverTiming: config.serverTiming ?? false,
    localHostOnly: config.localHostOnly ?? false,
    trustedHops: config.trustedHops ?? 0,
    cors: config.cors ?? null,
  };
}
