/** What the breaker is doing: letting calls pass, holding them off, or trying one. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Settings of a breaker, each with its default. */
export interface BreakerOptions {
  /** Span over which calls are counted, in milliseconds. Default 10 000 (ten seconds). */
  readonly windowMs?: number;
  /** Calls in the span before the breaker judges. Default 20. */
  readonly minCalls?: number;
  /** Share of failed calls that opens it. Default 0.5 (half). */
  readonly failureShare?: number;
  /** Time it stays open before it tries one call, in milliseconds. Default 5 000 (five seconds). */
  readonly openMs?: number;
}

/** Calls before a wary breaker judges. */
const waryCalls = 3;

/**
 * Holds calls off a service that fails most of them, so that it can recover and callers learn it at once. Counts calls in
 * two half windows; after `openMs` one call is tried, and its outcome closes or opens the breaker again.
 */
export class CircuitBreaker {
  readonly #windowMs: number;
  readonly #minCalls: number;
  readonly #failureShare: number;
  readonly #openMs: number;
  #sliceStart = 0;
  #older = { calls: 0, failures: 0 };
  #newer = { calls: 0, failures: 0 };
  #openedAt = Number.NEGATIVE_INFINITY;
  #waryUntil = Number.NEGATIVE_INFINITY;
  #state: BreakerState = 'closed';

  constructor(options: BreakerOptions = {}) {
    this.#windowMs = options.windowMs ?? 10_000;
    this.#minCalls = options.minCalls ?? 20;
    this.#failureShare = options.failureShare ?? 0.5;
    this.#openMs = options.openMs ?? 5000;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether calls have failed lately. */
  get troubled(): boolean {
    return this.#state !== 'closed' || this.#older.failures + this.#newer.failures > 0;
  }

  /** Whether a call may go now. The first one after `openMs` is the trial; until its outcome no other may. */
  admits(nowMs: number): boolean {
    if (this.#state === 'closed') return true;
    // A trial whose outcome never came (its caller left) does not hold the breaker: after another openMs comes the next one.
    if (nowMs - this.#openedAt < this.#openMs) return false;
    this.#state = 'half-open';
    this.#openedAt = nowMs;
    return true;
  }

  /** Time until the next trial, in milliseconds. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#openMs - (nowMs - this.#openedAt));
  }

  /** Until then a few calls are enough for a judgement, because another process has found the service in trouble. */
  beWary(untilMs: number): void {
    this.#waryUntil = untilMs;
  }

  /** Notes the outcome of a call. */
  settle(failed: boolean, nowMs: number): void {
    if (this.#state === 'half-open') {
      this.#state = failed ? 'open' : 'closed';
      this.#openedAt = nowMs;
      this.#older = { calls: 0, failures: 0 };
      this.#newer = { calls: 0, failures: 0 };
      return;
    }
    if (nowMs - this.#sliceStart > this.#windowMs / 2) {
      const stale = nowMs - this.#sliceStart > this.#windowMs;
      this.#older = stale ? { calls: 0, failures: 0 } : this.#newer;
      this.#newer = { calls: 0, failures: 0 };
      this.#sliceStart = nowMs;
    }
    this.#newer.calls++;
    if (!failed) return;
    this.#newer.failures++;
    const calls = this.#older.calls + this.#newer.calls;
    const failures = this.#older.failures + this.#newer.failures;
    if (
      this.#state === 'closed' &&
      calls >= (nowMs < this.#waryUntil ? waryCalls : this.#minCalls) &&
      failures >= calls * this.#failureShare
    ) {
      this.#state = 'open';
      this.#openedAt = nowMs;
    }
  }
}
