import type { CurrentStatus, LocationRecord } from '@vehicle-data/openapi';
import { type Car, endOf, sampleMs, type Trip } from './car.js';
import { gear } from './drive.js';
import { cosine } from './exact-math.js';
import type { Whereabouts } from './fleet.js';
import { positionOn } from './route.js';

const metresPerDegree = 111_320;

/** How long after a trip a vehicle goes to sleep and reports so, in milliseconds. */
export const sleepAfterMs = 10 * 60_000;

/** The sample of the trip that is running, or the last one of the trip before. */
function latestSample({ trip, moving }: Whereabouts, nowMs: number): number {
  return moving ? Math.floor((nowMs - trip.startMs) / sampleMs) : trip.samples - 1;
}

const seconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The location that a vehicle last reported: while it drives every second, afterwards the place where it was parked. */
export function locationReport(car: Car, here: Whereabouts, nowMs: number): LocationRecord {
  const { trip } = here;
  const { town, speedUnit } = car.vehicle;
  const sample = latestSample(here, nowMs);
  const driven = Math.max(0, (trip.metres[sample] as number) - trip.reverseMetres);
  const on = positionOn(trip.route, driven);
  const share = driven / trip.route.metres;
  const speed = Math.abs(trip.speed[sample] as number);
  const compass = Math.round(90 - (on.direction * 180) / Math.PI);
  const east = trip.from.east + on.east;
  const north = trip.from.north + on.north;
  return {
    location: {
      latitude: rounded(town.latitude + north / metresPerDegree, 5),
      longitude: rounded(town.longitude + east / (metresPerDegree * cosine((town.latitude * Math.PI) / 180)), 5),
      altitude: Math.round(trip.from.altitude + (trip.to.altitude - trip.from.altitude) * share),
      heading: ((compass % 360) + 360) % 360,
      speed: { value: Math.round(speed * (speedUnit === 'mph' ? 2.236936 : 3.6)), unit: speedUnit },
      type: 0,
    },
    timestamp: seconds(trip.startMs + sample * sampleMs),
  };
}

/** The current status that a vehicle last reported. A parked one falls asleep after ten minutes, which is its last report. */
export function statusReport(here: Whereabouts, nowMs: number): CurrentStatus {
  const { trip } = here;
  const sample = latestSample(here, nowMs);
  const asleep = !here.moving && nowMs >= endOf(trip) + sleepAfterMs;
  const ignition = trip.driving.ignition[sample] === 1 ? 'on' : 'off';
  return {
    ignition: {
      status: ignition,
      ignitionDetails: ['ign1', 'ign3', 'acc'].map((type) => ({ type, status: ignition })),
    },
    sleepMode: asleep ? 'on' : 'off',
    odometer: { value: (trip.driving.odometer[sample] as number) / 10, unit: 'km' },
    transmission: { parkingPosition: trip.driving.gear[sample] === gear.park },
    timestamp: seconds(asleep ? endOf(trip) + sleepAfterMs : reportedAt(trip, sample)),
  };
}

function reportedAt(trip: Trip, sample: number): number {
  return trip.startMs + sample * sampleMs;
}

function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
