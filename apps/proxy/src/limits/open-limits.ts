import { hash } from 'node:crypto';
import type { SettingValues } from '../config/read-settings.js';
import { CountedLimits } from './counted-limits.js';
import type { Counter } from './counter.js';
import { parseRate, type Rate } from './rate.js';
import { countInRedis, type SharedCounting } from './redis-counter.js';
import { SharedCounter } from './shared-counter.js';
import { SpanCounter } from './span-counter.js';

/**
 * The limits that the settings name; `null` when nothing has to be counted.
 *
 * @param redis counts for many processes; without it, this process counts alone
 * @param onAway receives every failure of Redis
 * @param before limits whose counts go on
 */
export function openLimits(
  values: SettingValues,
  redis: SharedCounting | null,
  onAway: () => void,
  before: CountedLimits | null = null,
): CountedLimits | null {
  const perClient = parseRate(values.get('VDS_LIMIT_PER_CLIENT') ?? '');
  const perVehicle = parseRate(values.get('VDS_LIMIT_PER_VEHICLE') ?? '');
  // A key can have a rate of its own.
  const counts = perClient !== null || perVehicle !== null || values.get('VDS_CLIENT_AUTH') === 'api-key';
  if (!counts) return null;
  if (before !== null) return before.withRates({ perClient, perVehicle });
  const vehicleKey = redis === null ? (vin: string) => vin : hashed;
  return new CountedLimits({ perClient, perVehicle }, counterMaker(redis, onAway), vehicleKey);
}

/** Redis belongs to others as well, so a VIN is not its key. */
function hashed(vin: string): string {
  return hash('sha256', vin, 'hex').slice(0, 32);
}

function counterMaker(redis: SharedCounting | null, onAway: () => void): (rate: Rate) => Counter {
  if (redis === null) return (rate) => new SpanCounter(rate);
  return (rate) => new SharedCounter(rate, countInRedis(rate, redis), onAway);
}
