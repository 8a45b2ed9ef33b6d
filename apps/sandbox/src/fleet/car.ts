import type { PowertrainTrip } from '@vehicle-data/openapi';
import { buildOf, driverOf } from './build.js';
import { type Day, midnightMs } from './calendar.js';
import { firstDrivingDay, inRound, lastDrivingDay, type PlannedTrip, planDay, roundDays } from './day-plan.js';
import { type Drive, driveRoute } from './drive.js';
import { type Place, placesOf } from './places.js';
import { morningState, rest, runPowertrain } from './powertrain.js';
import { Random } from './random.js';
import { directionsOn, layOutRoute, type Route } from './route.js';
import type { FleetVehicle } from './vehicles.js';

/** Time between two samples in milliseconds. */
export const sampleMs = 1000;

/** One driven trip. */
export interface Trip extends Drive {
  readonly car: Car;
  /** Start in milliseconds since 1970. */
  readonly startMs: number;
  /** First moment after the trip. */
  readonly endMs: number;
  readonly planned: PlannedTrip;
  readonly from: Place;
  readonly to: Place;
  readonly route: Route;
  /** The odometer in meters at the start. */
  readonly metersBefore: number;
  /** Meters of the route at each sample, without those driven backwards. */
  readonly onRoute: Float64Array;
  /** Heading at each sample in radians, from east towards north, not wrapped. */
  readonly heading: Float64Array;
}

/** One vehicle with everything that follows from the seed: its places, ways, days and mileage. */
export class Car {
  readonly vehicle: FleetVehicle;
  readonly build;
  readonly driver;
  readonly #seed: number;
  readonly #places: readonly Place[];
  readonly #routes = new Map<string, Route>();
  /** Meters driven in a round before each of its days, and last in the whole round. */
  readonly #metersInRound: readonly number[];
  readonly #metersAtFirst: number;

  constructor(seed: number, vehicle: FleetVehicle) {
    this.#seed = seed;
    this.vehicle = vehicle;
    this.build = buildOf(seed, vehicle);
    this.driver = driverOf(seed, vehicle);
    this.#places = placesOf(seed, vehicle);
    const meters = [0];
    let sum = 0;
    for (let position = 0; position < roundDays; position++) {
      for (const planned of planDay(seed, vehicle, position))
        sum += planned.reverseMeters + this.#route(planned).meters;
      meters.push(sum);
    }
    this.#metersInRound = meters;
    const new2016 = new Random(seed, vehicle.vin, 'odometer').whole(200, 30_000) * 1000;
    this.#metersAtFirst = new2016 - this.#metersSinceRoundZero(firstDrivingDay);
  }

  /** All trips of a day of the home zone. */
  trips(day: Day): readonly Trip[] {
    if (day < firstDrivingDay || day > lastDrivingDay) return [];
    const random = new Random(this.#seed, this.vehicle.vin, 'drive', day);
    const midnight = midnightMs(day, this.vehicle.zone);
    const trips: Trip[] = [];
    let metersBefore = this.#metersAtFirst + this.#metersSinceRoundZero(day);
    let endSecond = 0;
    for (const planned of planDay(this.#seed, this.vehicle, inRound(day)[0])) {
      // No two days begin at the same minute.
      const earliest = planned.earliestSecond + random.whole(-420, 420);
      const second = Math.max(earliest, trips.length === 0 ? 0 : endSecond + planned.pauseSeconds);
      const route = this.#route(planned);
      const rushHour = (second > 25_000 && second < 33_500) || (second > 56_500 && second < 66_500);
      const drive = driveRoute(route, this.driver, planned, rushHour, random);
      const startMs = midnight + second * 1000 + random.whole(0, 999);
      const { reverseMeters } = planned;
      const turnInReverse = random.chance(0.5) ? 0.7 : -0.7;
      const onRoute = drive.meters.map((meters) => Math.max(0, meters - reverseMeters));
      // The bend of backing out leads to the direction in which the route starts.
      const heading = directionsOn(route, onRoute).map((direction, sample) => {
        const backing = reverseMeters > 0 ? Math.max(0, 1 - (drive.meters[sample] ?? 0) / reverseMeters) : 0;
        return direction - turnInReverse * backing;
      });
      const endMs = startMs + drive.samples * sampleMs;
      const [from, to] = [this.#place(planned.from), this.#place(planned.to)];
      trips.push({ ...drive, car: this, startMs, endMs, planned, from, to, route, metersBefore, onRoute, heading });
      metersBefore += reverseMeters + route.meters;
      endSecond = second + drive.samples + 1;
    }
    return trips;
  }

  /** The powertrain data of all trips of a day, one after the other. */
  powertrain(day: Day, trips: readonly Trip[], sensorNoise: boolean): readonly PowertrainTrip[] {
    const { vehicle, build } = this;
    const random = new Random(this.#seed, vehicle.vin, 'powertrain', day);
    const weather = 3 * new Random(this.#seed, vehicle.zone, 'weather', day).bell();
    const ambient = usualTemperature(vehicle.home.latitude, day % 365.25) + weather;
    let state = morningState(build, ambient, random);
    let endMs = trips[0]?.startMs ?? 0;
    return trips.map((trip) => {
      state = rest(state, build, (trip.startMs - endMs) / 1000, ambient);
      const { signals, after } = runPowertrain(trip, build, ambient, state, sensorNoise ? random : null);
      state = after;
      endMs = trip.endMs;
      return { ...identityOf(trip), ...signals };
    });
  }

  #metersSinceRoundZero(day: Day): number {
    const [position, round] = inRound(Math.max(firstDrivingDay, Math.min(day, lastDrivingDay + 1)));
    return round * (this.#metersInRound[roundDays] ?? 0) + (this.#metersInRound[position] ?? 0);
  }

  #route({ from, to, variant }: PlannedTrip): Route {
    const key = `${from} ${to} ${variant}`;
    const route =
      this.#routes.get(key) ?? layOutRoute(this.#place(from), this.#place(to), this.#seed, this.vehicle.vin, key);
    this.#routes.set(key, route);
    return route;
  }

  #place(position: number): Place {
    const found = this.#places[position];
    if (found === undefined) throw new RangeError(`there is no place ${position}`);
    return found;
  }
}

/** What identifies a trip in the data. */
export const identityOf = ({ startMs, endMs }: Trip) => ({
  triggerStartTime: new Date(startMs).toISOString(),
  tripLength: endMs - startMs,
});

/** Temperature outside in °C, from the latitude and the time of the year. */
function usualTemperature(latitude: number, dayOfYear: number): number {
  const mean = 28 - 0.36 * Math.abs(latitude);
  const swing = 0.21 * latitude;
  return mean + swing * Math.cos((2 * Math.PI * (dayOfYear - 203)) / 365);
}
