import type { ErrorCode } from '@vehicle-data/openapi';

/** A request to the upstream, built from the operation table and the checked values. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, already encoded. */
  readonly target: string;
  /** Headers as name, value, name, value; `Host` is the transport's own matter. */
  readonly headers: readonly string[];
  /** Whether the request may be sent a second time. One that may not is never put on a connection that was used before. */
  readonly repeatable: boolean;
  /**
   * Whether it must not be put on a connection that the proxy has kept: it is sent for the last time, and an upstream that restarts has closed
   * all of those. A platform's `fetch` keeps connections by itself and need not heed it. Default `false` (no).
   */
  readonly fresh?: boolean;
}

/** Start of a response of the upstream. */
export interface UpstreamHead {
  readonly status: number;
  /** The headers of the allowlist `responseHeaders`, lower-case, as name, value, name, value. */
  readonly headers: readonly string[];
  /** The upstream's identifier of the response, from its `X-Request-Id`; empty when there is none that can be logged. */
  readonly requestId: string;
  /** Length of the body in bytes, or `null` when it comes in chunks. */
  readonly length: number | null;
}

/** Why a response did not come, or did not come whole. */
export interface UpstreamFailure {
  readonly code: Extract<ErrorCode, 'upstream-unreachable' | 'upstream-invalid-response' | 'upstream-timeout'>;
  /** What happened, in fixed words that never hold anything a client or the upstream sent. */
  readonly reason: string;
  /** Whether no byte of a response had come. */
  readonly nothingReceived: boolean;
}

/** Receives one response. After `end` or `fail` nothing more comes. */
export interface UpstreamSink {
  head(head: UpstreamHead): void;
  /**
   * A piece of the body, with its content coding untouched. Returns whether the transport may continue; after `false` it waits
   * for `resume`. The bytes belong to the transport and change once it continues.
   */
  data(chunk: Uint8Array): boolean;
  end(): void;
  fail(fault: UpstreamFailure): void;
}

/** A request under way. */
export interface UpstreamAttempt {
  resume(): void;
  /** Ends the request and its connection. The sink is called no more. */
  cancel(): void;
}

/** The way to the upstream. Which one is used changes no check. */
export interface UpstreamTransport {
  /** Whether responses can be requested with a content coding and are passed as they came. */
  readonly keepsCoding: boolean;
  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamAttempt;
  /** Closes idle connections. */
  close(): void;
}
