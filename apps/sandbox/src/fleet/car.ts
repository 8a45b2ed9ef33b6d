import { type Build, buildOf, type Driver, driverOf } from './build.js';
import { type Day, midnightMs } from './calendar.js';
import { firstDrivingDay, inRound, lastDrivingDay, type PlannedTrip, planDay, roundDays } from './day-plan.js';
import { driveRoute } from './drive.js';
import { type Place, placesOf } from './places.js';
import { morningState, type PowertrainSignals, rest, runPowertrain } from './powertrain.js';
import { Random } from './random.js';
import { layOutRoute, type Route } from './route.js';
import { temperature } from './towns.js';
import { sampleMs, type Trip } from './trip.js';
import type { FleetVehicle } from './vehicles.js';

/** One vehicle with everything that follows from the seed: its places, ways, days and mileage. */
export class Car {
  readonly vehicle: FleetVehicle;
  readonly build: Build;
  readonly driver: Driver;
  readonly #seed: number;
  readonly #places: readonly Place[];
  readonly #routes = new Map<string, Route>();
  /** Meters driven in a round before each of its days, and last in the whole round. */
  readonly #metersInRound: Float64Array;
  readonly #metersAtFirst: number;

  constructor(seed: number, vehicle: FleetVehicle) {
    this.#seed = seed;
    this.vehicle = vehicle;
    this.build = buildOf(seed, vehicle);
    this.driver = driverOf(seed, vehicle);
    this.#places = placesOf(seed, vehicle);
    this.#metersInRound = new Float64Array(roundDays + 1);
    let sum = 0;
    for (let position = 0; position < roundDays; position++) {
      for (const planned of planDay(seed, vehicle, position)) {
        sum += planned.reverseMeters + this.#route(planned).meters;
      }
      this.#metersInRound[position + 1] = sum;
    }
    const new2016 = new Random(seed, vehicle.vin, 'odometer').whole(200, 30_000) * 1000;
    this.#metersAtFirst = new2016 - this.#metersSinceRoundZero(firstDrivingDay);
  }

  /** The odometer in meters at the start of a day. */
  metersBefore(day: Day): number {
    return this.#metersAtFirst + this.#metersSinceRoundZero(day);
  }

  /** All trips of a day of the home zone. */
  trips(day: Day): readonly Trip[] {
    if (day < firstDrivingDay || day > lastDrivingDay) return [];
    const plan = planDay(this.#seed, this.vehicle, inRound(day)[0]);
    if (plan.length === 0) return [];
    const random = new Random(this.#seed, this.vehicle.vin, 'drive', day);
    const midnight = midnightMs(day, this.vehicle.zone);
    const trips: Trip[] = [];
    let metersBefore = this.metersBefore(day);
    let endSecond = 0;
    for (const planned of plan) {
      // No two days begin at the same minute.
      const earliest = planned.earliestSecond + random.whole(-420, 420);
      const second = Math.max(earliest, trips.length === 0 ? 0 : endSecond + planned.pauseSeconds);
      const route = this.#route(planned);
      const rushHour = (second > 25_000 && second < 33_500) || (second > 56_500 && second < 66_500);
      const drive = driveRoute(route, this.driver, planned, rushHour, random);
      const startMs = midnight + second * 1000 + random.whole(0, 999);
      trips.push({
        car: this,
        startMs,
        endMs: startMs + drive.samples * sampleMs,
        planned,
        from: this.#place(planned.from),
        to: this.#place(planned.to),
        route,
        drive,
        metersBefore,
        turnInReverse: random.chance(0.5) ? 0.7 : -0.7,
      });
      metersBefore += planned.reverseMeters + route.meters;
      endSecond = second + drive.samples + 1;
    }
    return trips;
  }

  /** The powertrain signals of all trips of a day, one after the other. */
  powertrain(day: Day, trips: readonly Trip[], sensorNoise: boolean): readonly PowertrainSignals[] {
    const { vehicle, build } = this;
    const random = new Random(this.#seed, vehicle.vin, 'powertrain', day);
    const weather = 3 * new Random(this.#seed, vehicle.zone, 'weather', day).bell();
    const ambient = temperature(vehicle.town, day % 365.25) + weather;
    let state = morningState(vehicle.type, ambient, random);
    let endMs = trips[0]?.startMs ?? 0;
    return trips.map((trip) => {
      state = rest(state, vehicle.type, build.battery, (trip.startMs - endMs) / 1000, ambient);
      const noise = sensorNoise ? random : undefined;
      const { signals, after } = runPowertrain(trip.drive, build, vehicle.type, ambient, state, noise);
      state = after;
      endMs = trip.endMs;
      return signals;
    });
  }

  #metersSinceRoundZero(day: Day): number {
    const [position, round] = inRound(Math.max(firstDrivingDay, Math.min(day, lastDrivingDay + 1)));
    return round * (this.#metersInRound[roundDays] ?? 0) + (this.#metersInRound[position] ?? 0);
  }

  #route({ from, to, variant }: PlannedTrip): Route {
    const key = `${from} ${to} ${variant}`;
    let route = this.#routes.get(key);
    if (route === undefined) {
      route = layOutRoute(this.#place(from), this.#place(to), this.#seed, this.vehicle.vin, key);
      this.#routes.set(key, route);
    }
    return route;
  }

  #place(position: number): Place {
    const found = this.#places[position];
    if (found === undefined) throw new RangeError(`there is no place ${position}`);
    return found;
  }
}
