import type { Rate } from './rate.js';
import { type Count, type Counter, countOf } from './rate-limits.js';

/** Keys of one window that are counted; with more, the oldest begin anew, so that nobody can fill the memory with keys. */
const maxKeys = 100_000;

interface Window {
  readonly endMs: number;
  calls: number;
}

/**
 * Counts requests of one rate in this process, at once. The window of a key begins with its first request. Not the memory limiter of
 * rate-limiter-flexible, which keeps every key, and a timer for it, until its window ends.
 */
export class WindowCounter implements Counter {
  readonly #rate: Rate;
  // Two halves instead of a timer for each key: when the younger has been filled for a whole window, every window in the older has ended.
  #younger = new Map<string, Window>();
  #older = new Map<string, Window>();
  #turnMs = Number.NEGATIVE_INFINITY;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  take(key: string): Count {
    const windowMs = this.#rate.seconds * 1000;
    const nowMs = performance.now();
    if (nowMs >= this.#turnMs || this.#younger.size >= maxKeys) {
      this.#turnMs = nowMs + windowMs;
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    let window = this.#younger.get(key) ?? this.#older.get(key);
    if (window === undefined || nowMs >= window.endMs) {
      window = { endMs: nowMs + windowMs, calls: 0 };
      this.#younger.set(key, window);
    }
    window.calls++;
    return countOf(this.#rate, window.calls, window.endMs - nowMs);
  }
}
