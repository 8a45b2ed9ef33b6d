import type { OperationId } from './generated/operation-ids.js';
import type { Brand } from './generated/schemas.js';
import type { Attempt, Hooks, Logger, LogLevel } from './observe.js';
import type { ResponseValidation } from './responses.js';

/** What the function that gives the access token is called with. */
export interface TokenRequest {
  /** True when the service has just rejected the token: get a new one, do not return a stored one. */
  readonly refresh: boolean;
  /** Brand of the call. Tokens are issued for one brand. */
  readonly brand: Brand;
  /** Operation that the token is for; of a refresh, the one that started it. */
  readonly operation: OperationId;
  /** Aborted when the token comes too late. Pass it to your token call. */
  readonly signal: AbortSignal;
}

/** An access token, or a function that gives the one to use now. */
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/** Headers as they are, or a function that gives them for each attempt, for example trace context. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | ((attempt: Attempt) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** Options of one call. They win over those of the client. */
export interface CallOptions {
  /** Ends the call, with everything that belongs to it. */
  readonly signal?: AbortSignal | null | undefined;
  /** Deadline of the whole call in milliseconds, with every retry and the body. Default: the client's, thirty seconds. */
  readonly timeoutMs?: number | undefined;
  /** Retries after a temporary failure. Default: the client's, two. */
  readonly maxRetries?: number | undefined;
  /** Further headers. `Authorization`, `Brand` and `X-Api-Key` are the client's own and rejected. */
  readonly headers?: HeaderSource | undefined;
  /** Vehicle brand. Default: the client's. */
  readonly brand?: Brand | undefined;
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
