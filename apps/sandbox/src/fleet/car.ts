import type { DrivingTrip, PowertrainTrip } from '@vehicle-data/openapi';
import { buildOf, driverOf } from './build.js';
import { type Day, dayInZone, midnightMs } from './calendar.js';
import { firstDrivingDay, inRound, lastDrivingDay, type PlannedTrip, planDay, roundDays } from './day-plan.js';
import { driveRoute } from './drive.js';
import { placesOf } from './places.js';
import { morningState, rest, runPowertrain } from './powertrain.js';
import { Random } from './random.js';
import { drivingTrip, identityOf, sampleMs } from './report.js';
import { headingsOn, layOutRoute, type Route } from './route.js';
import type { FleetVehicle } from './vehicles.js';

/** Reads a value that is kept, or makes and keeps it. When there are too many, all are forgotten. */
export function kept<Value>(values: Map<string, Value>, key: string, most: number, make: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  if (values.size >= most) values.clear();
  values.set(key, value);
  return value;
}

export type Car = ReturnType<typeof createCar>;

export type Trip = ReturnType<Car['trips']>[number];

export function createCar(seed: number, vehicle: FleetVehicle, sensorNoise: boolean) {
  const { vin, zone } = vehicle;
  const build = buildOf(seed, vehicle);
  const driver = driverOf(seed, vehicle);
  const car = { vehicle, build, driver };
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
      const driven = driveRoute(route, driver, reverseMeters, rushHour, random);
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

  const trips = (day: Day) =>
    kept(days, String(day), 16, () => (day < firstDrivingDay || day > lastDrivingDay ? [] : drive(day)));

  return {
    trips,
    driving: (day: Day): DrivingTrip[] => trips(day).map((trip) => drivingTrip(trip, seed, sensorNoise)),
    /** The powertrain data of the trips of a day, each of which has an effect on the next ones. */
    powertrain(day: Day): PowertrainTrip[] {
      const random = new Random(seed, vin, 'powertrain', day);
      const { latitude } = vehicle.home;
      const season = 0.21 * latitude * Math.cos((2 * Math.PI * ((day % 365.25) - 203)) / 365);
      const weather = 3 * new Random(seed, zone, 'weather', day).bell();
      let state = morningState(build, 28 - 0.36 * Math.abs(latitude) + season + weather, random);
      let endMs = trips(day)[0]?.startMs ?? 0;
      return trips(day).map((trip) => {
        state = rest(state, build, (trip.startMs - endMs) / 1000);
        const { signals, after } = runPowertrain(trip, build, state, sensorNoise ? random : null);
        state = after;
        endMs = trip.endMs;
        return { ...identityOf(trip), ...signals };
      });
    },
    /** The trip that is running, or the last one before. */
    lastTrip(nowMs: number) {
      for (let day = Math.min(dayInZone(nowMs, zone), lastDrivingDay); day >= firstDrivingDay; day--) {
        const trip = trips(day).findLast(({ startMs }) => startMs <= nowMs);
        if (trip) return trip;
      }
      return undefined;
    },
  };
}
