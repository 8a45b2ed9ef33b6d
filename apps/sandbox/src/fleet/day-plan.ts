import { msPerDay } from '#kit/calendar.js';
import type { Day } from './calendar.js';
import type { PlaceName } from './places.js';
import { Random, type Range } from './random.js';
import type { FleetVehicle, Habit } from './vehicles.js';

export const firstDrivingDay: Day = Date.UTC(2016, 0, 1) / msPerDay;
export const lastDrivingDay: Day = Date.UTC(2033, 11, 31) / msPerDay;

/** After 52 weeks the plans of a vehicle begin again, so an odometer of any day is known from one round of them. */
export const roundDays = 364;
const firstMonday: Day = Date.UTC(2025, 11, 29) / msPerDay;

/** Position of a day in its round, and the number of the round. */
export function inRound(day: Day): readonly [position: number, round: number] {
  const round = Math.floor((day - firstMonday) / roundDays);
  return [day - firstMonday - round * roundDays, round];
}

/** A stop of an outing: where, between which hours at the earliest, how many minutes after the last trip, and the chances of a passenger and of the stop itself. */
type Stop = readonly [to: PlaceName | 'here', hours: Range, restMinutes: Range, passenger: number, chance?: number];

/** Stops that are made one after the other, or not at all. */
type Outing = readonly [chance: number, ...stops: readonly Stop[]];

/** No hour to wait for, or no rest. */
const any: Range = [0, 0];

const roundTrip = (chance: number, to: PlaceName, hours: Range): Outing => [
  chance,
  [to, hours, [15, 15], 0.4],
  ['home', any, [10, 90], 0.4],
];

/** Some minutes with the ignition on that lead nowhere, or a drive of a few hundred meters and back. */
const aroundTheCorner = (hours: Range): readonly Outing[] => [
  [0.07, ['here', hours, [5, 5], 0]],
  roundTrip(0.06, 'corner', hours),
];

const dayAtWork = (passenger: number): Outing => [
  0.88,
  ['work', [6.6, 8.4], any, passenger],
  ['market', [11.8, 12.4], [10, 10], 0, 0.1],
  ['work', any, [15, 30], 0],
  ['shop', [15.5, 17.5], [10, 10], 0, 0.3],
  ['home', [15.5, 18], [7, 40], passenger],
];

const workdays: Readonly<Record<Habit, readonly Outing[]>> = {
  commuter: [dayAtWork(0), roundTrip(0.22, 'sport', [18.8, 19.6]), ...aroundTheCorner([20.5, 22])],
  family: [dayAtWork(1), roundTrip(0.45, 'sport', [18.8, 19.6]), ...aroundTheCorner([20.5, 22])],
  occasional: [roundTrip(0.2, 'shop', [9, 12]), roundTrip(0.2, 'market', [13, 15])],
  traveller: [
    [
      0.94,
      ['work', [5.75, 6.75], any, 0],
      ['customer', [9.5, 10], [20, 20], 0.3],
      ['work', any, [30, 50], 0.3],
      ['secondCustomer', [13.5, 14.2], [25, 25], 0, 0.6],
      ['work', any, [25, 45], 0],
      ['home', [17, 18], [15, 15], 0],
    ],
  ],
};

/** Every vehicle drives on Saturday, so that no week but a holiday is without trips. */
const saturday: readonly Outing[] = [
  ...aroundTheCorner([8, 8.8]),
  roundTrip(1, 'market', [9, 11.5]),
  roundTrip(0.35, 'sport', [13, 15]),
  // An evening out: the way home starts late, and some of these trips run past midnight.
  [0.4, ['friends', [18.5, 20], [10, 10], 0.6], ['home', [22.5, 24], [30, 30], 0.6]],
];
const sunday: readonly Outing[] = [roundTrip(0.4, 'market', [9, 11.5]), roundTrip(0.25, 'sport', [13, 15])];

/** A long journey leaves on Friday and returns on Sunday, so every week begins and ends at home. */
const meal: Range = [25, 45];
const journeyOut: Outing = [
  1,
  ['restStop', [14, 15.5], any, 1],
  ['secondRestStop', any, meal, 1],
  ['far', any, meal, 1],
];
const journeyBack: Outing = [
  1,
  ['secondRestStop', [9.5, 11], any, 1],
  ['restStop', any, meal, 1],
  ['home', any, meal, 1],
];

/** A trip as it is intended: where to, and when in the day. How long it takes is known once it is driven. */
export type PlannedTrip = ReturnType<typeof planDay>[number];

export function planDay(seed: number, { vin, habit, home }: FleetVehicle, position: number) {
  const week = Math.floor(position / 7);
  const weekday = position % 7;
  const ofWeek = new Random(seed, vin, 'week', week);
  // Holidays without the car are in the summer of the vehicle's half of the earth.
  const summer = home.latitude < 0 ? week < 5 : week >= 27 && week < 35;
  if (summer && ofWeek.chance(0.3)) return [];
  const journey = ofWeek.chance(habit === 'family' ? 0.13 : 0.07);
  const weekend = journey ? [[journeyOut], [], [journeyBack]] : [workdays[habit], saturday, sunday];
  const outings = (weekday < 4 ? workdays[habit] : weekend[weekday - 4]) ?? [];
  const random = new Random(seed, vin, 'days', position);
  let at: PlaceName = journey && weekday === 6 ? 'far' : 'home';
  const stops = outings.flatMap(([chance, ...all]) => (random.chance(chance) ? all : []));
  return stops.flatMap(([stop, hours, restMinutes, passenger, chance = 1]) => {
    if (stop === at || !random.chance(chance)) return [];
    const [from, to]: readonly [PlaceName, PlaceName] = [at, stop === 'here' ? at : stop];
    at = to;
    return {
      from,
      to,
      /** Which of the ways between the two places is taken. */
      variant: random.chance(0.8) ? 0 : 1,
      /** Not before this second of the day, in local time. */
      earliestSecond: Math.floor(random.between(...hours) * 3600),
      /** Not before this many seconds after the end of the trip before. */
      pauseSeconds: Math.floor(random.between(...restMinutes) * 60),
      /** Meters driven backwards out of the parking place; 0 for none. */
      reverseMeters: from !== to && random.chance(0.4) ? random.whole(5, 9) : 0,
      passenger: random.chance(passenger),
    };
  });
}
