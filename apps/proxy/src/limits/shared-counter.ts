import type { Count, Counter } from './counter.js';
import type { Rate } from './rate.js';
import { SpanCounter } from './span-counter.js';

/** Time for which the others are not asked after they failed or were too slow, in milliseconds. */
const restMs = 1000;

/**
 * Counts calls of one rate for several processes together. While the place of the counts is away or too slow, the process counts
 * alone: every process then allows the whole rate, and no call waits for that place but one a second.
 */
export class SharedCounter implements Counter {
  readonly #alone: SpanCounter;
  readonly #together: (key: string) => Promise<Count>;
  readonly #onAway: () => void;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  /** @param together counts one call for all; fails when it cannot */
  constructor(rate: Rate, together: (key: string) => Promise<Count>, onAway: () => void) {
    this.#alone = new SpanCounter(rate);
    this.#together = together;
    this.#onAway = onAway;
  }

  take(key: string): Count | Promise<Count> {
    return performance.now() < this.#restUntilMs ? this.#alone.take(key) : this.#ask(key);
  }

  async #ask(key: string): Promise<Count> {
    try {
      return await this.#together(key);
    } catch {
      this.#restUntilMs = performance.now() + restMs;
      this.#onAway();
      return this.#alone.take(key);
    }
  }
}
