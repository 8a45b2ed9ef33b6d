import { Random } from './random.js';
import type { FleetVehicle, Habit } from './vehicles.js';

/** A place to which a vehicle drives, in meters east and north of the center of its town. */
export interface Place {
  readonly east: number;
  readonly north: number;
  /** Meters above the sea. */
  readonly altitude: number;
}

/** The places of a vehicle by their position in the list that `placesOf` returns. */
export const place = {
  home: 0,
  work: 1,
  shop: 2,
  market: 3,
  sport: 4,
  friends: 5,
  customer: 6,
  secondCustomer: 7,
  restStop: 8,
  secondRestStop: 9,
  far: 10,
  corner: 11,
} as const;

const workKilometers: Readonly<Record<Habit, readonly [low: number, high: number]>> = {
  commuter: [12, 26],
  traveller: [38, 56],
  family: [4, 9],
  occasional: [6, 12],
};

/** All places of a vehicle. */
export function placesOf(seed: number, { vin, habit, town }: FleetVehicle): readonly Place[] {
  const random = new Random(seed, vin, 'places');
  const away = (from: Place, low: number, high: number): Place => {
    const meters = random.between(low, high) * 1000;
    const bearing = random.between(0, 2 * Math.PI);
    return {
      east: from.east + meters * Math.sin(bearing),
      north: from.north + meters * Math.cos(bearing),
      altitude: Math.max(2, from.altitude + random.between(-1, 1) * Math.min(60, meters / 200)),
    };
  };
  const home = away({ east: 0, north: 0, altitude: town.altitude }, 0.5, 6);
  const work = away(home, ...workKilometers[habit]);
  const far = away(home, 260, 420);
  const onTheWay = (share: number): Place => {
    const between = (from: number, to: number) => from + (to - from) * share;
    const altitude = between(home.altitude, far.altitude);
    return away({ east: between(home.east, far.east), north: between(home.north, far.north), altitude }, 1, 4);
  };
  return [
    home,
    work,
    away(home, 1.2, 3.5),
    away(home, 2, 6),
    away(home, 3, 9),
    away(home, 5, 14),
    away(work, 12, 28),
    away(work, 8, 20),
    onTheWay(0.36),
    onTheWay(0.68),
    far,
    away(home, 0.3, 0.7),
  ];
}
