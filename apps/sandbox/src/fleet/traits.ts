import { Random } from './random.js';
import type { FleetVehicle } from './vehicles.js';

/** The high-voltage side of a vehicle. */
export interface BatteryTraits {
  /** Resting voltage of the pack when empty and when full. */
  readonly emptyVolts: number;
  readonly fullVolts: number;
  readonly capacityWattHours: number;
  /** Resistance at once, and of the slower part of the sag, in ohm. */
  readonly ohm: number;
  readonly slowOhm: number;
  /** Whether the owner plugs the vehicle in. */
  readonly plugIn: boolean;
}

/** The combustion engine of a vehicle. */
export interface EngineTraits {
  /** Revolutions of the engine for one of the wheel, by gear. */
  readonly ratios: readonly number[];
  readonly idleRpm: number;
  /** Whether the engine stops at halts when it is warm. */
  readonly stopStart: boolean;
}

/** What makes one vehicle and its driver differ from another: drawn from the seed and the VIN. */
export interface Traits {
  readonly massKg: number;
  readonly wheelbaseMetres: number;
  /** Turn of the steering wheel for one of the road wheels. */
  readonly steeringRatio: number;
  readonly wheelCircumferenceMetres: number;
  /** Greatest acceleration the driver asks for, and braking, in m/s². */
  readonly acceleration: number;
  readonly braking: number;
  /** How the driver's speed compares with the limit. */
  readonly pace: number;
  /** Whether the driver shifts to neutral at long halts. */
  readonly neutralAtHalts: boolean;
  readonly battery: BatteryTraits | null;
  readonly engine: EngineTraits | null;
  /** Whether the vehicle has speed limit assistance; old cars have not. */
  readonly speedLimitAssist: boolean;
}

const ratioSets = [
  [13.4, 7.7, 5.1, 3.8, 3.0, 2.5],
  [14.1, 8.3, 5.6, 4.2, 3.3, 2.7],
  [12.8, 7.2, 4.9, 3.6, 2.9, 2.4],
] as const;

/** Draws the traits of a vehicle. */
export function traitsOf(seed: number, { vin, type, habit }: FleetVehicle): Traits {
  const random = new Random(seed, vin, 'traits');
  const electric = type === 'EV' || type === 'FV';
  const hybrid = type === 'HV' || type === 'PE';
  const ratios = ratioSets[random.whole(0, 2)] as readonly number[];
  const idleRpm = random.whole(70, 84) * 10;
  const wide = random.chance(0.5);
  const battery: Readonly<Partial<Record<typeof type, BatteryTraits>>> = {
    EV: wide
      ? { emptyVolts: 590, fullVolts: 774, capacityWattHours: 77_000, ohm: 0.09, slowOhm: 0.05, plugIn: true }
      : { emptyVolts: 312, fullVolts: 402, capacityWattHours: 64_000, ohm: 0.06, slowOhm: 0.03, plugIn: true },
    PE: { emptyVolts: 318, fullVolts: 388, capacityWattHours: 13_000, ohm: 0.12, slowOhm: 0.06, plugIn: true },
    HV: { emptyVolts: 236, fullVolts: 288, capacityWattHours: 1_500, ohm: 0.16, slowOhm: 0.07, plugIn: false },
    FV: { emptyVolts: 228, fullVolts: 282, capacityWattHours: 1_600, ohm: 0.14, slowOhm: 0.06, plugIn: false },
  };
  return {
    massKg: random.whole(1350, 1750) + (electric ? 350 : hybrid ? 200 : 0),
    wheelbaseMetres: random.whole(255, 300) / 100,
    steeringRatio: random.whole(138, 165) / 10,
    wheelCircumferenceMetres: random.whole(190, 212) / 100,
    acceleration: random.between(1.4, electric ? 2.4 : 2),
    braking: random.between(1.3, 1.75),
    pace: habit === 'traveller' ? random.between(1, 1.06) : random.between(0.93, 1.03),
    neutralAtHalts: random.chance(0.25),
    battery: battery[type] ?? null,
    engine: electric ? null : { ratios, idleRpm, stopStart: random.chance(0.6) },
    speedLimitAssist: type !== 'UNKNOWN',
  };
}
