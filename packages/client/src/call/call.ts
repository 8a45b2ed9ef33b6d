// What a call is made of. It passes the files of this folder in this order: start-call.ts checks the arguments of a method,
// perform-call.ts sets the deadline, retry.ts makes the attempts, middleware.ts completes each request and checks its response,
// which read-response.ts reads. `raw` and the iterators check their own arguments and begin at perform-call.ts.
import type { ClientOptions, Middleware } from 'openapi-fetch';
import type { Operation, Params } from '../checks/parameters.js';
import type { Defined } from '../checks/rules.js';
import type { Brand } from '../generated/schemas.js';
import type { HeaderSource, VehicleDataClientOptions } from '../options.js';
import type { ApiResponse } from '../responses.js';

/** The client's options, checked once and with every default in place. */
export interface Settings
  extends Pick<VehicleDataClientOptions, 'brand' | 'apiKey' | 'validate' | 'hooks' | 'logger' | 'logLevel'>,
    Defined<Required<Pick<VehicleDataClientOptions, WithDefault>>> {
  /** openapi-fetch, with the base address. */
  readonly api: Api;
  readonly headers: readonly HeaderSource[];
  readonly signals: readonly AbortSignal[];
  /** `null`: none is sent, on purpose. */
  readonly tokens?: AccessTokens | null;
  readonly gate: RateGate;
}
type WithDefault = 'docsUrl' | 'fetch' | 'clock' | 'timeoutMs' | 'maxRetries' | 'maxResponseBytes';

/** A call that has not begun. */
export interface Target extends Settings {
  readonly operation: Operation;
}

/** One call under way, through all its attempts. Its settings are those of the client and of the call. */
export interface Call extends Target {
  readonly params: Params;
  readonly brand: Brand;
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

/** Gives the token to use now, or one in place of a token that the service has rejected. */
export type AccessTokens = (
  call: Pick<Call, 'brand' | 'operation' | 'signal' | 'clock' | 'startedAt' | 'deadlineAt'>,
  rejected?: string,
) => Promise<string | undefined>;

/** When requests may be sent: after a rate limit, and at most so many at a time. Shared by all calls of a client. */
export interface RateGate {
  /** When the rate limit ends, in milliseconds since 1970. */
  opensAt: number;
  /** How long it lasts. The calls that wait come back within a quarter of this time after it. */
  lastsMs: number;
  /** Requests that may still be sent; below 0 where some wait. */
  freePlaces: number;
  readonly waiting: (() => void)[];
}

/** `client.request` for an operation of the table, whose path and parameters the compiler does not know one by one. */
export type Api = (
  method: 'GET' | 'DELETE',
  path: string,
  init: Pick<ClientOptions, 'fetch'> & { params: Params; middleware: Middleware[]; parseAs: 'stream' },
) => Promise<unknown>;
