import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Rate } from './rate.js';
import type { Count, Counter } from './rate-limits.js';
import { WindowCounter } from './window-counter.js';

/** Time for which Redis is left alone after it failed or was too slow, in milliseconds. */
const restMs = 1000;

/**
 * Counts requests of one rate for several processes together. While Redis is away or too slow, the process counts alone: every process
 * then allows the whole rate, and no request waits for Redis but one a second.
 */
export function redisCounter(redis: Redis | Cluster, prefix: string, rate: Rate, onAway: () => void): Counter {
  const alone = new WindowCounter(rate);
  const limiter = new RateLimiterRedis({
    points: rate.calls,
    duration: rate.seconds,
    storeClient: redis,
    keyPrefix: `${prefix}limit:${rate.calls}/${rate.seconds}`,
    rejectIfRedisNotReady: true,
  });
  let restUntilMs = Number.NEGATIVE_INFINITY;
  const countOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, allowed: boolean): Count => {
    const resetSeconds = Math.min(rate.seconds, Math.max(1, Math.ceil(msBeforeNext / 1000)));
    return { allowed, left: Math.max(0, remainingPoints), resetSeconds };
  };
  return {
    async take(key) {
      if (performance.now() < restUntilMs) return alone.take(key);
      try {
        return countOf(await limiter.consume(key), true);
      } catch (error) {
        if (error instanceof RateLimiterRes) return countOf(error, false);
        restUntilMs = performance.now() + restMs;
        onAway();
        return alone.take(key);
      }
    },
  };
}
