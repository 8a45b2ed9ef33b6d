import type { CurrentStatus, LocationRecord } from '@vehicle-data/openapi';
import { sampleMs, type Trip } from './car.js';
import { odometerAt } from './driving.js';
import { positionOn } from './route.js';

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
