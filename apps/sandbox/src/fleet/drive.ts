import type { Random } from './random.js';
import { type Route, road } from './route.js';
import type { Traits } from './traits.js';

/** Gear codes of a drive, in the order of `gears`. */
export const gear = { park: 0, reverse: 1, neutral: 2, drive: 3 } as const;

/** One drive, sampled once a second. Arrays may be longer than `count`. */
export interface Drive {
  count: number;
  /** Speed in m/s at each sample, negative when reversing. */
  speed: Float64Array;
  /** Metres driven since the start, backwards ones included. */
  metres: Float64Array;
  /** Curvature of the path in 1/m, positive to the left. */
  curvature: Float64Array;
  /** One of the values of `gear`. */
  gear: Uint8Array;
}

const mostSamples = 1 << 15;

/** Room for one drive at a time; signals are taken out of it before the next. */
export function emptyDrive(): Drive {
  return {
    count: 0,
    speed: new Float64Array(mostSamples),
    metres: new Float64Array(mostSamples),
    curvature: new Float64Array(mostSamples),
    gear: new Uint8Array(mostSamples),
  };
}

/** A drive of its own, as long as its samples. */
export function copyOf({ count, speed, metres, curvature, gear: inGear }: Drive): Drive {
  return {
    count,
    speed: speed.slice(0, count),
    metres: metres.slice(0, count),
    curvature: curvature.slice(0, count),
    gear: inGear.slice(0, count),
  };
}

const stopChance = { [road.street]: 0.36, [road.arterial]: 0.28, [road.rural]: 0.1, [road.motorway]: 0 } as const;

/** Metres that rounding may add or take away. */
const hairsbreadth = 1e-6;

/** Cornering that drivers find comfortable, in m/s². */
const sidewaysComfort = 2.2;

/**
 * Drives a route: from park through an optional bit backwards, with halts at lights and crossings, to park again. Between two samples
 * the acceleration is constant, so the distance is exactly the integral of the speed, and it ends exactly at the route's length.
 */
export function driveRoute(
  into: Drive,
  route: Route,
  traits: Traits,
  reverseMetres: number,
  rushHour: boolean,
  random: Random,
): void {
  into.count = 0;
  hold(into, random.whole(5, 9), gear.park);
  if (reverseMetres > 0) {
    const aside = random.chance(0.5) ? 0.7 : -0.7;
    const backwards: Stretch = {
      starts: Float64Array.of(0, reverseMetres),
      limits: Float64Array.of(1.4, 0),
      turns: Float64Array.of(aside, 0),
      count: 1,
      metres: reverseMetres,
    };
    driveStretch(into, backwards, { ...traits, acceleration: 0.7 }, gear.reverse, random);
    hold(into, random.whole(1, 3), gear.reverse);
  }
  const stretch: Stretch = {
    starts: new Float64Array(2 * route.lengths.length + 2),
    limits: new Float64Array(2 * route.lengths.length + 2),
    turns: new Float64Array(2 * route.lengths.length + 2),
    count: 0,
    metres: 0,
  };
  const last = route.lengths.length - 1;
  const jam = rushHour ? 0.72 : 0.9;
  let driven = 0;
  for (let leg = 0; leg <= last; leg++) {
    const kindOfRoad = route.roads[leg] as keyof typeof stopChance;
    const traffic = random.between(kindOfRoad === road.motorway ? 0.9 : jam, 1);
    const length = leg === last ? route.metres - driven : (route.lengths[leg] as number);
    addLeg(stretch, length, route, leg, (route.limits[leg] as number) * traits.pace * traffic);
    driven += length;
    const halts = leg === last || random.chance(stopChance[kindOfRoad]);
    if (!halts) continue;
    driveStretch(into, stretch, traits, gear.drive, random);
    stretch.count = 0;
    stretch.metres = 0;
    if (leg < last) {
      const seconds = random.whole(3, rushHour ? 48 : 34);
      if (traits.neutralAtHalts && seconds > 25) {
        hold(into, 3, gear.drive);
        hold(into, seconds - 5, gear.neutral);
        hold(into, 2, gear.drive);
      } else hold(into, seconds, gear.drive);
    }
  }
  hold(into, random.whole(1, 2), gear.drive);
  hold(into, random.whole(4, 8), gear.park);
}

/** The way to the next halt: where a new limit or turn starts (its length is up to the next start), in metres from the last halt. */
interface Stretch {
  readonly starts: Float64Array;
  readonly limits: Float64Array;
  readonly turns: Float64Array;
  count: number;
  metres: number;
}

function addLeg(stretch: Stretch, length: number, route: Route, leg: number, limit: number): void {
  const turn = route.turns[leg] as number;
  const turnLength = Math.min(route.turnLengths[leg] as number, length);
  if (turnLength > 1) {
    const tightest = (1.5 * Math.abs(turn)) / turnLength;
    addPart(stretch, turnLength, Math.min(limit, Math.sqrt(sidewaysComfort / tightest)), turn);
    addPart(stretch, length - turnLength, limit, 0);
  } else addPart(stretch, length, limit, 0);
}

function addPart(stretch: Stretch, length: number, limit: number, turn: number): void {
  const at = stretch.count++;
  stretch.starts[at] = stretch.metres;
  stretch.limits[at] = limit;
  stretch.turns[at] = turn;
  stretch.metres += length;
}

function hold(into: Drive, seconds: number, inGear: number): void {
  const before = into.count - 1;
  const metres = before < 0 ? 0 : (into.metres[before] as number);
  const curvature = before < 0 ? 0 : (into.curvature[before] as number);
  for (let i = into.count; i < into.count + seconds; i++) {
    into.speed[i] = 0;
    into.metres[i] = metres;
    into.curvature[i] = curvature;
    into.gear[i] = inGear;
  }
  into.count += seconds;
}

/** Drives from standstill to standstill over a stretch. */
function driveStretch(into: Drive, stretch: Stretch, traits: Traits, inGear: number, random: Random): void {
  const { starts, limits, turns, count, metres: length } = stretch;
  const { acceleration, braking } = traits;
  const entry = entrySpeeds(stretch, braking);
  const sign = inGear === gear.reverse ? -1 : 1;
  starts[count] = length;
  let at = into.count;
  const metresBefore = at > 0 ? (into.metres[at - 1] as number) : 0;
  const halfBraking = braking / 2;
  let part = 0;
  let speed = 0;
  let driven = 0;
  let mood = 0;
  let wander = 0;
  let last = false;
  while (!last) {
    const rest = length - driven;
    // The speed one second on at which the vehicle halts exactly at the end one second later still.
    const lastButOne = rest - speed / 2;
    let next: number;
    if (speed > 0 && lastButOne >= -hairsbreadth && lastButOne >= speed - 2.2 && lastButOne <= Math.min(speed, 2.2)) {
      next = Math.max(0, lastButOne);
      last = true;
    } else {
      mood += (random.next() - 0.5) * 0.012 - mood * 0.06;
      const target = (limits[part] as number) * (1 + mood);
      const wish = speed + (target - speed) * 0.45;
      const strongest = acceleration * (1 - speed / 62);
      next = Math.max(Math.min(wish, speed + strongest), speed - braking, 0.3);
      for (let ahead = part + 1; ahead <= count; ahead++) {
        const gap = (starts[ahead] as number) - driven;
        if (ahead > part + 1 && gap > speed + 4) break;
        // v'² + b·v' <= v_c² + 2·b·gap - b·v keeps the way to the next limit long enough to brake.
        const reached = entry[ahead] as number;
        const under = halfBraking * halfBraking + reached * reached + 2 * braking * gap - braking * speed;
        const most = (under > 0 ? Math.sqrt(under) : 0) - halfBraking;
        if (most < next) next = Math.max(most, speed - 2.6);
      }
      if (next > lastButOne) next = lastButOne;
      if (next < 0) next = 0;
    }
    driven += (speed + next) / 2;
    speed = next;
    if (length - driven < hairsbreadth) last = true;
    while (part < count - 1 && driven >= (starts[part + 1] as number)) part++;
    const turn = turns[part] as number;
    wander += ((random.next() - 0.5) * 0.0001 - wander * 0.08) * (speed > 2 ? 1 : 0);
    let curvature = wander;
    if (turn !== 0) {
      const turnLength = (starts[part + 1] as number) - (starts[part] as number);
      const share = Math.min(1, (driven - (starts[part] as number)) / turnLength);
      curvature += (turn / turnLength) * 6 * share * (1 - share);
    }
    into.speed[at] = sign * speed;
    into.metres[at] = metresBefore + driven;
    into.curvature[at] = curvature;
    into.gear[at] = inGear;
    at++;
  }
  into.speed[at] = 0;
  into.metres[at] = metresBefore + length;
  into.curvature[at] = into.curvature[at - 1] as number;
  into.gear[at] = inGear;
  into.count = at + 1;
}

/** The greatest speed at the start of each part from which every later limit, and the halt at the end, can be met. */
function entrySpeeds({ starts, limits, count, metres }: Stretch, braking: number): Float64Array {
  const entry = new Float64Array(count + 1);
  for (let at = count - 1; at >= 0; at--) {
    const after = entry[at + 1] as number;
    const length = (at === count - 1 ? metres : (starts[at + 1] as number)) - (starts[at] as number);
    entry[at] = Math.min(limits[at] as number, Math.sqrt(after * after + 2 * braking * length));
  }
  return entry;
}
