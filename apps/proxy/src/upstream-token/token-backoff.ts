import type { TokenFailure, TokenFailureKind } from './token-endpoint.js';

const firstBackoffMs = 500;
const maxBackoffMs = 30_000;
/** Longest pause after the endpoint has rejected the grant, in milliseconds (five minutes): asking again rarely helps. */
const maxRejectedBackoffMs = 300_000;
/** Time after a request without a token for which the failure is shown, in milliseconds: ten minutes, more than the alert needs. */
const neededMs = 600_000;

const never = Number.NEGATIVE_INFINITY;

/** When a token may be requested again after failures, by this process's own steady clock. */
export class TokenBackoff {
  /** Why the last request failed; `null` once one has succeeded. */
  lastFailure: TokenFailureKind | null = null;
  #notBeforeMs = never;
  #neededAtMs = never;
  #failures = 0;

  /** Whether a token may be requested now. */
  mayRequest(nowMs: number): boolean {
    return nowMs >= this.#notBeforeMs;
  }

  /** Time until the next request may be made, in whole seconds, at least one. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil((this.#notBeforeMs - performance.now()) / 1000));
  }

  /** Whether requests fail that somebody needs. */
  isFailing(nowMs: number): boolean {
    return this.#failures > 0 && nowMs - this.#neededAtMs < neededMs;
  }

  /** Somebody needs a token now. */
  noteNeed(): void {
    this.#neededAtMs = performance.now();
  }

  /** Forgets the failures, but not the reason of the last one: other options may do better. */
  startAnew(): void {
    this.#notBeforeMs = never;
    this.#failures = 0;
  }

  succeeded(): void {
    this.startAnew();
    this.lastFailure = null;
  }

  failed({ kind, retryAfterMs }: TokenFailure): void {
    this.lastFailure = kind;
    const maxMs = kind === 'rejected' ? maxRejectedBackoffMs : maxBackoffMs;
    const pauseMs = Math.min(maxMs, firstBackoffMs * 2 ** this.#failures);
    this.#failures++;
    // Processes that failed together do not come back together.
    this.#notBeforeMs = performance.now() + Math.max(retryAfterMs, pauseMs * (0.75 + Math.random() / 2));
  }
}
