import { type Day, millisecondsPerDay } from './calendar.js';
import { place } from './places.js';
import { Random } from './random.js';
import type { FleetVehicle, Habit } from './vehicles.js';

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
  /** Meters driven backwards out of the parking place; 0 for none. */
  readonly reverseMeters: number;
  readonly passenger: boolean;
}

/** First and last day on which the fleet drives. */
export const firstDrivingDay: Day = Date.UTC(2016, 0, 1) / millisecondsPerDay;
export const lastDrivingDay: Day = Date.UTC(2033, 11, 31) / millisecondsPerDay;

/** After 52 weeks the plans of a vehicle begin again, so an odometer of any day is known from one round of them. */
export const roundDays = 364;
const firstMonday: Day = Date.UTC(2025, 11, 29) / millisecondsPerDay;

/** Position of a day in its round, and the number of the round. */
export function inRound(day: Day): readonly [position: number, round: number] {
  const round = Math.floor((day - firstMonday) / roundDays);
  return [day - firstMonday - round * roundDays, round];
}

/** The trips of a vehicle on a day of its round. */
export function planDay(seed: number, vehicle: FleetVehicle, position: number): readonly PlannedTrip[] {
  const { vin, habit, home } = vehicle;
  const week = Math.floor(position / 7);
  const weekday = position % 7;
  const ofWeek = new Random(seed, vin, 'week', week);
  // Holidays without the car are in the summer of the vehicle's half of the earth.
  const summer = home.latitude < 0 ? week < 5 : week >= 27 && week < 35;
  if (summer && ofWeek.chance(0.3)) return [];
  // A long journey leaves on Friday and returns on Sunday, so every week begins and ends at home.
  const journey = weekday >= 4 && ofWeek.chance(habit === 'family' ? 0.13 : 0.07);
  const day = new DayPlan(new Random(seed, vin, 'day', position), journey && weekday > 4 ? place.far : place.home);
  if (journey && weekday === 4) day.journey([place.restStop, place.secondRestStop, place.far], 14, 15.5);
  else if (journey && weekday === 6) day.journey([place.secondRestStop, place.restStop, place.home], 9.5, 11);
  else if (!journey && weekday >= 5) day.weekend(habit, weekday === 5);
  else if (!journey) day.workday(habit);
  return day.trips;
}

class DayPlan {
  readonly trips: PlannedTrip[] = [];
  readonly #random: Random;
  #at: number;

  constructor(random: Random, at: number) {
    this.#random = random;
    this.#at = at;
  }

  journey(stops: readonly number[], earliestHour: number, latestHour: number): void {
    for (const [index, stop] of stops.entries()) {
      const rest = this.#random.between(1500, 2700);
      this.#goTo(stop, index === 0 ? this.#random.between(earliestHour, latestHour) : 0, rest, true);
    }
  }

  workday(habit: Habit): void {
    const random = this.#random;
    const family = habit === 'family';
    if (habit === 'occasional') {
      if (random.chance(0.4)) this.#roundTrip(random.chance(0.5) ? place.shop : place.market, random.between(9, 15));
    } else if (habit === 'traveller') {
      if (random.chance(0.06)) return;
      this.#goTo(place.work, random.between(5.75, 6.75), 0, false);
      this.#goTo(place.customer, random.between(9.5, 10), 1200, random.chance(0.3));
      this.#goTo(place.work, 0, random.between(1800, 3000), random.chance(0.3));
      if (random.chance(0.6)) {
        this.#goTo(place.secondCustomer, random.between(13.5, 14.2), 1500, false);
        this.#goTo(place.work, 0, random.between(1500, 2700), false);
      }
      this.#goTo(place.home, random.between(17, 18), 900, false);
    } else {
      if (random.chance(0.88)) this.#dayAtWork(family);
      if (random.chance(family ? 0.45 : 0.22)) this.#roundTrip(place.sport, random.between(18.8, 19.6));
      this.#aroundTheCorner(20.5, 22);
    }
  }

  #dayAtWork(family: boolean): void {
    const random = this.#random;
    this.#goTo(place.work, random.between(6.6, 8.4), 0, family);
    if (random.chance(0.1)) {
      this.#goTo(place.market, random.between(11.8, 12.4), 600, false);
      this.#goTo(place.work, 0, random.between(900, 1800), false);
    }
    const leave = random.between(15.5, 18);
    if (random.chance(0.3)) {
      this.#goTo(place.shop, leave, 600, false);
      this.#goTo(place.home, 0, random.between(400, 2400), false);
    } else this.#goTo(place.home, leave, 600, family);
  }

  weekend(habit: Habit, saturday: boolean): void {
    const random = this.#random;
    // Every vehicle drives on Saturday, so that no week but a holiday is without trips.
    if (!saturday && random.chance(habit === 'occasional' ? 0.5 : 0.25)) return;
    this.#aroundTheCorner(8, 8.8);
    if (saturday || random.chance(0.6)) {
      this.#roundTrip(habit === 'traveller' ? place.customer : place.market, random.between(9, 11.5));
    }
    if (random.chance(0.35)) this.#roundTrip(random.chance(0.5) ? place.sport : place.shop, random.between(13, 15));
    if (saturday && random.chance(0.4)) {
      // An evening out: the way home starts late, and some of these trips run past midnight.
      this.#goTo(place.friends, random.between(18.5, 20), 600, random.chance(0.6));
      this.#goTo(place.home, random.between(22.2, 23.8), 1800, random.chance(0.6));
    }
  }

  /** Some minutes with the ignition on that lead nowhere, or a drive of a few hundred meters and back. */
  #aroundTheCorner(earliestHour: number, latestHour: number): void {
    const random = this.#random;
    const at = random.between(earliestHour, latestHour);
    if (random.chance(0.07)) this.#goTo(this.#at, at, 300, false);
    else if (random.chance(0.06)) this.#roundTrip(place.corner, at);
  }

  #roundTrip(to: number, earliestHour: number): void {
    const passenger = this.#random.chance(0.4);
    this.#goTo(to, earliestHour, 900, passenger);
    this.#goTo(place.home, 0, this.#random.between(600, 5400), passenger);
  }

  #goTo(to: number, earliestHour: number, pauseSeconds: number, passenger: boolean): void {
    const random = this.#random;
    this.trips.push({
      from: this.#at,
      to,
      variant: random.chance(0.8) ? 0 : 1,
      earliestSecond: Math.floor(earliestHour * 3600),
      pauseSeconds: Math.floor(pauseSeconds),
      reverseMeters: to !== this.#at && random.chance(0.4) ? random.whole(5, 9) : 0,
      passenger,
    });
    this.#at = to;
  }
}
