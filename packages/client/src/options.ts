// The options of a client, of `client.with()` and of one call.
import type { OperationId } from './generated/operation-ids.js';
import type { Brand } from './generated/schemas.js';
import type { Attempt, Hooks, Logger, LogLevel } from './observe.js';
import type { ResponseValidation } from './responses.js';

/** What the function that gives the access token is called with. */
export interface TokenRequest {
  /** True when the service has just rejected the token: get a new one, do not return a stored one. */
  readonly refresh: boolean;
  /** Brand of the call. Tokens are issued for one brand. */
  readonly brand: string;
  /** Operation that the token is for; of a refresh, the one that started it. */
  readonly operation: OperationId;
  /** Aborted when the token comes too late. Pass it to your token call. */
  readonly signal: AbortSignal;
}

/**
 * An access token, or a function that gives the one to use now. Calls that have the same function share its refreshes: one
 * function for each user, not one for each request.
 */
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/** Header names and values. A value of `undefined` is left out. */
export type HeaderValues = Headers | Readonly<Record<string, string | undefined>>;

/** Headers as they are, or a function that gives them for each attempt, for example trace context. */
export type HeaderSource = HeaderValues | ((attempt: Attempt) => HeaderValues | Promise<HeaderValues>);

/** Options of one call. They win over those of the client. */
export interface CallOptions<BrandName extends string = Brand> {
  /** Ends the call, with everything that belongs to it. */
  readonly signal?: AbortSignal | null | undefined;
  /** Deadline of the whole call in milliseconds, with every retry and the body. Default: the client's, thirty seconds. */
  readonly timeoutMs?: number | undefined;
  /** Retries after a temporary failure. Default: the client's, two. */
  readonly maxRetries?: number | undefined;
  /** Further headers. `Authorization`, `Brand` and `X-Api-Key` are the client's own and rejected. */
  readonly headers?: HeaderSource | undefined;
  /** Vehicle brand. Default: the client's. */
  readonly brand?: BrandName | undefined;
}

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

/**
 * What differs between users and brands; `client.with()` takes it. An option that is there and `undefined` is rejected: a
 * token that was lost on the way must not become the token of the client that `with()` was called on.
 */
export interface ClientOverrides<BrandName extends string = Brand> {
  /** Vehicle brand of every call, unless the call names another. */
  readonly brand?: BrandName;
  /**
   * The access token, or a function that gives it. The function is called with `refresh: true` when the service has rejected
   * a token. `null` sends none on purpose: for a proxy that adds the token itself.
   */
  readonly accessToken?: TokenSource | null;
  /** API key for a proxy, sent as `X-Api-Key`. With a key and no `accessToken`, the proxy adds the token. */
  readonly apiKey?: string;
  /** Further headers of every call, or a function that gives them for each attempt. */
  readonly headers?: HeaderSource;
  /** Ends every call of this client, for example with the request that it serves. */
  readonly signal?: AbortSignal | null;
  /** Deadline of a whole call in milliseconds, with every retry and the body. Default 30000, thirty seconds. */
  readonly timeoutMs?: number;
  /** Retries after a temporary failure. Default 2. */
  readonly maxRetries?: number;
  /** Functions that are called as a call proceeds. */
  readonly hooks?: Hooks;
  /** Receives requests, retries, failures and responses that break the contract. */
  readonly logger?: Logger;
  /** Least level that the logger receives. Default `debug`, everything. */
  readonly logLevel?: LogLevel;
  /** A name of your own for every event of this client, for example a tenant. It is logged, so it must not be personal. */
  readonly tag?: string;
}

/** The same options, each of which may also be `undefined`. */
type OrUndefined<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };

/** A type that TypeScript takes as given and does not infer from. TypeScript has `NoInfer` since 5.4 only. */
type AsGiven<BrandName extends string> = [BrandName][BrandName extends unknown ? 0 : never];

/**
 * For which calls a 429 holds: `credentials`, those with the same access token (or function that gives it), API key and brand;
 * `brand`, all of that brand; `client`, all of the client and of what `with()` made of it.
 */
export type RateLimitScope = 'credentials' | 'brand' | 'client';

/** Options of a client. */
export interface VehicleDataClientOptions<BrandName extends string = Brand>
  extends OrUndefined<Omit<ClientOverrides, 'brand'>> {
  /** Address of the service or of its proxy, for example `http://127.0.0.1:8787`. A path is kept; query and user are rejected. */
  readonly baseUrl: string | URL;
  /** The brands that your service knows, as its operator names them. Default: those of the contract. */
  readonly brands?: readonly BrandName[] | undefined;
  /** Vehicle brand of every call, unless `with()` or the call names another. */
  readonly brand?: AsGiven<BrandName> | undefined;
  /** Transport. Default: the `fetch` of the runtime. */
  readonly fetch?: Transport | undefined;
  /** Most requests under way at a time; further ones wait. Default: no limit. */
  readonly maxConcurrency?: number | undefined;
  /** For which calls a rate limit holds that one of them has met. Default `credentials`. */
  readonly rateLimitScope?: RateLimitScope | undefined;
  /** Largest response in bytes, after decompression. Default 67108864, 64 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Check of responses against the contract. Default: none. */
  readonly validate?: ResponseValidation | undefined;
  /** Where error codes are explained. Default: `/docs` of the base address, where the proxy has its reference. */
  readonly docsUrl?: string | undefined;
  /** Time and chance, so that tests need neither. */
  readonly clock?: Clock | undefined;
}
