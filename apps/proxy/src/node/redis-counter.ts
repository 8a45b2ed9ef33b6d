import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Count, Counter } from '../limits/counter.js';
import type { Rate } from '../limits/rate.js';
import { SpanCounter } from '../limits/span-counter.js';

/** The Redis that counts for many processes, and what stands before its keys. */
export interface SharedCounting {
  readonly redis: Redis;
  readonly prefix: string;
}

/** Time for which Redis is not asked after it failed or was too slow, in milliseconds. */
const restMs = 1000;

/**
 * Counts calls of one rate in Redis for all processes together. While Redis is away or too slow, the process counts alone: every
 * process then allows the whole rate, and no call waits for Redis but one a second.
 */
export class RedisCounter implements Counter {
  readonly #rate: Rate;
  readonly #alone: SpanCounter;
  readonly #shared: RateLimiterRedis;
  readonly #onAway: () => void;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(rate: Rate, { redis, prefix }: SharedCounting, onAway: () => void) {
    this.#rate = rate;
    this.#onAway = onAway;
    this.#alone = new SpanCounter(rate);
    this.#shared = new RateLimiterRedis({
      points: rate.calls,
      duration: rate.seconds,
      storeClient: redis,
      keyPrefix: `${prefix}limit:${rate.calls}/${rate.seconds}`,
      rejectIfRedisNotReady: true,
    });
  }

  /** Counts one call under a key. */
  async take(key: string): Promise<Count> {
    if (performance.now() >= this.#restUntilMs) {
      try {
        return await this.#takeShared(key);
      } catch {
        this.#restUntilMs = performance.now() + restMs;
        this.#onAway();
      }
    }
    return this.#alone.take(key);
  }

  async #takeShared(key: string): Promise<Count> {
    try {
      return this.#count(await this.#shared.consume(key), true);
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
