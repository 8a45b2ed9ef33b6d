import { hash } from 'node:crypto';
import type { SettingValues } from '../config/settings.js';
import type { Rate } from './rate.js';
import { CountedLimits, type Counter } from './rate-limits.js';
import { WindowCounter } from './window-counter.js';

/** Makes the counter of a rate for many processes together. `onAway` receives every failure to do so. */
export type SharedCounting = (rate: Rate, onAway: () => void) => Counter;

/**
 * The limits that the settings name; `null` when nothing has to be counted.
 *
 * @param shared counts for many processes; `null` when this process counts alone
 * @param onAway receives every failure of Redis
 * @param before limits whose counts continue
 */
export function openLimits(
  values: SettingValues,
  shared: SharedCounting | null,
  onAway: () => void,
  before: CountedLimits | null = null,
): CountedLimits | null {
  const rates = { perClient: values.VDS_LIMIT_PER_CLIENT ?? null, perVehicle: values.VDS_LIMIT_PER_VEHICLE ?? null };
  // A key can have a rate of its own.
  if (rates.perClient === null && rates.perVehicle === null && values.VDS_CLIENT_AUTH !== 'api-key') return null;
  if (before !== null) return before.withRates(rates);
  if (shared === null)
    return new CountedLimits(
      rates,
      (rate) => new WindowCounter(rate),
      (vin) => vin,
    );
  // Redis belongs to others as well, so a VIN is not its key.
  const hashed = (vin: string) => hash('sha256', vin, 'hex').slice(0, 32);
  return new CountedLimits(rates, (rate) => shared(rate, onAway), hashed);
}
