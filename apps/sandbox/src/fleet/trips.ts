import { buildOf, driverOf } from './build.js';
import { type Day, midnightMs } from './calendar.js';
import { firstDrivingDay, inRound, lastDrivingDay, type PlannedTrip, planDay, roundDays } from './day-plan.js';
import { driveRoute } from './drive.js';
import { placesOf } from './places.js';
import { Random } from './random.js';
import { headingsOn, layOutRoute, type Route } from './route.js';
import type { FleetVehicle } from './vehicles.js';

/** Time between two samples in milliseconds. */
export const sampleMs = 1000;

/** Reads a value that is kept, or makes and keeps it. When there are too many, all are forgotten. */
export function kept<Value>(values: Map<string, Value>, key: string, most: number, make: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  if (values.size >= most) values.clear();
  values.set(key, value);
  return value;
}

export type Trip = ReturnType<ReturnType<typeof createTrips>>[number];

/** The trips that a car makes on a day, from its plan for the round of days. */
export function createTrips(seed: number, vehicle: FleetVehicle) {
  const { vin, zone } = vehicle;
  const car = { vehicle, build: buildOf(seed, vehicle), driver: driverOf(seed, vehicle) };
  const places = placesOf(seed, vehicle);
  const routes = new Map<string, Route>();
  const days = new Map<string, ReturnType<typeof drive>>();

  const routeOf = ({ from, to, variant }: PlannedTrip) => {
    const key = `${from} ${to} ${variant}`;
    return kept(routes, key, 200, () => layOutRoute(places[from], places[to], new Random('route', seed, vin, key)));
  };

  /** Meters driven in a round before each of its days. */
  const metersInRound: number[] = [];
  let sum = 0;
  for (let position = 0; position < roundDays; position++) {
    metersInRound.push(sum);
    for (const planned of planDay(seed, vehicle, position)) sum += planned.reverseMeters + routeOf(planned).meters;
  }
  const metersSinceRoundZero = (day: Day) => {
    const [position, round] = inRound(day);
    return round * sum + (metersInRound[position] ?? 0);
  };
  const metersIn2016 = new Random(seed, vin, 'odometer').whole(200, 30_000) * 1000;

  function drive(day: Day) {
    const random = new Random(seed, vin, 'drive', day);
    let nextMetersBefore = metersIn2016 + metersSinceRoundZero(day) - metersSinceRoundZero(firstDrivingDay);
    let endSecond = Number.NEGATIVE_INFINITY;
    return planDay(seed, vehicle, inRound(day)[0]).map((planned) => {
      const { from, to, reverseMeters, earliestSecond, pauseSeconds } = planned;
      // No two days begin at the same minute.
      const second = Math.max(0, earliestSecond + random.whole(-420, 420), endSecond + pauseSeconds);
      const route = routeOf(planned);
      const rushHour = (second > 25_000 && second < 33_500) || (second > 56_500 && second < 66_500);
      const driven = driveRoute(route, car.driver, reverseMeters, rushHour, random);
      const startMs = midnightMs(day, zone) + second * 1000 + random.whole(0, 999);
      const turnInReverse = reverseMeters > 0 && random.chance(0.5) ? 0.7 : -0.7;
      const heading = headingsOn(route, driven.meters, reverseMeters, turnInReverse);
      const metersBefore = nextMetersBefore;
      nextMetersBefore += reverseMeters + route.meters;
      endSecond = second + driven.samples + 1;
      return {
        ...driven,
        ...car,
        planned,
        route,
        from: places[from],
        to: places[to],
        /** Start, and first moment after the trip, in milliseconds since 1970. */
        startMs,
        endMs: startMs + driven.samples * sampleMs,
        /** The odometer in meters at the start. */
        metersBefore,
        heading,
      };
    });
  }

  return (day: Day) =>
    kept(days, String(day), 16, () => (day < firstDrivingDay || day > lastDrivingDay ? [] : drive(day)));
}
