import { cosine, sine } from './exact-math.js';
import { Random } from './random.js';
import type { FleetVehicle, Habit } from './vehicles.js';

/** A place to which a vehicle drives, in metres east and north of the centre of its town. */
export interface Place {
  readonly east: number;
  readonly north: number;
  /** Metres above the sea. */
  readonly altitude: number;
}

/** The places of a vehicle. The names are positions in the list that `placesOf` returns. */
export const place = {
  home: 0,
  work: 1,
  shop: 2,
  market: 3,
  sport: 4,
  friends: 5,
  client: 6,
  secondClient: 7,
  restStop: 8,
  secondRestStop: 9,
  far: 10,
} as const;

const workKilometres: Readonly<Record<Habit, readonly [number, number]>> = {
  commuter: [12, 26],
  traveller: [88, 104],
  family: [4, 9],
  occasional: [6, 12],
};

/** All places of a vehicle, drawn from the seed and the VIN. */
export function placesOf(seed: number, vehicle: FleetVehicle): readonly Place[] {
  const random = new Random(seed, vehicle.vin, 'places');
  const away = (from: Place, low: number, high: number): Place => {
    const metres = random.between(low, high) * 1000;
    const bearing = random.between(0, 2 * Math.PI);
    const climb = random.between(-1, 1) * Math.min(60, metres / 200);
    return {
      east: from.east + metres * sine(bearing),
      north: from.north + metres * cosine(bearing),
      altitude: Math.max(2, from.altitude + climb),
    };
  };
  const centre: Place = { east: 0, north: 0, altitude: vehicle.town.altitude };
  const home = away(centre, 0.5, 6);
  const work = away(home, ...workKilometres[vehicle.habit]);
  const far = away(home, 260, 420);
  const onTheWay = (share: number): Place =>
    away(
      {
        east: home.east + (far.east - home.east) * share,
        north: home.north + (far.north - home.north) * share,
        altitude: home.altitude + (far.altitude - home.altitude) * share,
      },
      1,
      4,
    );
  return [
    home,
    work,
    away(home, 1.2, 3.5),
    away(home, 2, 6),
    away(home, 3, 9),
    away(home, 5, 14),
    away(work, 25, 45),
    away(work, 18, 36),
    onTheWay(0.36),
    onTheWay(0.68),
    far,
  ];
}
