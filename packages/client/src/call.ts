import type { AccessTokens } from './access-token.js';
import type { Api } from './api.js';
import type { ResponseMeta } from './api-call.js';
import type { HeaderSource } from './call-options.js';
import type { Params } from './check-parameters.js';
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
  readonly tokens?: AccessTokens | null;
  /** When requests may be sent, for all calls of this client together. */
  readonly gate: RateGate;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  readonly maxResponseBytes: number;
  readonly clock: Clock;
}

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
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** Values that no message may repeat. */
  readonly secrets: string[];
  attempt: number;
  /** Whether the attempt under way may have reached the service. */
  sent: boolean;
  /** Access token of the attempt under way. */
  token?: string | undefined;
  /** The token that the service has rejected, and how; a call asks for a new one once. */
  rejected?: { readonly token: string; readonly error: VehicleDataError };
  /** Cancels the timer of the pause that the call is in. */
  cancelPause?: () => void;
}

/** A successful response, read and checked. */
export interface ReadResponse {
  readonly body: unknown;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: ResponseMeta;
  readonly status: number;
  readonly headers: Headers;
  readonly response: Response;
  readonly requestId: string | undefined;
}
