import type { Place } from './places.js';
import { Random } from './random.js';

/** A leg of a route, from the apex of one corner to the apex of the next. */
export interface Leg {
  readonly meters: number;
  /** Speed limit in m/s. */
  readonly limit: number;
  /** Greatest comfortable speed in the corner at the end, in m/s. */
  readonly cornerSpeed: number;
  /** Meters from the beginning of that corner to its apex. */
  readonly cornerMeters: number;
  /** Chance of a halt at the end. */
  readonly haltChance: number;
}

/** A piece of the path with one curvature. */
interface Arc {
  /** Meters from the start of the route to the start of the arc. */
  start: number;
  meters: number;
  /** In 1/m, positive to the left. */
  curvature: number;
  /** Where the arc starts, in meters from the start of the route, and its direction in radians from east towards north. */
  east: number;
  north: number;
  direction: number;
}

/** A way from one place to another. */
export interface Route {
  readonly legs: readonly Leg[];
  readonly arcs: readonly Arc[];
  readonly meters: number;
}

interface Road {
  readonly legMeters: readonly [number, number];
  /** Radius of a corner in meters. */
  readonly radius: readonly [number, number];
  /** How far a leg points away from the straight line to the destination, in radians. */
  readonly spread: readonly [number, number];
  /** Typical length of one bend of the road between two corners, in meters, and its greatest curvature. */
  readonly bendMeters: number;
  readonly bendCurvature: number;
  readonly limitsKph: readonly number[];
  readonly haltChance: number;
}

const street: Road = {
  legMeters: [110, 420],
  radius: [13, 19],
  spread: [0.45, 0.9],
  bendMeters: 70,
  bendCurvature: 1 / 400,
  limitsKph: [30, 50, 50],
  haltChance: 0.36,
};
const arterial: Road = {
  legMeters: [350, 1200],
  radius: [28, 60],
  spread: [0.15, 0.5],
  bendMeters: 160,
  bendCurvature: 1 / 500,
  limitsKph: [50, 60, 70],
  haltChance: 0.28,
};
const rural: Road = {
  legMeters: [700, 2200],
  radius: [110, 260],
  spread: [0.1, 0.5],
  bendMeters: 220,
  bendCurvature: 1 / 350,
  limitsKph: [80, 90, 100],
  haltChance: 0.1,
};
const motorway: Road = {
  legMeters: [2000, 5200],
  radius: [900, 1800],
  spread: [0.02, 0.15],
  bendMeters: 700,
  bendCurvature: 1 / 2200,
  limitsKph: [110, 120, 130],
  haltChance: 0,
};

function roadAt(metersFromEnd: number, chord: number): Road {
  if (metersFromEnd < (chord < 6000 ? 900 : 1100)) return street;
  if (chord < 6000 || metersFromEnd < 3000) return arterial;
  return chord > 25_000 && metersFromEnd > 7000 ? motorway : rural;
}

/** Sideways acceleration that drivers find comfortable, in m/s². */
const sidewaysComfort = 2.1;

/** A corner grows tight, is tightest at its apex, and opens again: shares of its length, and curvature by that of its mean. */
const cornerShape = [
  [0.25, 0.5],
  [0.25, 1.5],
  [0.25, 1.5],
  [0.25, 0.5],
] as const;

/** Lays out the way from one place to another. The same seed parts give the same way. */
export function layOutRoute(from: Place, to: Place, ...seed: readonly (string | number)[]): Route {
  const random = new Random('route', ...seed);
  const [east, north] = [to.east - from.east, to.north - from.north];
  const chord = Math.hypot(east, north);
  if (chord === 0) return { legs: [], arcs: [], meters: 0 };
  const arcs: Arc[] = [];
  const legs: { meters: number; limit: number; radius: number; cornerMeters: number; haltChance: number }[] = [];
  // The path is first drawn from the origin towards the east, then turned and scaled so that it ends at the destination.
  const pen = { start: 0, east: 0, north: 0, direction: 0 };
  const draw = (meters: number, curvature: number) => {
    const arc = { ...pen, meters, curvature };
    arcs.push(arc);
    Object.assign(pen, pointOn(arc, meters), { start: pen.start + meters });
  };
  let legStart = 0;
  let heading = random.between(-0.5, 0.5);
  pen.direction = heading;
  while (pen.east < chord - 60 && legs.length < 2000) {
    const road = roadAt(Math.min(pen.east, chord - pen.east), chord);
    let rest = Math.min(random.between(...road.legMeters), Math.max(80, chord - pen.east));
    while (rest > 1) {
      const meters = rest < 1.6 * road.bendMeters ? rest : road.bendMeters * random.between(0.6, 1.5);
      draw(meters, random.chance(0.3) ? 0 : random.between(-1, 1) * road.bendCurvature);
      rest -= meters;
    }
    const limit = random.pick(road.limitsKph) / 3.6;
    const radius = random.between(...road.radius);
    const leg = { limit, radius: Number.POSITIVE_INFINITY, cornerMeters: 0, haltChance: road.haltChance };
    if (pen.east >= chord - 60) {
      legs.push({ ...leg, meters: pen.start - legStart });
      break;
    }
    // Zigzag about the straight line: turn back towards it, the more so the further off the path is.
    const home = Math.max(-0.45, Math.min(0.45, pen.north / (0.25 * (chord - pen.east) + 150)));
    heading = (random.chance(0.5 - home) ? 1 : -1) * random.between(...road.spread);
    const turn = heading - pen.direction;
    const cornerMeters = Math.abs(turn) * radius;
    for (const [index, [share, shape]] of cornerShape.entries()) {
      if (index === 2) {
        legs.push({ ...leg, meters: pen.start - legStart, radius, cornerMeters: cornerMeters / 2 });
        legStart = pen.start;
      }
      draw(share * cornerMeters, (shape * turn) / cornerMeters);
    }
  }
  const scale = chord / Math.hypot(pen.east, pen.north);
  const turned = Math.atan2(north, east) - Math.atan2(pen.north, pen.east);
  const [cos, sin] = [scale * Math.cos(turned), scale * Math.sin(turned)];
  return {
    meters: pen.start * scale,
    arcs: arcs.map((arc) => ({
      start: arc.start * scale,
      meters: arc.meters * scale,
      curvature: arc.curvature / scale,
      east: arc.east * cos - arc.north * sin,
      north: arc.east * sin + arc.north * cos,
      direction: arc.direction + turned,
    })),
    legs: legs.map(({ meters, limit, radius, cornerMeters, haltChance }) => ({
      meters: meters * scale,
      cornerMeters: cornerMeters * scale,
      limit,
      haltChance,
      cornerSpeed: Math.sqrt((sidewaysComfort * radius * scale) / 1.5),
    })),
  };
}

/** Where a vehicle is after some meters of an arc. */
function pointOn(
  { curvature, east, north, direction }: Arc,
  meters: number,
): Omit<Arc, 'start' | 'meters' | 'curvature'> {
  const after = direction + curvature * meters;
  // The chord of the arc, which has the direction of its middle.
  const half = (curvature * meters) / 2;
  const chord = Math.abs(half) < 1e-9 ? meters : (meters * Math.sin(half)) / half;
  return {
    east: east + chord * Math.cos(direction + half),
    north: north + chord * Math.sin(direction + half),
    direction: after,
  };
}

/** The arc of a route that a vehicle is on after some meters; nothing on a route without a way. */
function arcAt({ arcs }: Route, meters: number): Arc | undefined {
  let [low, high] = [0, arcs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((arcs[middle]?.start ?? 0) <= meters) low = middle;
    else high = middle - 1;
  }
  return arcs[low];
}

/** Where a vehicle is after some meters of a route, in meters from its start. */
export function positionOn(route: Route, meters: number): { readonly east: number; readonly north: number } {
  const arc = arcAt(route, meters);
  return arc ? pointOn(arc, meters - arc.start) : { east: 0, north: 0 };
}

/** Direction of a vehicle after some meters of a route, in radians from east towards north, not wrapped. */
export function directionOn(route: Route, meters: number): number {
  const arc = arcAt(route, meters);
  return arc ? arc.direction + arc.curvature * (meters - arc.start) : 0;
}
