import type { AccessTokens } from './access-token.js';
import type { Api } from './api.js';
import type { ResponseMeta } from './api-call.js';
import type { CallOptions, HeaderSource } from './call-options.js';
import type { Params } from './check-arguments.js';
import type { Transport, VehicleDataClientOptions } from './client-options.js';
import type { Clock } from './clock.js';
import type { VehicleDataError } from './errors.js';
import type { Brand } from './generated/schemas.js';
import type { Operation } from './operation.js';
import type { RateGate } from './rate-gate.js';

/** The client's options, checked once and with every default in place. */
export interface Settings
  extends Pick<VehicleDataClientOptions, 'brand' | 'apiKey' | 'validate' | 'hooks' | 'logger' | 'logLevel'> {
  readonly docsUrl: string;
  /** openapi-fetch, with the base address. */
  readonly api: Api;
  readonly fetch: Transport;
  readonly headers: readonly HeaderSource[];
  readonly signals: readonly AbortSignal[];
  /** `null`: none is sent, on purpose. */
  readonly tokens: AccessTokens | null;
  /** When requests may be sent, for all calls of this client together. */
  readonly gate: RateGate;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  readonly maxResponseBytes: number;
  readonly clock: Clock;
}

/** One call under way, through all its attempts. */
export interface Call {
  readonly operation: Operation;
  readonly settings: Settings;
  readonly options: CallOptions;
  readonly params: Params;
  readonly brand: Brand;
  /** Aborted when the call has ended, whatever ended it; the reason is its error. */
  readonly signal: AbortSignal;
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** Values that no message may repeat. */
  readonly secrets: string[];
  attempt: number;
  /** Whether the attempt under way may have reached the service. */
  sent: boolean;
  /** Access token of the attempt under way. */
  token?: string | undefined;
  /** The error with which the service rejected `token`; a call asks for a new one once. */
  rejection?: VehicleDataError;
  /** Whether the next attempt needs another token. */
  isTokenRejected?: boolean;
  /** The rate limit that the call has met last. */
  rateLimit?: VehicleDataError;
  /** The response of the attempt under way, read and checked. */
  received?: ReadResponse;
}

/** A successful response, read and checked. */
export interface ReadResponse {
  readonly body: unknown;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: ResponseMeta;
  readonly response: Response;
  readonly requestId: string | undefined;
}
