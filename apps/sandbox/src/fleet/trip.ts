import type { Car } from './car.js';
import type { PlannedTrip } from './day-plan.js';
import type { Drive } from './drive.js';
import type { Place } from './places.js';
import { directionOn, type Route } from './route.js';

/** Time between two samples in milliseconds. */
export const sampleMs = 1000;

/** One driven trip. */
export interface Trip {
  readonly car: Car;
  /** Start in milliseconds since 1970. */
  readonly startMs: number;
  /** First moment after the trip. */
  readonly endMs: number;
  readonly planned: PlannedTrip;
  readonly from: Place;
  readonly to: Place;
  readonly route: Route;
  readonly drive: Drive;
  /** The odometer in meters at the start. */
  readonly metersBefore: number;
  /** Radians that the vehicle turns while it backs out, positive to the left. */
  readonly turnInReverse: number;
}

/** Meters driven at a sample. */
export function metersAt({ drive }: Trip, sample: number): number {
  return drive.meters[sample] ?? 0;
}

/** Meters of the route that are driven at a sample, without those backwards. */
export function metersOnRoute(trip: Trip, sample: number): number {
  return Math.max(0, metersAt(trip, sample) - trip.planned.reverseMeters);
}

/** Heading at a sample in radians, from east towards north, not wrapped. */
export function headingAt(trip: Trip, sample: number): number {
  const { reverseMeters } = trip.planned;
  const backing = reverseMeters > 0 ? Math.max(0, 1 - metersAt(trip, sample) / reverseMeters) : 0;
  return directionOn(trip.route, metersOnRoute(trip, sample)) - trip.turnInReverse * backing;
}
