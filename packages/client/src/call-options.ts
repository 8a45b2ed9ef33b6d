import type { Brand } from './generated/schemas.js';

/** Options of one call. They win over those of the client. */
export interface CallOptions {
  /** Ends the call, with everything that belongs to it. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call in milliseconds, with every retry and the body. Default: the client's, thirty seconds. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that failed for a temporary reason is repeated. Default: the client's, two times. */
  readonly maxRetries?: number | undefined;
  /** Further headers. `Authorization` and `Brand` are the client's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Vehicle brand. Default: the client's. */
  readonly brand?: Brand | undefined;
}
