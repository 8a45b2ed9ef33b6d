import type { DrivingTrip, PowertrainTrip } from '@vehicle-data/openapi';
import { buildOf } from './build.js';
import { type Day, dayInZone } from './calendar.js';
import { firstDrivingDay, lastDrivingDay } from './day-plan.js';
import { morningState, rest, runPowertrain } from './powertrain.js';
import { Random } from './random.js';
import { drivingTrip, identityOf } from './report.js';
import { createTrips } from './trips.js';
import type { FleetVehicle } from './vehicles.js';

export type Car = ReturnType<typeof createCar>;

/** A car: its trips, and what it reports of them. */
export function createCar(seed: number, vehicle: FleetVehicle, sensorNoise: boolean) {
  const { vin, zone } = vehicle;
  const build = buildOf(seed, vehicle);
  const trips = createTrips(seed, vehicle);
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
