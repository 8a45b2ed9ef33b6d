import { type Day, weekdayOf, weekOf } from './calendar.js';
import { place } from './places.js';
import { Random } from './random.js';
import type { FleetVehicle } from './vehicles.js';

/** A trip as it is intended: where to, and when in the day. How long it takes is known once it is driven. */
export interface PlannedTrip {
  readonly from: number;
  readonly to: number;
  /** Which of the ways between the two places is taken. */
  readonly variant: number;
  /** Not before this second of the day, in local time. */
  readonly earliestSecond: number;
  /** Not before this many seconds after the end of the trip before. */
  readonly pauseSeconds: number;
  /** Metres driven backwards out of the parking place; 0 for none. */
  readonly reverseMetres: number;
  readonly passenger: boolean;
}

/** First and last day on which the fleet drives: 1 January 2016 and 31 December 2033. */
export const firstDrivingDay: Day = 16801;
export const lastDrivingDay: Day = 23375;

const hour = 3600;

/** The trips of a vehicle on any day of its home zone: a pure function of seed, vehicle and day, and cheap. */
export function dayPlanner(seed: number, vehicle: FleetVehicle): (day: Day) => readonly PlannedTrip[] {
  const ofWeek = Random.family(seed, vehicle.vin, 'week');
  const ofDay = Random.family(seed, vehicle.vin, 'day');
  return (day) => {
    if (day < firstDrivingDay || day > lastDrivingDay) return [];
    const kindOfWeek = ofWeek(weekOf(day)).next();
    // A holiday without the car.
    return kindOfWeek < 0.04 ? [] : planDay(vehicle, weekdayOf(day), kindOfWeek, ofDay(day));
  };
}

function planDay(vehicle: FleetVehicle, weekday: number, kindOfWeek: number, random: Random): readonly PlannedTrip[] {
  const plan = new DayPlan(random);
  // A long journey leaves on Friday and returns on Sunday, so every week begins and ends at home.
  const journey = kindOfWeek < (vehicle.habit === 'family' ? 0.16 : 0.1);
  if (journey && weekday >= 4) {
    if (weekday === 4) {
      plan.goTo(place.restStop, random.between(14, 15.5) * hour, 0, true);
      plan.goTo(place.secondRestStop, 0, random.between(1500, 2700), true);
      plan.goTo(place.far, 0, random.between(1500, 2700), true);
    } else if (weekday === 6) {
      plan.startAt(place.far);
      plan.goTo(place.secondRestStop, random.between(9.5, 11) * hour, 0, true);
      plan.goTo(place.restStop, 0, random.between(1500, 2700), true);
      plan.goTo(place.home, 0, random.between(1500, 2700), true);
    }
    return plan.trips;
  }
  if (weekday >= 5) planWeekend(plan, random, vehicle, weekday);
  else planWorkday(plan, random, vehicle);
  return plan.trips;
}

function planWorkday(plan: DayPlan, random: Random, { habit }: FleetVehicle): void {
  if (habit === 'occasional') {
    if (random.chance(0.45))
      plan.roundTrip(random.chance(0.5) ? place.shop : place.market, random.between(9, 15) * hour);
    return;
  }
  if (habit === 'traveller') {
    if (random.chance(0.06)) return;
    plan.goTo(place.work, random.between(5.75, 6.75) * hour, 0, false);
    plan.goTo(place.client, random.between(9.5, 10) * hour, 1200, random.chance(0.3));
    plan.goTo(place.work, 0, random.between(1800, 3000), random.chance(0.3));
    if (random.chance(0.6)) {
      plan.goTo(place.secondClient, random.between(13.5, 14.2) * hour, 1500, false);
      plan.goTo(place.work, 0, random.between(1500, 2700), false);
    }
    plan.goTo(place.home, random.between(17, 18) * hour, 900, false);
    return;
  }
  if (random.chance(habit === 'family' ? 0.85 : 0.9)) {
    plan.goTo(place.work, random.between(6.6, 8.4) * hour, 0, habit === 'family');
    if (random.chance(0.1)) {
      plan.goTo(place.market, random.between(11.8, 12.4) * hour, 600, false);
      plan.goTo(place.work, 0, random.between(900, 1800), false);
    }
    const leave = random.between(15.5, 18) * hour;
    if (random.chance(0.25)) {
      plan.goTo(place.shop, leave, 600, false);
      plan.goTo(place.home, 0, random.between(900, 2400), false);
    } else plan.goTo(place.home, leave, 600, habit === 'family');
  }
  if (random.chance(habit === 'family' ? 0.5 : 0.25)) plan.roundTrip(place.sport, random.between(18.8, 19.6) * hour);
}

function planWeekend(plan: DayPlan, random: Random, { habit }: FleetVehicle, weekday: number): void {
  if (random.chance(habit === 'occasional' ? 0.4 : 0.22)) return;
  if (habit === 'traveller' && weekday === 5) {
    plan.roundTrip(place.client, random.between(8.5, 10) * hour);
  } else if (random.chance(0.7)) plan.roundTrip(place.market, random.between(9, 11.5) * hour);
  if (random.chance(0.4)) plan.roundTrip(random.chance(0.5) ? place.sport : place.shop, random.between(13, 15) * hour);
  if (weekday === 5 && random.chance(0.45)) {
    // An evening out: the way home starts late, and some of these trips run past midnight.
    plan.goTo(place.friends, random.between(18.5, 20) * hour, 600, random.chance(0.6));
    plan.goTo(place.home, random.between(22.2, 23.9) * hour, 1800, random.chance(0.6));
  }
}

class DayPlan {
  readonly trips: PlannedTrip[] = [];
  readonly #random: Random;
  #at: number = place.home;

  constructor(random: Random) {
    this.#random = random;
  }

  startAt(where: number): void {
    this.#at = where;
  }

  goTo(to: number, earliestSecond: number, pauseSeconds: number, passenger: boolean): void {
    const random = this.#random;
    const reverseMetres = random.chance(0.4) ? random.whole(5, 9) : 0;
    this.trips.push({
      from: this.#at,
      to,
      variant: random.chance(0.8) ? 0 : 1,
      earliestSecond: Math.floor(earliestSecond),
      pauseSeconds: Math.floor(pauseSeconds),
      reverseMetres,
      passenger,
    });
    this.#at = to;
  }

  roundTrip(to: number, earliestSecond: number): void {
    const passenger = this.#random.chance(0.4);
    this.goTo(to, earliestSecond, 900, passenger);
    this.goTo(place.home, 0, this.#random.between(1200, 5400), passenger);
  }
}
