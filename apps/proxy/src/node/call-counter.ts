import type { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Count, Counter } from '../limits/counter.js';
import type { Rate } from '../limits/rate.js';

/** The Redis that counts for many processes, and what stands before its keys. */
export interface SharedCounting {
  readonly redis: Redis;
  readonly prefix: string;
}

/** Time for which Redis is not asked after it failed or was too slow, in milliseconds. */
const restMs = 1000;

/**
 * Counts calls of one rate: in Redis for all processes together, or in this process. While Redis is away or too slow, the
 * process counts alone: every process then allows the whole rate, and no call waits for Redis but one a second.
 */
export class CallCounter implements Counter {
  readonly #rate: Rate;
  readonly #alone: RateLimiterAbstract;
  readonly #shared: RateLimiterAbstract | null;
  readonly #onAway: () => void;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(rate: Rate, shared: SharedCounting | null, onAway: () => void) {
    this.#rate = rate;
    this.#onAway = onAway;
    const span = { points: rate.calls, duration: rate.seconds };
    this.#alone = new RateLimiterMemory(span);
    this.#shared =
      shared === null
        ? null
        : new RateLimiterRedis({
            ...span,
            storeClient: shared.redis,
            keyPrefix: `${shared.prefix}limit:${rate.calls}/${rate.seconds}`,
            rejectIfRedisNotReady: true,
          });
  }

  /** Counts one call under a key. */
  async take(key: string): Promise<Count> {
    if (this.#shared !== null && performance.now() >= this.#restUntilMs) {
      try {
        return await this.#takeFrom(this.#shared, key);
      } catch {
        this.#restUntilMs = performance.now() + restMs;
        this.#onAway();
      }
    }
    return this.#takeFrom(this.#alone, key);
  }

  async #takeFrom(limiter: RateLimiterAbstract, key: string): Promise<Count> {
    try {
      return this.#count(await limiter.consume(key), true);
    } catch (error) {
      if (error instanceof RateLimiterRes) return this.#count(error, false);
      throw error;
    }
  }

  #count({ remainingPoints, msBeforeNext }: RateLimiterRes, allowed: boolean): Count {
    const resetSeconds = Math.min(this.#rate.seconds, Math.max(1, Math.ceil(msBeforeNext / 1000)));
    return { allowed, left: Math.max(0, remainingPoints), resetSeconds };
  }
}
