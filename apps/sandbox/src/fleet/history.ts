import type { CurrentStatus, LocationRecord, SeriesSpec } from '@vehicle-data/openapi';
import { type Day, dayInZone } from './calendar.js';
import { Car } from './car.js';
import { firstDrivingDay, lastDrivingDay } from './day-plan.js';
import { gear } from './drive.js';
import { odometerAt } from './driving-signals.js';
import { positionOn } from './route.js';
import { headingAt, metersOnRoute, sampleMs, type Trip } from './trip.js';
import { tripRecords } from './trip-records.js';
import type { FleetVehicle } from './vehicles.js';

const metersPerDegree = 111_320;

/** How long after a trip a vehicle goes to sleep and reports so, in milliseconds. */
const sleepAfterMs = 10 * 60_000;

/** A trip as the API returns it. */
export interface TripRecord {
  readonly startMs: number;
  readonly endMs: number;
  readonly record: object;
}

/** What all vehicles did and do. Everything is a function of seed, VIN and day; the last few days and cars are kept for the next call. */
export class History {
  readonly #seed: number;
  readonly #sensorNoise: boolean;
  readonly #cars = new Map<string, Car>();
  readonly #days = new Map<string, readonly Trip[]>();

  constructor(seed: number, sensorNoise: boolean) {
    this.#seed = seed;
    this.#sensorNoise = sensorNoise;
  }

  /** The trips of a vehicle that start on the days of its home zone from `first` to `last`. */
  *tripRecords(vehicle: FleetVehicle, series: SeriesSpec, first: Day, last: Day): Generator<TripRecord> {
    for (let day = Math.max(first, firstDrivingDay); day <= Math.min(last, lastDrivingDay); day++) {
      const trips = this.#tripsOf(vehicle, day);
      yield* tripRecords(trips, day, series, this.#seed, this.#sensorNoise);
    }
  }

  /** The location that a vehicle last reported: every second while it drives, afterwards the place where it was parked. */
  location(vehicle: FleetVehicle, nowMs: number): LocationRecord | undefined {
    const trip = this.#lastTrip(vehicle, nowMs);
    if (trip === undefined) return undefined;
    const { town, speedUnit } = vehicle;
    const sample = latestSample(trip, nowMs);
    const onRoute = metersOnRoute(trip, sample);
    const position = positionOn(trip.route, onRoute);
    const [east, north] = [trip.from.east + position.east, trip.from.north + position.north];
    const share = trip.route.meters > 0 ? onRoute / trip.route.meters : 0;
    const speed = Math.abs(trip.drive.speed[sample] ?? 0);
    const metersPerDegreeEast = metersPerDegree * Math.cos((town.latitude * Math.PI) / 180);
    const compass = Math.round(90 - (headingAt(trip, sample) * 180) / Math.PI);
    return {
      location: {
        latitude: rounded(Math.max(-90, Math.min(90, town.latitude + north / metersPerDegree)), 5),
        longitude: rounded(((town.longitude + east / metersPerDegreeEast + 540) % 360) - 180, 5),
        altitude: Math.round(trip.from.altitude + (trip.to.altitude - trip.from.altitude) * share),
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
    const ignition = sample < trip.drive.samples - 1 ? 'on' : 'off';
    return {
      ignition: {
        status: ignition,
        ignitionDetails: ['ign1', 'ign3', 'acc'].map((type) => ({ type, status: ignition })),
      },
      sleepMode: asleep ? 'on' : 'off',
      odometer: { value: odometerAt(trip, sample), unit: 'km' },
      transmission: { parkingPosition: trip.drive.gear[sample] === gear.park },
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
    const car = () => recent(this.#cars, vehicle.vin, 24, () => new Car(this.#seed, vehicle));
    return recent(this.#days, `${vehicle.vin} ${day}`, 48, () => car().trips(day));
  }
}

/** Reads a value that is kept, or makes and keeps it; the one that was made first gives way when there are more than `most`. */
function recent<Value>(kept: Map<string, Value>, key: string, most: number, make: () => Value): Value {
  let value = kept.get(key);
  if (value === undefined) {
    value = make();
    kept.set(key, value);
    const [first] = kept.keys();
    if (kept.size > most && first !== undefined) kept.delete(first);
  }
  return value;
}

/** The sample of a trip that is running, or the last one of a trip that has ended. */
function latestSample({ startMs, drive }: Trip, nowMs: number): number {
  return Math.min(drive.samples - 1, Math.floor((nowMs - startMs) / sampleMs));
}

const inSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
