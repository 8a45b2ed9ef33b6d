import type { DrivingTrip } from '@vehicle-data/openapi';
import { identityOf, type Trip } from './car.js';
import { type Drive, gear } from './drive.js';
import { Random } from './random.js';

const standardGravity = 9.80665;
const degrees = 180 / Math.PI;
const gears = ['p', 'r', 'n', 'd'] as const;

/** The odometer of a trip at a sample in km. */
export function odometerAt({ metersBefore, meters }: Trip, sample: number): number {
  return Math.floor((metersBefore + (meters[sample] ?? 0)) / 100 + 1e-6) / 10;
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

/** The driving data of a trip. */
export function drivingTrip(trip: Trip, seed: number, sensorNoise: boolean): DrivingTrip {
  const { car, startMs, planned, samples } = trip;
  const { build, driver, vehicle } = car;
  const random = new Random(seed, vehicle.vin, 'signals', startMs);
  const noise = sensorNoise ? () => random.bell() : () => 0;
  const longitudinal: number[] = [];
  const yaw: number[] = [];
  const odometer: number[] = [];
  const steeringAngle: number[] = [];
  const rotationSpeed: number[] = [];
  const [acceleration, turn] = [measured(1000, 4.177), measured(100, 40.95)];
  let [speedBefore, metersBefore, angleBefore, headingBefore] = [0, 0, 0, trip.heading[0] ?? 0];
  for (let i = 0; i < samples; i++) {
    const [speed = 0, meters = 0, heading = 0] = [trip.speed[i], trip.meters[i], trip.heading[i]];
    // The road shakes the sensors.
    const shaking = Math.min(1, 0.15 + Math.abs(speed) / 12);
    const g = (speed - speedBefore) / standardGravity;
    longitudinal.push(acceleration(g, shaking * build.accelerationNoise * 0.7 * noise()));
    yaw.push(turn((heading - headingBefore) * degrees, shaking * 0.09 * noise()));
    odometer.push(odometerAt(trip, i));
    const driven = (meters - metersBefore) * (trip.gear[i] === gear.reverse ? -1 : 1);
    const bend = Math.abs(driven) > 0.3 ? (heading - headingBefore) / driven : undefined;
    // A hand on the wheel is never quite still.
    const wheel = Math.atan((bend ?? 0) * build.wheelbaseMeters) * degrees * build.steeringRatio + 0.4 * noise();
    const angle = bend === undefined ? angleBefore : Math.round(wheel * 10) / 10;
    steeringAngle.push(angle);
    rotationSpeed.push(Math.min(1016, 4 * Math.round(Math.abs(angle - angleBefore) / 4)));
    speedBefore = speed;
    metersBefore = meters;
    headingBefore = heading;
    angleBefore = angle;
  }
  const isla = build.speedLimitAssist ? speedLimitAssistance(trip, random) : undefined;
  const driverBelt = belt(trip, driver.forgetsBelt, random);
  const { passenger } = planned;
  return {
    ...identityOf(trip),
    ignition: { status: constant<'on' | 'off'>(trip, 'on').fill('off', -1) },
    odometer: { value: odometer },
    acceleration: { longitudinal },
    angularVelocity: { yaw },
    ...(isla && { isla }),
    seatbelt: {
      assistance: passenger ? belt(trip, driver.forgetsBelt * 1.5, random) : constant<Belt>(trip, 'unbelted'),
      driver: driverBelt,
    },
    steeringWheel: { angle: steeringAngle, rotationSpeed },
    transmission: { gear: Array.from(trip.gear, (position) => gears[position] ?? 'p') },
  };
}

/** The same value at every sample of a drive. */
function constant<Value>({ samples }: Drive, value: Value): Value[] {
  return new Array<Value>(samples).fill(value);
}

type Belt = 'belted' | 'unbelted';

/** A belt is put on after the start and taken off before the end, both in park; now and then late, or on a short way not at all. */
function belt(drive: Drive, forgets: number, random: Random): Belt[] {
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
function speedLimitAssistance(trip: Trip, random: Random): NonNullable<DrivingTrip['isla']> {
  const { build, driver } = trip.car;
  const changesAt = random.chance(0.05) ? random.whole(0, trip.samples) : trip.samples;
  const choose = <Value>(choices: readonly Value[]): (Value | 'off' | 'invalid')[] => {
    const [first = 'off'] = choices;
    const usual = choices[Math.floor(driver.assistance * choices.length)] ?? 'off';
    return constant<Value | 'off' | 'invalid'>(trip, usual)
      .fill(usual === 'off' ? first : 'off', changesAt)
      .fill('invalid', 0, build.cameraSeconds);
  };
  return { optionUsm: choose(usmChoices), optionUsm2: choose(usm2Choices) };
}
