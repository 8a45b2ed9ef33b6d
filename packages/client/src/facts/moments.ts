// Places of a trip that are worth a look. They say what happened, not whether it was right.
import type { TripColumns } from '../series/columns.js';
import { drivingMoments } from './driving-moments.js';
import { type Limits, type Moment, type MomentOptions, thresholds } from './moment.js';
import { powertrainMoments } from './powertrain-moments.js';
import { stretchesWithoutData } from './without-data.js';

/**
 * The moments of a trip in the order of their samples. What has no value makes no moment but `no-data`. Moments that need a speed or a
 * time are left out where that is unknown.
 *
 * - `hard-braking`, `hard-acceleration`: acceleration beyond the threshold.
 * - `sharp-turn`: speed times yaw rate, the sideways acceleration, beyond the threshold.
 * - `unbelted`: the driver's belt is `unbelted` in a stretch that reaches the speed.
 * - `cold-engine`: engine speed at or above `coldRpm` while the oil is colder than `coldOilCelsius`.
 * - `voltage-dip`: voltage of the battery below the highest one of the 30 s before, by that share.
 * - `contradiction`: gear `p` or ignition `off` while moving, or gear `r` while moving forward.
 * - `no-data`: samples without a value for that long, or a jump of the odometer.
 *
 * @param driving the driving side of the trip, from `toColumns`; `null` where there is none
 * @param powertrain the powertrain side
 */
export function moments(
  driving: TripColumns<'driving'> | null,
  powertrain: TripColumns<'powertrain'> | null,
  options: MomentOptions = {},
): Moment[] {
  const limits: Limits = { ...thresholds, ...options };
  const found = [
    ...(driving ? [...drivingMoments(driving, limits), ...stretchesWithoutData(driving, limits.noDataMs)] : []),
    ...(powertrain
      ? [...powertrainMoments(powertrain, limits), ...stretchesWithoutData(powertrain, limits.noDataMs)]
      : []),
  ];
  return found.sort((one, other) => (one.startTime ?? 0) - (other.startTime ?? 0) || one.from - other.from);
}
