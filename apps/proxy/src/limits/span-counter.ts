import type { Count, Counter } from './counter.js';
import type { Rate } from './rate.js';

/** Keys of one span that are counted; with more, the oldest begin anew, so that nobody can fill the memory with keys. */
const maxKeys = 100_000;

interface Span {
  readonly endMs: number;
  calls: number;
}

/** Counts calls of one rate in this process. The span of a key begins with its first call. Answers at once. */
export class SpanCounter implements Counter {
  readonly #rate: Rate;
  // Two halves instead of a timer for each key: when the younger has been filled for a whole span, every span in the older has ended.
  #younger = new Map<string, Span>();
  #older = new Map<string, Span>();
  #turnMs = Number.NEGATIVE_INFINITY;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  take(key: string): Count {
    const { calls, seconds } = this.#rate;
    const nowMs = performance.now();
    if (nowMs >= this.#turnMs || this.#younger.size >= maxKeys) this.#turn(nowMs);
    let span = this.#younger.get(key) ?? this.#older.get(key);
    if (span === undefined || nowMs >= span.endMs) {
      span = { endMs: nowMs + seconds * 1000, calls: 0 };
      this.#younger.set(key, span);
    }
    span.calls++;
    return {
      allowed: span.calls <= calls,
      left: Math.max(0, calls - span.calls),
      resetSeconds: Math.max(1, Math.ceil((span.endMs - nowMs) / 1000)),
    };
  }

  #turn(nowMs: number): void {
    this.#turnMs = nowMs + this.#rate.seconds * 1000;
    this.#older = this.#younger;
    this.#younger = new Map();
  }
}
