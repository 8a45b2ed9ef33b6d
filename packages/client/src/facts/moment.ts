// What a moment is, and from which values on something is one.
import type { SpeedOptions } from './speed.js';

/** What a moment is about. */
export type MomentKind =
  | 'hard-braking'
  | 'hard-acceleration'
  | 'sharp-turn'
  | 'unbelted'
  | 'cold-engine'
  | 'voltage-dip'
  | 'contradiction'
  | 'no-data';

/**
 * What makes a moment, with the defaults.
 *
 * - `brakingG`, `accelerationG` (g): 4.4 m/s², and `turnG` (g): 5.5 m/s², the defaults of the trackers of Digital Matter:
 *   https://support.digitalmatter.com/support/solutions/articles/16000042353-harsh-event-setup-on-devices
 * - `unbeltedKmh` (km/h): the speed at which a seat belt reminder must have begun (UN Regulation No. 16, and
 *   https://www.mlit.go.jp/jidosha/anzen/02assessment/car_h21/assessment_warning.html).
 * - `coldOilCelsius` (°C): below it, the operator's manual of the Peterbilt 520 asks for no load at all (130 °F of the coolant).
 * - `coldRpm` (rpm), `dipShare` (share of the highest voltage in the 30 s before), `contradictionKmh` (km/h) and `noDataMs` (ms): no
 *   public source is known to us; these are choices of this implementation.
 */
export const thresholds = {
  brakingG: 0.45,
  accelerationG: 0.45,
  turnG: 0.56,
  unbeltedKmh: 25,
  coldOilCelsius: 54,
  coldRpm: 3000,
  dipShare: 0.15,
  contradictionKmh: 5,
  noDataMs: 2000,
} as const;

/** Name of a threshold. */
export type ThresholdName = keyof typeof thresholds;

/** Options of `moments`: thresholds in place of the defaults. */
export interface MomentOptions extends SpeedOptions, Readonly<Partial<Record<ThresholdName, number>>> {}

/** A place of a trip. */
export interface Moment {
  readonly kind: MomentKind;
  readonly series: 'driving' | 'powertrain';
  /** Index of its first sample, and index after its last one, of the signals that made it. */
  readonly from: number;
  readonly to: number;
  /** Assumed times of both in milliseconds since 1970 UTC; `null` where the time is unknown. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** Paths of the signals that made it. */
  readonly signals: readonly string[];
  /** What made it, with the unit in the name: `lowestG`, `fromKmh`, `lowestV`. */
  readonly values: Readonly<Record<string, number | string>>;
}

/** Every threshold, and the options of speed. */
export interface Limits extends SpeedOptions, Readonly<Record<ThresholdName, number>> {}
