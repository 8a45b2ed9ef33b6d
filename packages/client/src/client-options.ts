import type { TokenSource } from './access-token.js';
import type { Clock } from './clock.js';
import type { Brand } from './generated/schemas.js';
import type { Hooks, Logger } from './observe.js';
import type { AnswerValidation } from './validate-answer.js';

/**
 * Sends a request. One that declares a second parameter gets the signal there, as `fetch` takes it; for any other the
 * request carries it.
 */
export type Transport = (request: Request, init: { readonly signal?: AbortSignal }) => Promise<Response>;

/** Options of a client. */
export interface VehicleDataClientOptions {
  /** Address of the service or of its proxy, for example `http://127.0.0.1:8787`. A path is kept; query and user are refused. */
  readonly baseUrl: string | URL;
  /** Vehicle brand of every call, unless the call names another. */
  readonly brand?: Brand | undefined;
  /** The access token, or a function that gives it. A function is asked for a new one when the service refuses the old. */
  readonly accessToken?: TokenSource | undefined;
  /** Transport. Default: the `fetch` of the runtime. */
  readonly fetch?: Transport | undefined;
  /** Further headers of every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Deadline of a whole call in milliseconds, with every retry and the body. Default 30000, thirty seconds. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that failed for a temporary reason is repeated. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Longest pause before a retry in milliseconds; a longer `Retry-After` ends the call at once. Default 20000, twenty seconds. */
  readonly maxRetryDelayMs?: number | undefined;
  /** Largest answer in bytes, after decompression. Default 67108864, 64 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Check of answers against the contract. Default: none. */
  readonly validate?: AnswerValidation | undefined;
  /** Called as a call goes on. */
  readonly hooks?: Hooks | undefined;
  /** Told about retries, failures and answers that break the contract. */
  readonly logger?: Logger | undefined;
  /** Where error codes are explained. Default: `/docs` of the base address, where the proxy has its reference. */
  readonly docsUrl?: string | undefined;
  /** Time and chance, so that tests need neither. */
  readonly clock?: Clock | undefined;
}
