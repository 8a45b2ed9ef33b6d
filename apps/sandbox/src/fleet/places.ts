import { Random } from './random.js';
import type { FleetVehicle, Habit } from './vehicles.js';

/** A place to which a vehicle drives, in meters east and north of its home point. */
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
export function placesOf(seed: number, { vin, habit, home: center }: FleetVehicle): readonly Place[] {
  const random = new Random(seed, vin, 'places');
  const away = (from: Place, lowKilometers: number, highKilometers: number): Place => {
    const meters = random.between(lowKilometers, highKilometers) * 1000;
    const bearing = random.between(0, 2 * Math.PI);
    return {
      east: from.east + meters * Math.sin(bearing),
      north: from.north + meters * Math.cos(bearing),
      altitude: Math.max(2, from.altitude + random.between(-1, 1) * Math.min(60, meters / 200)),
    };
  };
  const home = away({ east: 0, north: 0, altitude: center.altitude }, 0.5, 6);
  const work = away(home, ...workKilometers[habit]);
  const far = away(home, 260, 420);
  const near = [
    [1.2, 3.5],
    [2, 6],
    [3, 9],
    [5, 14],
  ] as const;
  const onTheWay = (share: number): Place => {
    const between = (name: keyof Place) => home[name] + (far[name] - home[name]) * share;
    return away({ east: between('east'), north: between('north'), altitude: between('altitude') }, 1, 4);
  };
  return [
    home,
    work,
    ...near.map(([low, high]) => away(home, low, high)),
    away(work, 12, 28),
    away(work, 8, 20),
    onTheWay(0.36),
    onTheWay(0.68),
    far,
    away(home, 0.3, 0.7),
  ];
}
