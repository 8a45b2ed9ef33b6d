import { parseRate } from '../limits/rate.js';
import type { SettingValues } from '../settings/read-settings.js';
import type { SharedCounting } from './call-counter.js';
import { CountedLimits } from './counted-limits.js';

/** The limits that the settings name; `null` when nothing has to be counted. */
export function openLimits(
  values: SettingValues,
  shared: SharedCounting | null,
  onAway: () => void,
): CountedLimits | null {
  const perCaller = parseRate(values.get('VDS_LIMIT_PER_CALLER') ?? '');
  const perVehicle = parseRate(values.get('VDS_LIMIT_PER_VEHICLE') ?? '');
  // A key can have a rate of its own.
  const counts = perCaller !== null || perVehicle !== null || values.get('VDS_CLIENT_AUTH') === 'api-key';
  return counts ? new CountedLimits({ perCaller, perVehicle }, shared, onAway) : null;
}
