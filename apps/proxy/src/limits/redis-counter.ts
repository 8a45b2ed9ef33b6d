import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Count } from './counter.js';
import type { Rate } from './rate.js';

/** The Redis that counts for many processes, and what stands before its keys. */
export interface SharedCounting {
  readonly redis: Redis;
  readonly prefix: string;
}

/** Makes what counts calls of one rate in Redis. It fails while Redis is away or too slow. */
export function countInRedis(rate: Rate, { redis, prefix }: SharedCounting): (key: string) => Promise<Count> {
  const limiter = new RateLimiterRedis({
    points: rate.calls,
    duration: rate.seconds,
    storeClient: redis,
    keyPrefix: `${prefix}limit:${rate.calls}/${rate.seconds}`,
    rejectIfRedisNotReady: true,
  });
  const countOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, allowed: boolean): Count => {
    const resetSeconds = Math.min(rate.seconds, Math.max(1, Math.ceil(msBeforeNext / 1000)));
    return { allowed, left: Math.max(0, remainingPoints), resetSeconds };
  };
  return async (key) => {
    try {
      return countOf(await limiter.consume(key), true);
    } catch (error) {
      if (error instanceof RateLimiterRes) return countOf(error, false);
      throw error;
    }
  };
}
