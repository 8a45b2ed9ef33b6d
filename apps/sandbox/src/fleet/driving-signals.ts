import type { DrivingTrip } from '@vehicle-data/openapi';
import { type Drive, gear } from './drive.js';
import { Random } from './random.js';
import { headingAt, metersAt, type Trip } from './trip.js';

type Samples<Group extends keyof DrivingTrip, Name extends keyof NonNullable<DrivingTrip[Group]>> = NonNullable<
  NonNullable<DrivingTrip[Group]>[Name]
>;

/** Driving signals of one trip. */
export interface DrivingSignals {
  readonly ignition: Samples<'ignition', 'status'>;
  /** km, in steps of 0.1. */
  readonly odometer: readonly number[];
  /** g, in steps of 0.001. */
  readonly longitudinal: readonly number[];
  /** °/s, in steps of 0.01. */
  readonly yaw: readonly number[];
  readonly usm: Samples<'isla', 'optionUsm'> | undefined;
  readonly usm2: Samples<'isla', 'optionUsm2'> | undefined;
  readonly passengerBelt: Samples<'seatbelt', 'assistance'>;
  readonly driverBelt: Samples<'seatbelt', 'driver'>;
  /** °, in steps of 0.1. */
  readonly steeringAngle: readonly number[];
  /** °/s, in steps of 4. */
  readonly rotationSpeed: readonly number[];
  readonly gear: Samples<'transmission', 'gear'>;
}

const standardGravity = 9.80665;
const degrees = 180 / Math.PI;
const gears = ['p', 'r', 'n', 'd'] as const;

/** The odometer of a trip at a sample in km. */
export function odometerAt(trip: Trip, sample: number): number {
  return Math.floor((trip.metersBefore + metersAt(trip, sample)) / 100 + 1e-6) / 10;
}

/**
 * Rounds samples to steps of `1 / steps`. What one sample loses by rounding the next one carries, so their sum stays true. Sensor noise
 * is the change of a bounded error, so it does not add up either.
 */
function measured(steps: number, limit: number): (value: number, error: number) => number {
  let carried = 0;
  let errorBefore = 0;
  return (value, error) => {
    const wanted = value + error - errorBefore + carried;
    const shown = Math.round(Math.max(-limit, Math.min(limit, wanted)) * steps) / steps;
    carried = wanted - shown;
    errorBefore = error;
    return shown;
  };
}

/** Reads the driving signals of a trip. */
export function drivingSignals(trip: Trip, seed: number, sensorNoise: boolean): DrivingSignals {
  const { car, drive, startMs, planned } = trip;
  const { build, driver, vehicle } = car;
  const random = new Random(seed, vehicle.vin, 'signals', startMs);
  const noise = sensorNoise ? () => random.bell() : () => 0;
  const [longitudinal, yaw, odometer, steeringAngle, rotationSpeed]: number[][] = [[], [], [], [], []];
  const [acceleration, turn] = [measured(1000, 4.177), measured(100, 40.95)];
  let [speedBefore, metersBefore, angleBefore] = [0, 0, 0];
  let headingBefore = headingAt(trip, 0);
  for (let i = 0; i < drive.samples; i++) {
    const speed = drive.speed[i] ?? 0;
    const meters = metersAt(trip, i);
    const heading = headingAt(trip, i);
    // The road shakes the sensors.
    const shaking = Math.min(1, 0.15 + Math.abs(speed) / 12);
    const g = (speed - speedBefore) / standardGravity;
    longitudinal?.push(acceleration(g, shaking * build.accelerationNoise * 0.7 * noise()));
    const turned = (heading - headingBefore) * degrees;
    yaw?.push(turn(turned, shaking * 0.09 * noise()));
    odometer?.push(odometerAt(trip, i));
    const driven = (meters - metersBefore) * (drive.gear[i] === gear.reverse ? -1 : 1);
    const bend = Math.abs(driven) > 0.3 ? (heading - headingBefore) / driven : undefined;
    // A hand on the wheel is never quite still.
    const wheel = Math.atan((bend ?? 0) * build.wheelbaseMeters) * degrees * build.steeringRatio + 0.4 * noise();
    const angle = bend === undefined ? angleBefore : Math.round(wheel * 10) / 10;
    steeringAngle?.push(angle);
    rotationSpeed?.push(Math.min(1016, 4 * Math.round(Math.abs(angle - angleBefore) / 4)));
    [speedBefore, metersBefore, headingBefore, angleBefore] = [speed, meters, heading, angle];
  }
  const ignition = constant<'on' | 'off'>(drive, 'on').fill('off', -1);
  return {
    ignition,
    longitudinal: longitudinal ?? [],
    yaw: yaw ?? [],
    odometer: odometer ?? [],
    steeringAngle: steeringAngle ?? [],
    rotationSpeed: rotationSpeed ?? [],
    ...speedLimitAssistance(trip, random),
    driverBelt: belt(drive, driver.forgetsBelt, random),
    passengerBelt: planned.passenger
      ? belt(drive, driver.forgetsBelt * 1.5, random)
      : constant<Belt>(drive, 'unbelted'),
    gear: Array.from(drive.gear, (position) => gears[position] ?? 'p'),
  };
}

type Belt = Samples<'seatbelt', 'driver'>[number];

/** The same value at every sample of a drive. */
function constant<Value>({ samples }: Drive, value: Value): Value[] {
  return new Array<Value>(samples).fill(value);
}

/** A belt is put on after the start and taken off before the end, both in park; now and then late, or on a short way not at all. */
function belt(drive: Drive, forgets: number, random: Random): DrivingSignals['driverBelt'] {
  const leaves = drive.gear.findIndex((position) => position !== gear.park);
  const parks = drive.gear.findLastIndex((position) => position !== gear.park) + 1;
  const forgotten = random.chance(forgets);
  const late = forgotten ? leaves + random.whole(6, 90) : random.whole(1, Math.max(1, leaves - 1));
  const never = leaves < 0 || (forgotten && (drive.samples < 240 || random.chance(0.1)));
  const off = random.whole(parks, drive.samples - 1);
  const worn = constant<Belt>(drive, 'unbelted');
  return never ? worn : worn.fill('belted', late, off);
}

const usmChoices = ['warning', 'warning', 'assist', 'assist', 'off', 'none'] as const;
const usm2Choices = ['assist', 'warning', 'warning', 'information', 'off', 'none'] as const;

/** What the driver has chosen of the speed limit assistance; now and then it is changed on the way. */
function speedLimitAssistance(trip: Trip, random: Random): Pick<DrivingSignals, 'usm' | 'usm2'> {
  const { car, drive } = trip;
  if (!car.build.speedLimitAssist) return { usm: undefined, usm2: undefined };
  const changesAt = random.chance(0.05) ? random.whole(0, drive.samples) : drive.samples;
  const at = car.driver.assistance;
  const choose = <Value>(choices: readonly Value[], other: Value, notReady: Value): Value[] => {
    const usual = choices[Math.floor(at * choices.length)] ?? other;
    const changed = usual === other ? (choices[0] ?? other) : other;
    return constant(drive, usual).fill(changed, changesAt).fill(notReady, 0, car.build.cameraSeconds);
  };
  return {
    usm: choose<Samples<'isla', 'optionUsm'>[number]>(usmChoices, 'off', 'invalid'),
    usm2: choose<Samples<'isla', 'optionUsm2'>[number]>(usm2Choices, 'off', 'invalid'),
  };
}
