import { type Day, dayOf, millisecondsPerDay, yearOf } from './calendar.js';
import { dayPlanner, firstDrivingDay, lastDrivingDay, type PlannedTrip } from './day-plan.js';
import { copyOf, type Drive, driveRoute } from './drive.js';
import { cosine } from './exact-math.js';
import { offsetMinutesAtNoon } from './home-zones.js';
import { type Place, placesOf } from './places.js';
import { type PowertrainSignals, type PowertrainState, rest, runPowertrain } from './powertrain.js';
import { Random } from './random.js';
import { layOutRoute, type Route } from './route.js';
import { type Traits, traitsOf } from './traits.js';
import type { FleetVehicle } from './vehicles.js';

/** One driven trip, sampled once a second. Its signals are read off when they are asked for. */
export interface Trip {
  /** Start in milliseconds since 1970, UTC. */
  readonly startMs: number;
  readonly samples: number;
  readonly from: Place;
  readonly to: Place;
  readonly route: Route;
  readonly reverseMetres: number;
  readonly passenger: boolean;
  /** The odometer in metres at the start. */
  readonly metresBefore: number;
  readonly drive: Drive;
  /** Seconds that the vehicle stood since the trip before on the same day; 0 for the first trip. */
  readonly restSeconds: number;
}

/** All trips of one day of the home zone. */
export interface DrivenDay {
  readonly trips: readonly Trip[];
  /** Temperature outside in °C. */
  readonly ambient: number;
  /** State of charge of the high-voltage battery before the first trip. */
  readonly chargeInTheMorning: number;
}

const noTrips: DrivenDay = { trips: [], ambient: 0, chargeInTheMorning: 0 };

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
  readonly #planOf: (day: Day) => readonly PlannedTrip[];
  readonly #routes = new Map<number, Route>();
  /** Metres driven before each day since the first; as far as they were asked for. */
  readonly #metresBefore: number[];

  constructor(seed: number, vehicle: FleetVehicle, scratch: Drive) {
    this.#seed = seed;
    this.#scratch = scratch;
    this.vehicle = vehicle;
    this.#planOf = dayPlanner(seed, vehicle);
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
      for (const planned of this.#planOf(firstDrivingDay + known.length - 1)) {
        sum += planned.reverseMetres + this.#route(planned).metres;
      }
      known.push(sum);
    }
    return known[index] as number;
  }

  /** Whether the vehicle drives on a day of its home zone. */
  drivesOn(day: Day): boolean {
    return this.#planOf(day).length > 0;
  }

  /** Drives all trips of a day of the home zone. */
  driveDay(day: Day): DrivenDay {
    const plan = this.#planOf(day);
    if (plan.length === 0) return noTrips;
    const midnightMs = day * millisecondsPerDay - offsetMinutesAtNoon(this.vehicle.zone, day) * 60_000;
    const random = new Random(this.#seed, this.vehicle.vin, 'drive', day);
    const [lowest, highest] = this.traits.battery?.plugIn ? pluggedIn : selfSustained;
    const chargeInTheMorning = random.between(lowest, highest);
    const trips: Trip[] = [];
    let metresBefore = this.metresBefore(day);
    let endSecond = 0;
    for (const planned of plan) {
      const first = trips.length === 0;
      const second = Math.max(planned.earliestSecond, first ? 0 : endSecond + planned.pauseSeconds);
      const route = this.#route(planned);
      driveRoute(this.#scratch, route, this.traits, planned.reverseMetres, isRushHour(second), random);
      const drive = copyOf(this.#scratch);
      trips.push({
        startMs: midnightMs + second * 1000 + random.whole(0, 999),
        samples: drive.count,
        from: this.places[planned.from] as Place,
        to: this.places[planned.to] as Place,
        route,
        reverseMetres: planned.reverseMetres,
        passenger: planned.passenger,
        metresBefore,
        drive,
        restSeconds: first ? 0 : second - endSecond,
      });
      metresBefore += planned.reverseMetres + route.metres;
      endSecond = second + drive.count + 1;
    }
    return { trips, ambient: this.#ambient(day), chargeInTheMorning };
  }

  /** Runs the powertrain through the trips of a day, one after the other. */
  powertrainOf({ trips, ambient, chargeInTheMorning }: DrivenDay): readonly PowertrainSignals[] {
    const state: PowertrainState = { oil: ambient, charge: chargeInTheMorning };
    return trips.map(({ drive, restSeconds }) => {
      if (restSeconds > 0) rest(state, this.traits, restSeconds, ambient);
      return runPowertrain(drive, this.traits, this.vehicle.type, ambient, state);
    });
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

  /** Temperature outside on a day, in °C. */
  #ambient(day: Day): number {
    const { mean, swing, warmestDayOfYear } = this.vehicle.climate;
    const dayOfYear = day - dayOf(yearOf(day), 1, 1);
    const weather = new Random(this.#seed, this.vehicle.zone, 'weather', day).between(-4, 4);
    return mean + swing * cosine((2 * Math.PI * (dayOfYear - warmestDayOfYear)) / 365) + weather;
  }
}

/** State of charge in the morning of a car that was plugged in at night, and of one that keeps its charge by itself. */
const pluggedIn = [0.8, 0.95] as const;
const selfSustained = [0.5, 0.6] as const;

function isRushHour(secondOfDay: number): boolean {
  return (secondOfDay > 25_000 && secondOfDay < 33_500) || (secondOfDay > 56_500 && secondOfDay < 66_500);
}
