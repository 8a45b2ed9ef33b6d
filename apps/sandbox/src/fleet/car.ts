import { type Day, dayOf, millisecondsPerDay, yearOf } from './calendar.js';
import { firstDrivingDay, lastDrivingDay, type PlannedTrip, planDay } from './day-plan.js';
import { type Drive, driveRoute } from './drive.js';
import { type DrivingSignals, readDrivingSignals } from './driving-signals.js';
import { coolingSeconds } from './engine-run.js';
import { cosine, wholePower } from './exact-math.js';
import { offsetMinutesAtNoon } from './home-zones.js';
import { type Place, placesOf } from './places.js';
import { type PowertrainSignals, type PowertrainState, runPowertrain } from './powertrain.js';
import { Random } from './random.js';
import { layOutRoute, type Route } from './route.js';
import { type Traits, traitsOf } from './traits.js';
import type { FleetVehicle } from './vehicles.js';

/** One driven trip, sampled once a second. */
export interface Trip {
  /** Start in milliseconds since 1970, UTC. */
  readonly startMs: number;
  readonly samples: number;
  readonly from: Place;
  readonly to: Place;
  readonly route: Route;
  readonly reverseMetres: number;
  /** Speed in m/s, negative when reversing, and metres since the start of the trip, at each sample. */
  readonly speed: Float32Array;
  readonly metres: Float64Array;
  readonly driving: DrivingSignals;
  readonly powertrain: PowertrainSignals;
}

export const sampleMs = 1000;

/** First moment after a trip. */
export function endOf(trip: Trip): number {
  return trip.startMs + trip.samples * sampleMs;
}

/** One vehicle with everything that follows from the seed: its places, ways, days and mileage. */
export class Car {
  readonly vehicle: FleetVehicle;
  readonly traits: Traits;
  readonly places: readonly Place[];
  readonly #seed: number;
  readonly #scratch: Drive;
  readonly #routes = new Map<number, Route>();
  /** Metres driven before each day since the first; as far as they were asked for. */
  readonly #metresBefore: number[];

  constructor(seed: number, vehicle: FleetVehicle, scratch: Drive) {
    this.#seed = seed;
    this.#scratch = scratch;
    this.vehicle = vehicle;
    this.traits = traitsOf(seed, vehicle);
    this.places = placesOf(seed, vehicle);
    this.#metresBefore = [new Random(seed, vehicle.vin, 'odometer').whole(200, 30_000) * 1000];
  }

  /** The odometer in metres at the start of a day. */
  metresBefore(day: Day): number {
    const index = Math.max(0, Math.min(day, lastDrivingDay + 1) - firstDrivingDay);
    const known = this.#metresBefore;
    while (known.length <= index) {
      let sum = known[known.length - 1] as number;
      for (const planned of planDay(this.#seed, this.vehicle, firstDrivingDay + known.length - 1)) {
        sum += planned.reverseMetres + this.#route(planned).metres;
      }
      known.push(sum);
    }
    return known[index] as number;
  }

  /** Whether the vehicle drives on a day of its home zone. */
  drivesOn(day: Day): boolean {
    return planDay(this.#seed, this.vehicle, day).length > 0;
  }

  /** Drives all trips of a day of the home zone. */
  driveDay(day: Day): readonly Trip[] {
    const plan = planDay(this.#seed, this.vehicle, day);
    if (plan.length === 0) return [];
    const midnightMs = day * millisecondsPerDay - offsetMinutesAtNoon(this.vehicle.zone, day) * 60_000;
    const random = new Random(this.#seed, this.vehicle.vin, 'drive', day);
    const ambient = this.#ambient(day);
    const state: PowertrainState = { oil: ambient, charge: this.#chargeInTheMorning(random) };
    const trips: Trip[] = [];
    let odometer = this.metresBefore(day);
    let endSecond = 0;
    for (const planned of plan) {
      const second = Math.max(planned.earliestSecond, endSecond + (trips.length > 0 ? planned.pauseSeconds : 0));
      if (trips.length > 0) this.#rest(state, second - endSecond, ambient);
      const trip = this.#driveTrip(
        planned,
        midnightMs + second * 1000 + random.whole(0, 999),
        odometer,
        random,
        ambient,
        state,
        second,
      );
      trips.push(trip);
      odometer += planned.reverseMetres + trip.route.metres;
      endSecond = second + trip.samples + 1;
    }
    return trips;
  }

  /** Where the vehicle stands at the start of its history. */
  get home(): Place {
    return this.places[0] as Place;
  }

  #route(planned: PlannedTrip): Route {
    const key = (planned.from * 16 + planned.to) * 2 + planned.variant;
    const known = this.#routes.get(key);
    if (known) return known;
    const [from, to] = [this.places[planned.from] as Place, this.places[planned.to] as Place];
    const route = layOutRoute(from, to, this.#seed, this.vehicle.vin, key);
    this.#routes.set(key, route);
    return route;
  }

  #driveTrip(
    planned: PlannedTrip,
    startMs: number,
    odometer: number,
    random: Random,
    ambient: number,
    state: PowertrainState,
    second: number,
  ): Trip {
    const route = this.#route(planned);
    const drive = this.#scratch;
    const rushHour = (second > 25_000 && second < 33_500) || (second > 56_500 && second < 66_500);
    driveRoute(drive, route, this.traits, planned.reverseMetres, rushHour, random);
    return {
      startMs,
      samples: drive.count,
      from: this.places[planned.from] as Place,
      to: this.places[planned.to] as Place,
      route,
      reverseMetres: planned.reverseMetres,
      speed: Float32Array.from(drive.speed.subarray(0, drive.count)),
      metres: drive.metres.slice(0, drive.count),
      driving: readDrivingSignals(drive, this.traits, odometer, planned.passenger),
      powertrain: runPowertrain(drive, this.traits, this.vehicle.type, ambient, state),
    };
  }

  /** Between two trips the oil cools; a car that is plugged in, or stands at a fast charger for a while, charges. */
  #rest(state: PowertrainState, seconds: number, ambient: number): void {
    state.oil = ambient + (state.oil - ambient) * wholePower(1 - 1 / coolingSeconds, seconds);
    const battery = this.traits.battery;
    if (battery?.plugIn && state.charge < 0.55 && seconds > 1200) {
      state.charge = Math.min(
        0.8,
        state.charge + (seconds * (seconds < 3600 ? 110_000 : 11_000)) / (3600 * battery.capacityWattHours),
      );
    }
  }

  #chargeInTheMorning(random: Random): number {
    const share = random.next();
    if (this.traits.battery?.plugIn) return 0.8 + 0.15 * share;
    return 0.5 + 0.1 * share;
  }

  /** Temperature outside on a day, in °C. */
  #ambient(day: Day): number {
    const { mean, swing, warmestDayOfYear } = this.vehicle.climate;
    const dayOfYear = day - dayOf(yearOf(day), 1, 1);
    const weather = new Random(this.#seed, this.vehicle.zone, 'weather', day).between(-4, 4);
    return mean + swing * cosine((2 * Math.PI * (dayOfYear - warmestDayOfYear)) / 365) + weather;
  }
}
