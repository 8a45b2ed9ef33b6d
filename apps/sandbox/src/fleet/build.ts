import { Random } from './random.js';
import type { FleetVehicle, VehicleType } from './vehicles.js';

/** Resting voltage of the pack when empty and when full; its resistance at once, and of the slower part of the sag, in ohm. */
type Battery = Readonly<Record<'emptyVolts' | 'fullVolts' | 'capacityWattHours' | 'ohm' | 'slowOhm', number>>;

const batteries: Readonly<Partial<Record<VehicleType, readonly Battery[]>>> = {
  EV: [
    { emptyVolts: 590, fullVolts: 774, capacityWattHours: 77_000, ohm: 0.09, slowOhm: 0.05 },
    { emptyVolts: 312, fullVolts: 402, capacityWattHours: 64_000, ohm: 0.06, slowOhm: 0.03 },
  ],
  PE: [{ emptyVolts: 318, fullVolts: 388, capacityWattHours: 13_000, ohm: 0.12, slowOhm: 0.06 }],
  HV: [{ emptyVolts: 236, fullVolts: 288, capacityWattHours: 1_500, ohm: 0.16, slowOhm: 0.07 }],
  FV: [{ emptyVolts: 228, fullVolts: 282, capacityWattHours: 1_600, ohm: 0.14, slowOhm: 0.06 }],
};

/** Revolutions of the engine for one of the wheel, by gear. */
const ratioSets = [
  [13.4, 7.7, 5.1, 3.8, 3.0, 2.5],
  [14.1, 8.3, 5.6, 4.2, 3.3, 2.7],
  [12.8, 7.2, 4.9, 3.6, 2.9, 2.4],
] as const;

export type Build = ReturnType<typeof buildOf>;

export function buildOf(seed: number, { vin, type }: FleetVehicle) {
  const random = new Random(seed, vin, 'build');
  const electric = type === 'EV' || type === 'FV';
  const packs = batteries[type];
  return {
    type,
    massKg: random.whole(1350, 1750) + (electric ? 350 : packs ? 200 : 0),
    wheelbaseMeters: random.whole(255, 300) / 100,
    /** Turn of the steering wheel for one of the road wheels. */
    steeringRatio: random.whole(138, 165) / 10,
    wheelCircumferenceMeters: random.whole(190, 212) / 100,
    /** Standard deviation of the acceleration sensor on the road, in g. */
    accelerationNoise: random.between(0.003, 0.008),
    battery: packs ? random.pick(packs) : null,
    plugsIn: type === 'EV' || type === 'PE',
    /** The charge that the engine of a hybrid steers to. */
    restingCharge: type === 'PE' ? 0.22 : 0.58,
    /** `stopStart`: whether the engine stops at halts when it is warm. */
    engine: electric
      ? null
      : { ratios: random.pick(ratioSets), idleRpm: random.whole(70, 84) * 10, stopStart: random.chance(0.6) },
    speedLimitAssist: type !== 'UNKNOWN',
    /** Seconds after the start in which the camera of the assistance is not ready; 0 for most. */
    cameraSeconds: random.chance(0.3) ? random.whole(1, 3) : 0,
  };
}

export type Driver = ReturnType<typeof driverOf>;

export function driverOf(seed: number, { vin, type, habit }: FleetVehicle) {
  const random = new Random(seed, vin, 'driver');
  const temper = random.next();
  return {
    /** Usual mean acceleration and braking, in m/s². */
    acceleration: random.between(0.9, type === 'EV' ? 1.6 : 1.3) + 0.2 * temper,
    braking: random.between(0.9, 1.2) + 0.25 * temper,
    /** How the driver's speed compares with the limit. */
    pace: random.between(0.93, 1.01) + 0.05 * temper + (habit === 'traveller' ? 0.02 : 0),
    /** Between once in 800 km and once in 100 km. */
    harshPerKilometer: 0.0012 * 8 ** temper,
    neutralAtHalts: random.chance(0.25),
    /** Chance that a belt is put on late, or on a short way not at all. */
    forgetsBelt: random.chance(0.3) ? random.between(0.08, 0.3) : 0.015,
    /** Position, 0 to 1, in the lists of speed limit assistance options that the driver has chosen. */
    assistance: random.next(),
  };
}
