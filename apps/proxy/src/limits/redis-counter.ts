import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Rate } from '../rate.js';
import { type Counter, countOf, WindowCounter } from './rate-limits.js';

/** Time for which Redis is left alone after it failed or was too slow, in milliseconds. */
const restMs = 1000;

/**
 * Counts requests of one rate for several processes together. While Redis is away or too slow, the process counts alone: every process
 * then allows the whole rate, and no request waits for Redis but one a second.
 */
export function redisCounter(redis: Redis | Cluster, prefix: string, rate: Rate, onFailure: () => void): Counter {
  const alone = new WindowCounter(rate);
  const limiter = new RateLimiterRedis({
    points: rate.calls,
    duration: rate.seconds,
    storeClient: redis,
    keyPrefix: `${prefix}limit:${rate.calls}/${rate.seconds}`,
    rejectIfRedisNotReady: true,
  });
  let restUntilMs = Number.NEGATIVE_INFINITY;
  const counted = ({ consumedPoints, msBeforeNext }: RateLimiterRes) => countOf(rate, consumedPoints, msBeforeNext);
  return {
    async take(key) {
      if (performance.now() < restUntilMs) return alone.take(key);
      try {
        return counted(await limiter.consume(key));
      } catch (error) {
        if (error instanceof RateLimiterRes) return counted(error);
        restUntilMs = performance.now() + restMs;
        onFailure();
        return alone.take(key);
      }
    },
  };
}
