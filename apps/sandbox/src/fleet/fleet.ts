import type { SeriesSpec } from '@vehicle-data/openapi';
import { type Day, millisecondsPerDay } from './calendar.js';
import { Car, type DrivenDay, endOf, type Trip } from './car.js';
import type { TripSignals } from './columns.js';
import { firstDrivingDay, lastDrivingDay } from './day-plan.js';
import { emptyDrive } from './drive.js';
import { type DrivingSignals, readDrivingSignals } from './driving-signals.js';
import { offsetMinutesAtNoon } from './home-zones.js';
import { LeastRecentlyUsed } from './least-recently-used.js';
import type { PowertrainSignals } from './powertrain.js';
import { TripWriter } from './trip-text.js';
import { type FleetVehicle, fleetVehicles } from './vehicles.js';

/** A trip as JSON. */
export interface TripText {
  readonly startMs: number;
  readonly endMs: number;
  readonly json: Uint8Array<ArrayBuffer>;
}

/** What a vehicle is doing at a moment: on a trip, or parked since its last one. */
export interface Whereabouts {
  readonly trip: Trip;
  readonly moving: boolean;
  /** From when to when this holds, in milliseconds since 1970; the end is excluded. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** All vehicles with their trips. Everything it answers is a function of the seed; what it keeps is a cache. */
export class Fleet {
  readonly #cars = new Map<string, Car>();
  readonly #days: LeastRecentlyUsed<DrivenDay>;
  readonly #texts: LeastRecentlyUsed<readonly TripText[]>;
  readonly #whereabouts = new Map<string, Whereabouts>();
  readonly #writer = new TripWriter();

  /** `cacheBytes` bounds the trips that are kept as text; driven days are kept up to a quarter of it. */
  constructor(seed: number, cacheBytes: number) {
    const scratch = emptyDrive();
    for (const vehicle of fleetVehicles) this.#cars.set(vehicle.vin, new Car(seed, vehicle, scratch));
    this.#days = new LeastRecentlyUsed(cacheBytes / 4);
    this.#texts = new LeastRecentlyUsed(cacheBytes);
  }

  vehicle(vin: string): FleetVehicle | undefined {
    return this.#cars.get(vin)?.vehicle;
  }

  car(vin: string): Car | undefined {
    return this.#cars.get(vin);
  }

  /** The trips of a vehicle that start on the days of its home zone from `first` to `last`, as JSON of a series. */
  tripTexts(vin: string, series: SeriesSpec, first: Day, last: Day): readonly TripText[] {
    const car = this.#cars.get(vin);
    const texts: TripText[] = [];
    if (car === undefined) return texts;
    for (let day = Math.max(first, firstDrivingDay); day <= Math.min(last, lastDrivingDay); day++) {
      const key = `${vin} ${series.name} ${day}`;
      let ofDay = this.#texts.get(key);
      if (ofDay === undefined) {
        const driven = this.#day(car, day);
        const signals = new DaySignals(car, driven);
        ofDay = driven.trips.map((trip, index) => ({
          startMs: trip.startMs,
          endMs: endOf(trip),
          json: this.#writer.write(trip, signals.of(trip, index), car.traits, series),
        }));
        this.#texts.set(
          key,
          ofDay,
          ofDay.reduce((sum, { json }) => sum + json.length, 200),
        );
      }
      texts.push(...ofDay);
    }
    return texts;
  }

  /** What a vehicle is doing at a moment; nothing before its first trip. */
  whereabouts(vin: string, nowMs: number): Whereabouts | undefined {
    const known = this.#whereabouts.get(vin);
    if (known && nowMs >= known.sinceMs && nowMs < known.untilMs) return known;
    const car = this.#cars.get(vin);
    if (car === undefined) return undefined;
    const today = homeDay(car.vehicle, nowMs);
    const found = this.#lastTrip(car, today, nowMs);
    if (found === undefined) return undefined;
    const moving = endOf(found) > nowMs;
    const next = [today, today + 1].flatMap((day) => this.#day(car, day).trips).find((trip) => trip.startMs > nowMs);
    const here: Whereabouts = {
      trip: found,
      moving,
      sinceMs: moving ? found.startMs : endOf(found),
      untilMs: moving ? endOf(found) : (next?.startMs ?? nowMs + millisecondsPerDay / 2),
    };
    this.#whereabouts.set(vin, here);
    return here;
  }

  #lastTrip(car: Car, today: Day, nowMs: number): Trip | undefined {
    for (let day = Math.min(today, lastDrivingDay); day >= firstDrivingDay; day--) {
      if (!car.drivesOn(day)) continue;
      const trip = this.#day(car, day).trips.findLast(({ startMs }) => startMs <= nowMs);
      if (trip) return trip;
    }
    return undefined;
  }

  #day(car: Car, day: Day): DrivenDay {
    const key = `${car.vehicle.vin} ${day}`;
    const known = this.#days.get(key);
    if (known) return known;
    const driven = car.driveDay(day);
    // A sample is three numbers of eight bytes and one of one.
    this.#days.set(
      key,
      driven,
      driven.trips.reduce((sum, { samples }) => sum + 25 * samples, 500),
    );
    return driven;
  }
}

/** Reads the signals of a day's trips, those groups alone that are asked for. */
class DaySignals {
  readonly #car: Car;
  readonly #day: DrivenDay;
  #powertrain: readonly PowertrainSignals[] | undefined;

  constructor(car: Car, day: DrivenDay) {
    this.#car = car;
    this.#day = day;
  }

  of(trip: Trip, index: number): TripSignals {
    let driving: DrivingSignals | undefined;
    const car = this.#car;
    const powertrain = () => {
      this.#powertrain ??= car.powertrainOf(this.#day);
      return this.#powertrain[index] as PowertrainSignals;
    };
    return {
      get driving() {
        driving ??= readDrivingSignals(trip, car.traits);
        return driving;
      },
      get powertrain() {
        return powertrain();
      },
    };
  }
}

/** The day that it is in the home zone of a vehicle. */
function homeDay({ zone }: FleetVehicle, nowMs: number): Day {
  const utcDay = Math.floor(nowMs / millisecondsPerDay);
  return Math.floor((nowMs + offsetMinutesAtNoon(zone, utcDay) * 60_000) / millisecondsPerDay);
}
