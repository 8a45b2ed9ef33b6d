import type { OperationId } from './generated/operations.js';
import type { Brand } from './generated/schemas.js';

/** One attempt of a call that is about to be sent. */
export interface Attempt {
  readonly operation: OperationId;
  readonly method: string;
  /** Path template. */
  readonly route: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly brand: Brand;
}

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
  /** Further headers. `Authorization`, `Brand` and `X-Api-Key` are the client's own. */
  readonly headers?: HeaderSource | undefined;
  /** Vehicle brand. Default: the client's. */
  readonly brand?: Brand | undefined;
}
