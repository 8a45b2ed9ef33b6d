import type { Place } from './places.js';
import type { Random, Range } from './random.js';

/** A point of the way, in meters from its start, with the direction there in radians from east towards north, not wrapped. */
type Point = Readonly<Record<'start' | 'east' | 'north' | 'direction', number>>;

/** A piece of the way with one curvature, in 1/m and positive to the left. */
type Arc = Point & { readonly curvature: number };

/** A corner and the road up to the next one: speed limit and comfortable speed into that one in m/s, and the chance of a halt there. */
type Leg = Readonly<Record<'meters' | 'limit' | 'endSpeed' | 'haltChance', number>>;

export type Route = ReturnType<typeof layOutRoute>;

/** A kind of road: angles are those between a leg and the straight line to the destination in radians, bends are between two corners. */
type Road = readonly [
  legMeters: Range,
  cornerRadius: Range,
  angles: Range,
  bendMeters: number,
  bendCurvature: number,
  limitsKph: readonly number[],
  haltChance: number,
];
const street: Road = [[110, 420], [16, 24], [0.45, 0.9], 70, 1 / 400, [30, 50, 50], 0.36];
const arterial: Road = [[350, 1200], [28, 60], [0.15, 0.5], 160, 1 / 500, [50, 60, 70], 0.28];
const rural: Road = [[700, 2200], [110, 260], [0.1, 0.5], 220, 1 / 350, [80, 90, 100], 0.1];
const motorway: Road = [[2000, 5200], [900, 1800], [0.02, 0.15], 700, 1 / 2200, [110, 120, 130], 0];

function roadAt(metersFromEnd: number, chord: number): Road {
  if (metersFromEnd < (chord < 6000 ? 900 : 1100)) return street;
  if (chord < 6000 || metersFromEnd < 3000) return arterial;
  return chord > 25_000 && metersFromEnd > 7000 ? motorway : rural;
}

/** Sideways acceleration that drivers find comfortable at the beginning of a corner, in m/s². */
const sidewaysComfort = 1.2;

export function layOutRoute(from: Place, to: Place, random: Random) {
  const [east, north] = [to.east - from.east, to.north - from.north];
  const chord = Math.hypot(east, north);
  const arcs: Arc[] = [];
  const legs: Leg[] = [];
  if (chord === 0) return { legs, arcs, meters: 0 };
  // The path is first drawn from the origin towards the east, then turned and scaled so that it ends at the destination.
  let pen: Point = { start: 0, east: 0, north: 0, direction: random.between(-0.5, 0.5) };
  const draw = (meters: number, curvature: number) => {
    const arc = { ...pen, curvature };
    arcs.push(arc);
    pen = pointOn(arc, meters);
  };
  let legStart = 0;
  for (;;) {
    const road = roadAt(Math.min(pen.east, chord - pen.east), chord);
    const [legMeters, cornerRadius, angles, bendMeters, bendCurvature, limitsKph, haltChance] = road;
    let rest = Math.min(random.between(...legMeters), Math.max(80, chord - pen.east));
    while (rest > 1) {
      const meters = rest < 1.6 * bendMeters ? rest : bendMeters * random.between(0.6, 1.5);
      draw(meters, random.chance(0.3) ? 0 : random.between(-1, 1) * bendCurvature);
      rest -= meters;
    }
    const limit = random.pick(limitsKph) / 3.6;
    const radius = random.between(...cornerRadius);
    legs.push({ meters: pen.start - legStart, limit, endSpeed: Math.sqrt(sidewaysComfort * radius), haltChance });
    if (pen.east >= chord - 60 || legs.length >= 2000) break;
    legStart = pen.start;
    // Zigzag about the straight line: turn back towards it, the more so the further off the path is.
    const home = Math.max(-0.45, Math.min(0.45, pen.north / (0.25 * (chord - pen.east) + 150)));
    const turn = (random.chance(0.5 - home) ? 1 : -1) * random.between(...angles) - pen.direction;
    draw(Math.abs(turn) * radius, Math.sign(turn) / radius);
  }
  const scale = chord / Math.hypot(pen.east, pen.north);
  const turned = Math.atan2(north, east) - Math.atan2(pen.north, pen.east);
  const [cos, sin] = [scale * Math.cos(turned), scale * Math.sin(turned)];
  return {
    meters: pen.start * scale,
    legs: legs.map((leg) => ({ ...leg, meters: leg.meters * scale })),
    arcs: arcs.map((arc) => ({
      start: arc.start * scale,
      curvature: arc.curvature / scale,
      east: arc.east * cos - arc.north * sin,
      north: arc.east * sin + arc.north * cos,
      direction: arc.direction + turned,
    })),
  };
}

/** Where a vehicle is after some meters of an arc. */
function pointOn({ curvature, start, east, north, direction }: Arc, meters: number): Point {
  // The chord of the arc has the direction of its middle.
  const half = (curvature * meters) / 2;
  const chord = Math.abs(half) < 1e-9 ? meters : (meters * Math.sin(half)) / half;
  return {
    start: start + meters,
    east: east + chord * Math.cos(direction + half),
    north: north + chord * Math.sin(direction + half),
    direction: direction + curvature * meters,
  };
}

export function positionOn({ arcs }: Route, meters: number): Pick<Point, 'east' | 'north'> {
  const arc = arcs.findLast(({ start }) => start <= meters);
  return arc ? pointOn(arc, meters - arc.start) : { east: 0, north: 0 };
}

/** Headings of a vehicle after some meters, in radians from east towards north, not wrapped. The first meters are driven backwards. */
export function headingsOn({ arcs }: Route, driven: readonly number[], reverseMeters: number, turnInReverse: number) {
  let at = 0;
  return driven.map((meters) => {
    const onRoute = meters - reverseMeters;
    while ((arcs[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= onRoute) at++;
    const arc = arcs[at];
    if (!arc) return 0;
    // Backing out turns the vehicle into the direction in which the route starts.
    const turned = onRoute > 0 ? arc.curvature * (onRoute - arc.start) : turnInReverse * (onRoute / reverseMeters || 0);
    return arc.direction + turned;
  });
}
