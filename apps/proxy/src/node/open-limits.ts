import { CountedLimits } from '../limits/counted-limits.js';
import type { Counter } from '../limits/counter.js';
import { parseRate, type Rate } from '../limits/rate.js';
import { SpanCounter } from '../limits/span-counter.js';
import type { SettingValues } from '../settings/read-settings.js';
import type { PrimaryLink } from './cluster/primary-link.js';
import type { SharedCounting } from './redis-counter.js';
import { SharedCounter } from './shared-counter.js';

/** Where calls are counted for several processes: in Redis, at the process that started this one, or not at all. */
export interface CountingPlaces {
  readonly redis: SharedCounting | null;
  readonly primary: PrimaryLink | null;
}

/** The limits that the settings name; `null` when nothing has to be counted. */
export async function openLimits(
  values: SettingValues,
  places: CountingPlaces,
  onAway: () => void,
): Promise<CountedLimits | null> {
  const perCaller = parseRate(values.get('VDS_LIMIT_PER_CALLER') ?? '');
  const perVehicle = parseRate(values.get('VDS_LIMIT_PER_VEHICLE') ?? '');
  // A key can have a rate of its own.
  const counts = perCaller !== null || perVehicle !== null || values.get('VDS_CLIENT_AUTH') === 'api-key';
  if (!counts) return null;
  const vehicleKey = places.redis === null ? (vin: string) => vin : hashed;
  return new CountedLimits({ perCaller, perVehicle }, await counterMaker(places, onAway), vehicleKey);
}

/** Redis belongs to others as well, so a VIN is not its key. */
function hashed(vin: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', vin, 'hex').slice(0, 32);
}

async function counterMaker({ redis, primary }: CountingPlaces, onAway: () => void): Promise<(rate: Rate) => Counter> {
  if (redis !== null) {
    const { countInRedis } = await import('./redis-counter.js');
    return (rate) => new SharedCounter(rate, countInRedis(rate, redis), onAway);
  }
  if (primary !== null) return (rate) => new SharedCounter(rate, (key) => primary.count(rate, key), onAway);
  return (rate) => new SpanCounter(rate);
}
