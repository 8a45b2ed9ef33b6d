import { hash } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { SettingValues } from '../config/settings.js';
import type { Rate } from './rate.js';
import { type Count, CountedLimits, type Counter } from './rate-limits.js';
import { WindowCounter } from './window-counter.js';

/** The Redis that counts for many processes, and the prefix of its keys. */
export interface SharedCounting {
  readonly redis: Redis | Cluster;
  readonly prefix: string;
}

/** Time for which Redis is left alone after it failed or was too slow, in milliseconds. */
const restMs = 1000;

/**
 * The limits that the settings name; `null` when nothing has to be counted.
 *
 * @param redis counts for many processes; without it, this process counts alone
 * @param onAway receives every failure of Redis
 * @param before limits whose counts continue
 */
export function openLimits(
  values: SettingValues,
  redis: SharedCounting | null,
  onAway: () => void,
  before: CountedLimits | null = null,
): CountedLimits | null {
  const rates = { perClient: values.VDS_LIMIT_PER_CLIENT ?? null, perVehicle: values.VDS_LIMIT_PER_VEHICLE ?? null };
  // A key can have a rate of its own.
  if (rates.perClient === null && rates.perVehicle === null && values.VDS_CLIENT_AUTH !== 'api-key') return null;
  if (before !== null) return before.withRates(rates);
  if (redis === null)
    return new CountedLimits(
      rates,
      (rate) => new WindowCounter(rate),
      (vin) => vin,
    );
  // Redis belongs to others as well, so a VIN is not its key.
  const hashed = (vin: string) => hash('sha256', vin, 'hex').slice(0, 32);
  return new CountedLimits(rates, (rate) => sharedCounter(rate, redis, onAway), hashed);
}

/**
 * Counts requests of one rate for several processes together. While Redis is away or too slow, the process counts alone: every process
 * then allows the whole rate, and no request waits for Redis but one a second.
 */
function sharedCounter(rate: Rate, { redis, prefix }: SharedCounting, onAway: () => void): Counter {
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
