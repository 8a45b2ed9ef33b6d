import type { CurrentStatus, LocationRecord } from '@vehicle-data/openapi';
import { type Car, endOf, sampleMs, type Trip } from './car.js';
import { gear } from './drive.js';
import { odometerAt } from './driving-signals.js';
import { cosine } from './exact-math.js';
import type { Fleet, Whereabouts } from './fleet.js';
import { positionOn } from './route.js';

const metresPerDegree = 111_320;

/** How long after a trip a vehicle goes to sleep and reports so, in milliseconds. */
const sleepAfterMs = 10 * 60_000;

interface KeptReport {
  readonly json: string;
  readonly sinceMs: number;
  /** The first moment at which the vehicle reports something else. */
  readonly untilMs: number;
}

/** What vehicles last reported, as JSON. A report is kept until the next one. */
export class Reports {
  readonly #fleet: Fleet;
  readonly #locations = new Map<string, KeptReport>();
  readonly #statuses = new Map<string, KeptReport>();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** The latest location of a vehicle; nothing before its first trip. */
  location(vin: string, nowMs: number): string | undefined {
    return this.#report(this.#locations, locationReport, vin, nowMs);
  }

  /** The current status of a vehicle; nothing before its first trip. */
  status(vin: string, nowMs: number): string | undefined {
    return this.#report(this.#statuses, statusReport, vin, nowMs);
  }

  #report(
    kept: Map<string, KeptReport>,
    make: (car: Car, here: Whereabouts, nowMs: number) => unknown,
    vin: string,
    nowMs: number,
  ): string | undefined {
    const known = kept.get(vin);
    if (known && nowMs >= known.sinceMs && nowMs < known.untilMs) return known.json;
    const car = this.#fleet.car(vin);
    const here = this.#fleet.whereabouts(vin, nowMs);
    if (car === undefined || here === undefined) return undefined;
    const json = JSON.stringify(make(car, here, nowMs));
    kept.set(vin, { json, sinceMs: nowMs, untilMs: nextReportMs(here, nowMs) });
    return json;
  }
}

function nextReportMs(here: Whereabouts, nowMs: number): number {
  const { trip, moving, untilMs } = here;
  if (moving) return trip.startMs + (latestSample(here, nowMs) + 1) * sampleMs;
  const sleepsAtMs = endOf(trip) + sleepAfterMs;
  return nowMs < sleepsAtMs ? Math.min(sleepsAtMs, untilMs) : untilMs;
}

/** The sample of the trip that is running, or the last one of the trip before. */
function latestSample({ trip, moving }: Whereabouts, nowMs: number): number {
  return moving ? Math.floor((nowMs - trip.startMs) / sampleMs) : trip.samples - 1;
}

const seconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The location that a vehicle last reported: while it drives every second, afterwards the place where it was parked. */
function locationReport(car: Car, here: Whereabouts, nowMs: number): LocationRecord {
  const { trip } = here;
  const { town, speedUnit } = car.vehicle;
  const sample = latestSample(here, nowMs);
  const driven = Math.max(0, (trip.drive.metres[sample] as number) - trip.reverseMetres);
  const on = positionOn(trip.route, driven);
  const share = driven / trip.route.metres;
  const speed = Math.abs(trip.drive.speed[sample] as number);
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
function statusReport(_: Car, here: Whereabouts, nowMs: number): CurrentStatus {
  const { trip } = here;
  const sample = latestSample(here, nowMs);
  const asleep = !here.moving && nowMs >= endOf(trip) + sleepAfterMs;
  const ignition = here.moving && sample < trip.samples - 1 ? 'on' : 'off';
  return {
    ignition: {
      status: ignition,
      ignitionDetails: ['ign1', 'ign3', 'acc'].map((type) => ({ type, status: ignition })),
    },
    sleepMode: asleep ? 'on' : 'off',
    odometer: { value: odometerAt(trip, sample) / 10, unit: 'km' },
    transmission: { parkingPosition: trip.drive.gear[sample] === gear.park },
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
