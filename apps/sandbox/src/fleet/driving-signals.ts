import type { Trip } from './car.js';
import { type Drive, gear } from './drive.js';
import { arcTangent } from './exact-math.js';
import type { Traits } from './traits.js';

/** Driving signals of one trip. Numbers are whole multiples of the step that the name's comment tells. */
export interface DrivingSignals {
  /** 0.1 km. */
  readonly odometer: Int32Array;
  /** 0.001 g. */
  readonly longitudinal: Int32Array;
  /** 0.01 °/s. */
  readonly yaw: Int32Array;
  /** 0.1 °. */
  readonly steeringAngle: Int32Array;
  /** 0.1 °/s, in steps of 4 °/s. */
  readonly rotationSpeed: Int32Array;
  /** 1 on, 0 off. */
  readonly ignition: Uint8Array;
  /** 1 belted, 0 unbelted. */
  readonly driverBelt: Uint8Array;
  readonly passengerBelt: Uint8Array;
  /** One of the values of `gear`. */
  readonly gear: Uint8Array;
}

const standardGravity = 9.80665;
const degrees = 180 / Math.PI;

/** The odometer of a trip at a sample, in whole 0.1 km. */
export function odometerAt({ metresBefore, drive }: Trip, sample: number): number {
  // The tiny addition makes up for sums of metres that end just below a whole number.
  return Math.floor((metresBefore + (drive.metres[sample] as number) + 1e-6) / 100);
}

/** Reads the driving signals off a trip. */
export function readDrivingSignals(trip: Trip, traits: Traits): DrivingSignals {
  const { drive, passenger } = trip;
  const { count, speed, curvature } = drive;
  const { wheelbaseMetres, steeringRatio } = traits;
  const odometer = new Int32Array(count);
  const longitudinal = new Int32Array(count);
  const yaw = new Int32Array(count);
  const steeringAngle = new Int32Array(count);
  const rotationSpeed = new Int32Array(count);
  let speedBefore = 0;
  let carried = 0;
  let angleBefore = 0;
  for (let i = 0; i < count; i++) {
    const now = speed[i] as number;
    odometer[i] = odometerAt(trip, i);
    // What one sample loses by rounding the next one carries, so the sum of the samples stays the speed.
    const wanted = ((now - speedBefore) / standardGravity) * 1000 + carried;
    const rounded = Math.round(wanted);
    carried = wanted - rounded;
    longitudinal[i] = rounded;
    speedBefore = now;
    const bend = curvature[i] as number;
    yaw[i] = Math.round(bend * now * degrees * 100);
    const angle = Math.round(arcTangent(bend * wheelbaseMetres) * degrees * steeringRatio * 10);
    steeringAngle[i] = angle;
    rotationSpeed[i] = i === 0 ? 0 : 40 * Math.round(Math.abs(angle - angleBefore) / 40);
    angleBefore = angle;
  }
  const ignition = new Uint8Array(count).fill(1);
  ignition[count - 1] = 0;
  return {
    odometer,
    longitudinal,
    yaw,
    steeringAngle,
    rotationSpeed,
    ignition,
    driverBelt: belt(drive, 2, 2),
    passengerBelt: passenger ? belt(drive, 3, 1) : new Uint8Array(count),
    gear: drive.gear,
  };
}

/** A belt that is put on in park, some seconds after the start, and taken off in park, some seconds before the end. */
function belt(drive: Drive, secondsAfterStart: number, secondsBeforeEnd: number): Uint8Array {
  const { count } = drive;
  const worn = new Uint8Array(count);
  let end = count - secondsBeforeEnd;
  while (end > 0 && end < count && drive.gear[end] !== gear.park) end++;
  worn.fill(1, secondsAfterStart, end);
  return worn;
}
