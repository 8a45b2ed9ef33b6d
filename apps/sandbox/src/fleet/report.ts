import type { CurrentStatus, DrivingTrip, LocationRecord } from '@vehicle-data/openapi';
import { Random } from './random.js';
import { positionOn } from './route.js';
import { sampleMs, type Trip } from './trips.js';

const degrees = 180 / Math.PI;

/** The odometer of a trip at a sample in km. */
function odometerAt({ metersBefore, meters }: Trip, sample: number): number {
  return Math.floor((metersBefore + (meters[sample] ?? 0)) / 100 + 1e-6) / 10;
}

/** Replaces sums by how much they grew, in steps of `1 / steps`. What is rounded off one sample is in the next, so samples add up. */
function growth(sums: number[], steps: number, limit: number): number[] {
  let shown = Math.round((sums[0] ?? 0) * steps);
  for (let i = 0; i < sums.length; i++) {
    const grown = Math.max(-limit, Math.min(limit, Math.round((sums[i] ?? 0) * steps) - shown));
    shown += grown;
    sums[i] = grown / steps;
  }
  return sums;
}

export function drivingTrip(trip: Trip, seed: number, sensorNoise: boolean): DrivingTrip {
  const { build, driver, vehicle, gear, planned, samples } = trip;
  const random = new Random(seed, vehicle.vin, 'signals', trip.startMs);
  const noise = sensorNoise ? 1 : 0;
  const g: number[] = [];
  const course: number[] = [];
  const odometer: number[] = [];
  const angle: number[] = [];
  const rotationSpeed: number[] = [];
  let [metersBefore, angleBefore, headingBefore] = [0, 0, trip.heading[0] ?? 0];
  for (let i = 0; i < samples; i++) {
    const speed = trip.speed[i] ?? 0;
    const meters = trip.meters[i] ?? 0;
    const heading = trip.heading[i] ?? 0;
    // The road shakes the sensors.
    const shaking = noise * Math.min(1, 0.15 + Math.abs(speed) / 12);
    g.push(speed / 9.80665 + shaking * build.accelerationNoise * 0.7 * random.noise());
    course.push(heading * degrees + shaking * 0.09 * random.noise());
    odometer.push(odometerAt(trip, i));
    const driven = gear[i] === 'r' ? metersBefore - meters : meters - metersBefore;
    // A hand on the wheel is never quite still, but at a halt.
    const bend = Math.atan(((heading - headingBefore) / driven) * build.wheelbaseMeters) * degrees;
    const wheel = bend * build.steeringRatio + 0.4 * noise * random.noise();
    const turned = Math.abs(driven) > 0.3 ? Math.round(wheel * 10) / 10 : angleBefore;
    angle.push(turned);
    rotationSpeed.push(Math.min(1016, 4 * Math.round(Math.abs(turned - angleBefore) / 4)));
    metersBefore = meters;
    headingBefore = heading;
    angleBefore = turned;
  }
  const { forgetsBelt } = driver;
  return {
    ...identityOf(trip),
    ignition: { status: constant<'on' | 'off'>(samples, 'on').fill('off', -1) },
    odometer: { value: odometer },
    acceleration: { longitudinal: growth(g, 1000, 4177) },
    angularVelocity: { yaw: growth(course, 100, 4095) },
    ...(build.speedLimitAssist && { isla: speedLimitAssistance(trip, random) }),
    seatbelt: {
      assistance: planned.passenger ? belt(trip, forgetsBelt * 1.5, random) : constant(samples, 'unbelted'),
      driver: belt(trip, forgetsBelt, random),
    },
    steeringWheel: { angle, rotationSpeed },
    transmission: { gear },
  };
}

const constant = <Value>(samples: number, value: Value): Value[] => new Array<Value>(samples).fill(value);

/** A belt is put on after the start and taken off before the end, both in park; now and then late, or on a short way not at all. */
function belt({ gear, samples }: Trip, forgets: number, random: Random): ('belted' | 'unbelted')[] {
  const leaves = gear.findIndex((position) => position !== 'p');
  const parks = gear.findLastIndex((position) => position !== 'p') + 1;
  const forgotten = random.chance(forgets);
  const on = forgotten ? leaves + random.whole(6, 90) : random.whole(1, Math.max(1, leaves - 1));
  const off = random.whole(parks, samples - 1);
  const never = leaves < 0 || (forgotten && (samples < 240 || random.chance(0.1)));
  const worn = constant<'belted' | 'unbelted'>(samples, 'unbelted');
  return never ? worn : worn.fill('belted', on, off);
}

const usmChoices = ['warning', 'warning', 'assist', 'assist', 'off', 'none'] as const;
const usm2Choices = ['assist', 'warning', 'warning', 'information', 'off', 'none'] as const;

/** What the driver has chosen of the speed limit assistance; now and then it is changed on the way. */
function speedLimitAssistance({ build, driver, samples }: Trip, random: Random): NonNullable<DrivingTrip['isla']> {
  const changesAt = random.chance(0.05) ? random.whole(0, samples) : samples;
  const choose = <Value>(choices: readonly [Value, ...Value[]]): (Value | 'off' | 'invalid')[] => {
    const usual = choices[Math.floor(driver.assistance * choices.length)] ?? 'off';
    return constant<Value | 'off' | 'invalid'>(samples, usual)
      .fill(usual === 'off' ? choices[0] : 'off', changesAt)
      .fill('invalid', 0, build.cameraSeconds);
  };
  return { optionUsm: choose(usmChoices), optionUsm2: choose(usm2Choices) };
}

export const identityOf = ({ startMs, endMs }: Trip) => ({
  triggerStartTime: new Date(startMs).toISOString(),
  tripLength: endMs - startMs,
});

const metersPerDegree = 111_320;

/** How long after a trip a vehicle goes to sleep and reports so. */
const sleepAfterMs = 10 * 60_000;

const latestSample = ({ startMs, samples }: Trip, nowMs: number): number =>
  Math.min(samples - 1, Math.floor((nowMs - startMs) / sampleMs));

const inSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The location that a vehicle last reported: every second while it drives, afterwards the place where it was parked. */
export function locationOn(trip: Trip, nowMs: number): LocationRecord {
  const { from, to, route } = trip;
  const { home, speedUnit } = trip.vehicle;
  const sample = latestSample(trip, nowMs);
  const onRoute = Math.max(0, (trip.meters[sample] ?? 0) - trip.planned.reverseMeters);
  const position = positionOn(route, onRoute);
  const share = route.meters > 0 ? onRoute / route.meters : 0;
  const speed = Math.abs(trip.speed[sample] ?? 0);
  const north = (from.north + position.north) / metersPerDegree;
  const east = (from.east + position.east) / (metersPerDegree * Math.cos((home.latitude * Math.PI) / 180));
  const compass = Math.round(90 - ((trip.heading[sample] ?? 0) * 180) / Math.PI);
  const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5;
  return {
    location: {
      latitude: rounded(Math.max(-90, Math.min(90, home.latitude + north))),
      longitude: rounded(((((home.longitude + east) % 360) + 540) % 360) - 180),
      altitude: Math.round(from.altitude + (to.altitude - from.altitude) * share),
      heading: ((compass % 360) + 360) % 360,
      speed: { value: Math.round(speed * (speedUnit === 'mph' ? 2.236936 : 3.6)), unit: speedUnit },
      type: 0,
    },
    timestamp: inSeconds(trip.startMs + sample * sampleMs),
  };
}

/** The current status that a vehicle last reported. A parked one falls asleep after ten minutes, which is its last report. */
export function statusOn(trip: Trip, nowMs: number): CurrentStatus {
  const sample = latestSample(trip, nowMs);
  const asleep = nowMs >= trip.endMs + sleepAfterMs;
  const status = sample < trip.samples - 1 ? 'on' : 'off';
  return {
    ignition: { status, ignitionDetails: ['ign1', 'ign3', 'acc'].map((type) => ({ type, status })) },
    sleepMode: asleep ? 'on' : 'off',
    odometer: { value: odometerAt(trip, sample), unit: 'km' },
    transmission: { parkingPosition: trip.gear[sample] === 'p' },
    timestamp: inSeconds(asleep ? trip.endMs + sleepAfterMs : trip.startMs + sample * sampleMs),
  };
}
