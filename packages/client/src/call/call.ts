// What a call is made of. It passes the files of this folder in this order: start-call.ts checks the arguments of a method,
// perform-call.ts sets the deadline, retry.ts decides about attempts, attempt.ts makes one: headers, token, its turn at the
// rate gate, the transport, and read-response.ts. `raw` and the iterators check their own arguments and begin at perform-call.ts.
import type { Operation, Params } from '../checks/parameters.js';
import type { Rule } from '../checks/rules.js';
import type { Hooks, Logger, LogLevel } from '../observe.js';
import type { Clock, HeaderSource, RateLimitScope, TokenSource, Transport } from '../options.js';
import type { ApiResponse, ResponseValidation } from '../responses.js';

/** The options of a client, checked once and with every default in place. */
export interface Settings {
  readonly baseUrl: string;
  readonly docsUrl: string;
  readonly fetch: Transport;
  readonly clock: Clock;
  readonly maxResponseBytes: number;
  readonly validate?: ResponseValidation;
  readonly rateLimitScope: RateLimitScope;
  /** What a brand must be: one of the client's. */
  readonly brandRule: Rule;
  /** Shared with every client that `with()` makes. */
  readonly gate: RateGate;
  readonly tokenStores: TokenStores;

  // What `with()` and calls may set.
  readonly brand?: string;
  readonly accessToken?: TokenSource | null;
  readonly apiKey?: string;
  readonly headers: readonly HeaderSource[];
  readonly signals: readonly AbortSignal[];
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly hooks?: Hooks;
  readonly logger?: Logger;
  readonly logLevel: LogLevel;
  readonly tag?: string;
}

/** A call that has not begun. */
export interface Target extends Settings {
  readonly operation: Operation;
  /** Whether user code reads the body itself. */
  readonly isUnread?: () => boolean;
}

/** One call under way, through all its attempts. Its settings are those of the client and of the call. */
export interface Call extends Target {
  readonly params: Params;
  readonly brand: string;
  /** Aborted when the call has ended, whatever ended it; the reason is its error. */
  readonly signal: AbortSignal;
  /** Rejects with that error. */
  readonly ended: Promise<never>;
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** Values that no message may repeat. */
  readonly secrets: string[];
  attempt: number;
  /** Whether the attempt under way may have reached the service. */
  sent: boolean;
  /** Access token of the attempt under way, or a new one for the next. */
  token?: string | undefined;
}

/** A successful response, read and checked. */
export interface ReadResponse extends ApiResponse<Readonly<Record<string, unknown>>> {
  readonly body: unknown;
  readonly response: Response;
}

/** When requests may be sent. Shared by all calls of a client and of the clients that `with()` makes of it. */
export interface RateGate {
  /** Requests that may still be sent; below 0 where some wait. */
  freePlaces: number;
  readonly waiting: (() => void)[];
  /** The limits that last now, by what they hold for. */
  readonly limits: Map<string, RateLimit>;
}

/** A limit that a call has met. */
interface RateLimit {
  /** When it ends, in milliseconds since 1970. */
  readonly opensAt: number;
  /** How long it lasts. The calls that wait come back within a quarter of this time after it. */
  readonly lastsMs: number;
}

/** A function that gives access tokens. */
export type TokenFunction = Exclude<TokenSource, string>;

/** What is known about the tokens of one function for one brand. */
export interface BrandTokens {
  rejected?: string;
  replacement?: string;
  /** When that refresh ended, in milliseconds since 1970. */
  endedAt: number;
  /** The new token of the refresh that is under way. It lasts until the deadline of the call, at least. */
  refresh?: ((call: Call) => Promise<string>) | undefined;
}

/**
 * The tokens of each function that gives some. They belong to the function and not to the client that has it, so that
 * `with()` for each request costs one refresh for all of them.
 */
export interface TokenStores {
  of(source: TokenFunction, brand: string): BrandTokens;
  /** What tells the credentials of calls apart, without being them. */
  nameOf(source: TokenSource | null | undefined): string;
}
