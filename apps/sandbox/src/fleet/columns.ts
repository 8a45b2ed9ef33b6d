import type { DrivingTrip, operations } from '@vehicle-data/openapi';
import type { DrivingSignals } from './driving-signals.js';
import type { PowertrainSignals } from './powertrain.js';
import type { Traits } from './traits.js';

/** Samples of one signal: whole multiples of a power of ten, or positions in a list of names. */
export type Column =
  | { readonly kind: 'numbers'; readonly samples: Int32Array; readonly decimals: 1 | 2 | 3 }
  | { readonly kind: 'choices'; readonly samples: Uint8Array; readonly names: readonly string[] }
  | { readonly kind: 'constant'; readonly name: string };

/** The signals of one trip; a group is read off when it is first asked for. */
export interface TripSignals {
  readonly driving: DrivingSignals;
  readonly powertrain: PowertrainSignals;
}

type DrivingPath = keyof typeof operations.getDrivingData.series.signals;
type PowertrainPath = keyof typeof operations.getPowertrainData.series.signals;
/** A signal of the contract's trips, by its dotted path. */
export type SignalPath = DrivingPath | PowertrainPath;

type Sample<Group extends keyof DrivingTrip, Name extends keyof NonNullable<DrivingTrip[Group]>> =
  NonNullable<NonNullable<DrivingTrip[Group]>[Name]> extends readonly (infer Value)[] ? Value : never;

const gears: readonly Sample<'transmission', 'gear'>[] = ['p', 'r', 'n', 'd'];
const ignition: readonly Sample<'ignition', 'status'>[] = ['off', 'on'];
const belt: readonly Sample<'seatbelt', 'driver'>[] = ['unbelted', 'belted'];
const speedLimitWarning: Sample<'isla', 'optionUsm'> = 'warning';
const speedLimitAssist: Sample<'isla', 'optionUsm2'> = 'assist';

const numbers = (samples: Int32Array | null, decimals: 1 | 2 | 3): Column | null =>
  samples && { kind: 'numbers', samples, decimals };

/**
 * Reads one signal off a trip, or nothing where the vehicle has no such part. A signal of the contract without an entry
 * here is one that no vehicle of the fleet has.
 */
export const columns: Readonly<Partial<Record<string, (signals: TripSignals, traits: Traits) => Column | null>>> = {
  'ignition.status': ({ driving }) => ({ kind: 'choices', samples: driving.ignition, names: ignition }),
  'odometer.value': ({ driving }) => numbers(driving.odometer, 1),
  'acceleration.longitudinal': ({ driving }) => numbers(driving.longitudinal, 3),
  'angularVelocity.yaw': ({ driving }) => numbers(driving.yaw, 2),
  'isla.optionUsm': (_, traits) => (traits.speedLimitAssist ? { kind: 'constant', name: speedLimitWarning } : null),
  'isla.optionUsm2': (_, traits) => (traits.speedLimitAssist ? { kind: 'constant', name: speedLimitAssist } : null),
  'seatbelt.assistance': ({ driving }) => ({ kind: 'choices', samples: driving.passengerBelt, names: belt }),
  'seatbelt.driver': ({ driving }) => ({ kind: 'choices', samples: driving.driverBelt, names: belt }),
  'steeringWheel.angle': ({ driving }) => numbers(driving.steeringAngle, 1),
  'steeringWheel.rotationSpeed': ({ driving }) => numbers(driving.rotationSpeed, 1),
  'transmission.gear': ({ driving }) => ({ kind: 'choices', samples: driving.gear, names: gears }),
  'batteries.hv.voltage': ({ powertrain }) => numbers(powertrain.voltage, 1),
  'engine.oilTemperature': ({ powertrain }) => numbers(powertrain.oilTemperature, 1),
  'engine.rpm': ({ powertrain }) => numbers(powertrain.rpm, 1),
} satisfies { readonly [Path in SignalPath]?: (signals: TripSignals, traits: Traits) => Column | null };
