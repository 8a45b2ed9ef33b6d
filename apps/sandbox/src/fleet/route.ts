import { cosine, direction, sine } from './exact-math.js';
import type { Place } from './places.js';
import { Random } from './random.js';

/** What kind of road a leg is. */
export const road = { street: 0, arterial: 1, rural: 2, motorway: 3 } as const;

/** A way from one place to another: straight legs, each entered by a turn that is driven on its first metres. */
export interface Route {
  /** Length of each leg in metres. */
  readonly lengths: Float64Array;
  /** Turn at the start of each leg, in radians, positive to the left. */
  readonly turns: Float64Array;
  /** Metres over which each turn is driven. */
  readonly turnLengths: Float64Array;
  /** Kind of road of each leg, one of the values of `road`. */
  readonly roads: Uint8Array;
  /** Speed limit of each leg in m/s. */
  readonly limits: Float64Array;
  /** Direction of each leg in radians, from east towards north. */
  readonly directions: Float64Array;
  /** Length of the whole way in whole metres. */
  readonly metres: number;
}

interface RoadKind {
  readonly legMetres: readonly [number, number];
  /** Radius in metres of the arc at the middle of a turn. */
  readonly radius: readonly [number, number];
  /** How far a leg turns away from the straight line to the destination, in radians. */
  readonly spread: readonly [number, number];
  readonly limitsKph: readonly number[];
}

const kinds: readonly RoadKind[] = [
  { legMetres: [110, 420], radius: [10, 15], spread: [0.45, 0.9], limitsKph: [30, 50, 50] },
  { legMetres: [350, 1200], radius: [28, 60], spread: [0.15, 0.45], limitsKph: [50, 60, 70] },
  { legMetres: [700, 2200], radius: [110, 260], spread: [0.05, 0.35], limitsKph: [80, 90, 100] },
  { legMetres: [2000, 5200], radius: [700, 1400], spread: [0.02, 0.12], limitsKph: [110, 120, 130] },
];

function roadAt(metresFromEnd: number, chord: number): number {
  if (chord < 6000) return metresFromEnd < 900 ? road.street : road.arterial;
  if (metresFromEnd < 1100) return road.street;
  if (metresFromEnd < 3000) return road.arterial;
  return chord > 30_000 && metresFromEnd > 7000 ? road.motorway : road.rural;
}

/** Lays out the way from one place to another. The same seed parts give the same way. */
export function layOutRoute(from: Place, to: Place, ...seed: readonly (string | number)[]): Route {
  const random = new Random('route', ...seed);
  const chord = Math.sqrt((to.east - from.east) ** 2 + (to.north - from.north) ** 2);
  const chordDirection = direction(to.east - from.east, to.north - from.north);
  const legs: { length: number; turn: number; turnLength: number; road: number; limit: number; direction: number }[] =
    [];
  let along = 0;
  let aside = 0;
  let heading = random.between(-0.5, 0.5);
  let turn = 0;
  const add = (kindOfRoad: number, length: number) => {
    const kind = kinds[kindOfRoad] as RoadKind;
    const radius = random.between(kind.radius[0], kind.radius[1]);
    const limit = (kind.limitsKph[random.whole(0, kind.limitsKph.length - 1)] as number) / 3.6;
    // The curvature of a turn is a parabola over its length, so its middle is half again as tight as its mean.
    const turnLength = Math.min(1.5 * Math.abs(turn) * radius, length * 0.8);
    legs.push({ length, turn, turnLength, road: kindOfRoad, limit, direction: chordDirection + heading });
    along += length * cosine(heading);
    aside += length * sine(heading);
  };
  for (;;) {
    const rest = chord - along;
    const kindOfRoad = roadAt(Math.min(along, rest), chord);
    const kind = kinds[kindOfRoad] as RoadKind;
    const length = random.between(kind.legMetres[0], kind.legMetres[1]);
    if (rest < length + 250) break;
    add(kindOfRoad, length);
    // Zigzag about the straight line: turn back towards it, the more so the further off it the vehicle is.
    const home = aside / (0.25 * rest + 150);
    const side = random.chance(0.5 - Math.max(-0.45, Math.min(0.45, home))) ? 1 : -1;
    const next = side * random.between(kind.spread[0], kind.spread[1]);
    turn = next - heading;
    heading = next;
  }
  const last = direction(chord - along, -aside);
  turn = last - heading;
  heading = last;
  add(road.street, Math.sqrt((chord - along) ** 2 + aside * aside));
  const pick = (value: (leg: (typeof legs)[number]) => number) => Float64Array.from(legs, value);
  return {
    lengths: pick((leg) => leg.length),
    turns: pick((leg) => leg.turn),
    turnLengths: pick((leg) => leg.turnLength),
    roads: Uint8Array.from(legs, (leg) => leg.road),
    limits: pick((leg) => leg.limit),
    directions: pick((leg) => leg.direction),
    metres: Math.floor(legs.reduce((sum, leg) => sum + leg.length, 0)),
  };
}

/** Where a vehicle is, in metres from the start of the route and its direction in radians, after `metres` of the way. */
export function positionOn(route: Route, metres: number): { east: number; north: number; direction: number } {
  let [east, north, rest] = [0, 0, metres];
  const last = route.lengths.length - 1;
  for (let leg = 0; leg <= last; leg++) {
    const length = route.lengths[leg] as number;
    const towards = route.directions[leg] as number;
    const driven = leg === last ? rest : Math.min(rest, length);
    east += driven * cosine(towards);
    north += driven * sine(towards);
    if (rest <= length || leg === last) {
      const turnLength = route.turnLengths[leg] as number;
      const share = turnLength > 0 ? Math.min(1, rest / turnLength) : 1;
      const turned = share * share * (3 - 2 * share);
      return { east, north, direction: towards - (route.turns[leg] as number) * (1 - turned) };
    }
    rest -= length;
  }
  return { east, north, direction: 0 };
}
