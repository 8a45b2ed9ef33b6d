import type { CurrentStatus, DrivingTrip, LocationRecord, PowertrainTrip } from '@vehicle-data/openapi';
import { type Day, dayInZone } from './calendar.js';
import { Car, sampleMs, type Trip } from './car.js';
import { firstDrivingDay, lastDrivingDay } from './day-plan.js';
import { gear } from './drive.js';
import { drivingTrip, odometerAt } from './driving.js';
import { positionOn } from './route.js';
import type { FleetVehicle } from './vehicles.js';

const metersPerDegree = 111_320;

/** How long after a trip a vehicle goes to sleep and reports so, in milliseconds. */
const sleepAfterMs = 10 * 60_000;

/** Which trips are asked for: those on the days of the home zone from `first` to `last` that are `wanted`. */
export interface Wanted {
  readonly first: Day;
  readonly last: Day;
  readonly wanted: (trip: Trip) => boolean;
}

/** What all vehicles did and do. Everything is a function of seed, VIN and day; a few days and cars are kept for the next call. */
export class History {
  readonly #seed: number;
  readonly #sensorNoise: boolean;
  readonly #cars = new Map<string, Car>();
  readonly #days = new Map<string, readonly Trip[]>();

  constructor(seed: number, sensorNoise: boolean) {
    this.#seed = seed;
    this.#sensorNoise = sensorNoise;
  }

  /** The driving data of a vehicle. */
  *driving(vehicle: FleetVehicle, { first, last, wanted }: Wanted): Generator<DrivingTrip> {
    for (let day = first; day <= last; day++) {
      const trips = this.#tripsOf(vehicle, day).filter(wanted);
      for (const trip of trips) yield drivingTrip(trip, this.#seed, this.#sensorNoise);
    }
  }

  /** The powertrain data of a vehicle. */
  *powertrain(vehicle: FleetVehicle, { first, last, wanted }: Wanted): Generator<PowertrainTrip> {
    for (let day = first; day <= last; day++) {
      const trips = this.#tripsOf(vehicle, day);
      const [any] = trips;
      const data = any && trips.some(wanted) ? any.car.powertrain(day, trips, this.#sensorNoise) : [];
      for (const [index, trip] of trips.entries()) {
        const record = data[index];
        if (record && wanted(trip)) yield record;
      }
    }
  }

  /** The location that a vehicle last reported: every second while it drives, afterwards the place where it was parked. */
  location(vehicle: FleetVehicle, nowMs: number): LocationRecord | undefined {
    const trip = this.#lastTrip(vehicle, nowMs);
    if (trip === undefined) return undefined;
    const { home, speedUnit } = vehicle;
    const { from, to, route } = trip;
    const sample = latestSample(trip, nowMs);
    const onRoute = trip.onRoute[sample] ?? 0;
    const position = positionOn(route, onRoute);
    const share = route.meters > 0 ? onRoute / route.meters : 0;
    const speed = Math.abs(trip.speed[sample] ?? 0);
    const north = (from.north + position.north) / metersPerDegree;
    const east = (from.east + position.east) / (metersPerDegree * Math.cos((home.latitude * Math.PI) / 180));
    const compass = Math.round(90 - ((trip.heading[sample] ?? 0) * 180) / Math.PI);
    return {
      location: {
        latitude: rounded(Math.max(-90, Math.min(90, home.latitude + north)), 5),
        longitude: rounded(((home.longitude + east + 540) % 360) - 180, 5),
        altitude: Math.round(from.altitude + (to.altitude - from.altitude) * share),
        heading: ((compass % 360) + 360) % 360,
        speed: { value: Math.round(speed * (speedUnit === 'mph' ? 2.236936 : 3.6)), unit: speedUnit },
        type: 0,
      },
      timestamp: inSeconds(trip.startMs + sample * sampleMs),
    };
  }

  /** The current status that a vehicle last reported. A parked one falls asleep after ten minutes, which is its last report. */
  status(vehicle: FleetVehicle, nowMs: number): CurrentStatus | undefined {
    const trip = this.#lastTrip(vehicle, nowMs);
    if (trip === undefined) return undefined;
    const sample = latestSample(trip, nowMs);
    const asleep = nowMs >= trip.endMs + sleepAfterMs;
    const status = sample < trip.samples - 1 ? 'on' : 'off';
    return {
      ignition: { status, ignitionDetails: ['ign1', 'ign3', 'acc'].map((type) => ({ type, status })) },
      sleepMode: asleep ? 'on' : 'off',
      odometer: { value: odometerAt(trip, sample), unit: 'km' },
      transmission: { parkingPosition: trip.gear[sample] === gear.park },
      timestamp: inSeconds(asleep ? trip.endMs + sleepAfterMs : trip.startMs + sample * sampleMs),
    };
  }

  /** The trip that is running, or the last one before. */
  #lastTrip(vehicle: FleetVehicle, nowMs: number): Trip | undefined {
    for (let day = Math.min(dayInZone(nowMs, vehicle.zone), lastDrivingDay); day >= firstDrivingDay; day--) {
      const trip = this.#tripsOf(vehicle, day).findLast(({ startMs }) => startMs <= nowMs);
      if (trip) return trip;
    }
    return undefined;
  }

  #tripsOf(vehicle: FleetVehicle, day: Day): readonly Trip[] {
    const car = () => kept(this.#cars, vehicle.vin, () => new Car(this.#seed, vehicle));
    return kept(this.#days, `${vehicle.vin} ${day}`, () => car().trips(day));
  }
}

/** Reads a value that is kept, or makes and keeps it. Few are kept: when there are too many, all are forgotten. */
function kept<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  if (values.size >= 32) values.clear();
  values.set(key, value);
  return value;
}

/** The sample of a trip that is running, or the last one of a trip that has ended. */
function latestSample({ startMs, samples }: Trip, nowMs: number): number {
  return Math.min(samples - 1, Math.floor((nowMs - startMs) / sampleMs));
}

const inSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
