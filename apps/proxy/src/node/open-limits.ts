import { hash } from 'node:crypto';
import { CountedLimits } from '../limits/counted-limits.js';
import { parseRate } from '../limits/rate.js';
import { SpanCounter } from '../limits/span-counter.js';
import type { SettingValues } from '../settings/read-settings.js';
import type { SharedCounting } from './redis-counter.js';

/** The limits that the settings name; `null` when nothing has to be counted. */
export async function openLimits(
  values: SettingValues,
  shared: SharedCounting | null,
  onAway: () => void,
): Promise<CountedLimits | null> {
  const perCaller = parseRate(values.get('VDS_LIMIT_PER_CALLER') ?? '');
  const perVehicle = parseRate(values.get('VDS_LIMIT_PER_VEHICLE') ?? '');
  // A key can have a rate of its own.
  const counts = perCaller !== null || perVehicle !== null || values.get('VDS_CLIENT_AUTH') === 'api-key';
  if (!counts) return null;
  const rates = { perCaller, perVehicle };
  if (shared === null)
    return new CountedLimits(
      rates,
      (rate) => new SpanCounter(rate),
      (vin) => vin,
    );
  const { RedisCounter } = await import('./redis-counter.js');
  // Redis belongs to others as well, so a VIN is not its key.
  const vehicleKey = (vin: string) => hash('sha256', vin, 'hex').slice(0, 32);
  return new CountedLimits(rates, (rate) => new RedisCounter(rate, shared, onAway), vehicleKey);
}
