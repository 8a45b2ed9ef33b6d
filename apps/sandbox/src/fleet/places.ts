import { Random } from './random.js';
import type { FleetVehicle, Habit } from './vehicles.js';

/** A place to which a vehicle drives, in meters east and north of its home point and above the sea. */
export type Place = Readonly<Record<'east' | 'north' | 'altitude', number>>;

export type PlaceName = keyof ReturnType<typeof placesOf>;

const kilometersToWork: Readonly<Record<Habit, readonly [low: number, high: number]>> = {
  commuter: [12, 26],
  traveller: [38, 56],
  family: [4, 9],
  occasional: [6, 12],
};

export function placesOf(seed: number, { vin, habit, home: center }: FleetVehicle) {
  const random = new Random(seed, vin, 'places');
  const near = (from: Place, lowKilometers: number, highKilometers: number): Place => {
    const meters = random.between(lowKilometers, highKilometers) * 1000;
    const bearing = random.between(0, 2 * Math.PI);
    return {
      east: from.east + meters * Math.sin(bearing),
      north: from.north + meters * Math.cos(bearing),
      altitude: Math.max(2, from.altitude + random.between(-1, 1) * Math.min(60, meters / 200)),
    };
  };
  const home = near({ east: 0, north: 0, altitude: center.altitude }, 0.5, 6);
  const work = near(home, ...kilometersToWork[habit]);
  const far = near(home, 260, 420);
  const onTheWay = (share: number): Place => {
    const between = (axis: keyof Place) => home[axis] + (far[axis] - home[axis]) * share;
    return near({ east: between('east'), north: between('north'), altitude: between('altitude') }, 1, 4);
  };
  return {
    home,
    work,
    far,
    corner: near(home, 0.3, 0.7),
    shop: near(home, 1.2, 3.5),
    market: near(home, 2, 6),
    sport: near(home, 3, 9),
    friends: near(home, 5, 14),
    customer: near(work, 12, 28),
    secondCustomer: near(work, 8, 20),
    restStop: onTheWay(0.36),
    secondRestStop: onTheWay(0.68),
  };
}
