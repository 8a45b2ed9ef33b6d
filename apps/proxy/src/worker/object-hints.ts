import type { CircuitBreaker } from '../circuit-breaker.js';
import { askTrouble, type StateNamespace } from './state-messages.js';

/** Pause between two questions of one isolate, in milliseconds: one second. */
const pauseMs = 1000;

/**
 * Tells the other isolates, through a Durable Object, that the circuit breaker is open here, and makes ours judge sooner while one
 * of theirs is. A hint alone opens nothing: the trouble of another isolate can be its own.
 *
 * A Worker has no timers between its calls, and every question has its price, so the object is asked only while calls fail here:
 * that is when a hint changes something.
 */
export class ObjectHints {
  readonly #breaker: CircuitBreaker;
  readonly #namespace: StateNamespace;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(breaker: CircuitBreaker, namespace: StateNamespace) {
    this.#breaker = breaker;
    this.#namespace = namespace;
  }

  /** What has to be exchanged after a call, beside its answer; `null` when that is nothing. */
  exchange(): Promise<void> | null {
    const nowMs = performance.now();
    if (!this.#breaker.troubled || nowMs - this.#askedMs < pauseMs) return null;
    this.#askedMs = nowMs;
    return askTrouble(this.#namespace, this.#breaker.state !== 'closed').then(
      ({ waryMs }) => this.#breaker.beWary(performance.now() + waryMs),
      () => {},
    );
  }
}
