import type { Driver } from './build.js';
import type { PlannedTrip } from './day-plan.js';
import type { Random } from './random.js';
import type { Leg, Route } from './route.js';

/** Gears of a drive. */
export const gear = { park: 0, reverse: 1, neutral: 2, drive: 3 } as const;

/** One drive, sampled once a second. */
export interface Drive {
  readonly samples: number;
  /** Speed in m/s, negative when reversing. */
  readonly speed: Float32Array;
  /** Meters driven since the start, backwards ones included. */
  readonly meters: Float64Array;
  /** Each one of the values of `gear`. */
  readonly gear: Uint8Array;
}

/** A part of a leg that is driven towards one speed. */
interface Stretch {
  readonly meters: number;
  /** The speed that the driver wants on it, in m/s. */
  readonly wanted: number;
  /** The speed at its end, in m/s. */
  end: number;
  readonly harshBraking?: boolean;
  readonly harshStart?: boolean;
}

/** Drives a route: from park through an optional bit backwards, with halts at lights and crossings, to park again. */
export function driveRoute(
  route: Route,
  driver: Driver,
  { reverseMeters }: PlannedTrip,
  rushHour: boolean,
  random: Random,
): Drive {
  const track: { speed: number[]; meters: number[]; gear: number[] } = { speed: [], meters: [], gear: [] };
  let driven = 0;
  const sample = (speed: number, inGear: number) => {
    track.speed.push(inGear === gear.reverse ? -speed : speed);
    track.meters.push(driven);
    track.gear.push(inGear);
  };
  const hold = (seconds: number, inGear: number) => {
    for (let second = 0; second < seconds; second++) sample(0, inGear);
  };
  const drive = (stretch: Stretch, begin: number, by: Driver, inGear: number) => {
    let before = begin;
    for (const speed of speedsOn(stretch, begin, by, random)) {
      driven += (before + speed) / 2;
      sample(speed, inGear);
      before = speed;
    }
  };
  const moves = route.meters > 0;
  hold(secondsInPark(random, moves), gear.park);
  if (reverseMeters > 0) {
    const backwards = { meters: reverseMeters, wanted: 1.5, end: 0 };
    drive(backwards, 0, { ...driver, acceleration: 0.6, braking: 0.7 }, gear.reverse);
    hold(random.whole(1, 3), gear.reverse);
  }
  let speed = 0;
  for (const stretch of layOutStretches(route.legs, driver, rushHour, random)) {
    drive(stretch, speed, driver, gear.drive);
    speed = stretch.end;
    if (speed > 0) continue;
    const seconds = random.whole(2, rushHour ? 48 : 34);
    const inNeutral = driver.neutralAtHalts && seconds > 25 ? seconds - 5 : 0;
    if (inNeutral > 0) {
      hold(3, gear.drive);
      hold(inNeutral, gear.neutral);
    }
    hold(inNeutral > 0 ? 2 : seconds, gear.drive);
  }
  if (moves) hold(secondsInPark(random, true), gear.park);
  return {
    samples: track.speed.length,
    speed: Float32Array.from(track.speed),
    meters: Float64Array.from(track.meters),
    gear: Uint8Array.from(track.gear),
  };
}

/** Most people leave soon after the start; some sit in the parked car for a while. */
function secondsInPark(random: Random, moves: boolean): number {
  if (!moves) return random.whole(20, 420);
  return random.chance(0.06) ? random.whole(40, 300) : random.whole(3, 8) + Math.floor(18 * random.next() ** 3);
}

function layOutStretches(legs: readonly Leg[], driver: Driver, rushHour: boolean, random: Random): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let afterCorner = 0;
  for (const [index, leg] of legs.entries()) {
    const halts = index === legs.length - 1 || random.chance(leg.haltChance);
    // A halt is at the line before the corner, which is then driven on its own; otherwise the slowest point is its apex.
    const beforeCorner = halts && leg.cornerMeters > 4 ? leg.cornerMeters : 0;
    const legMeters = leg.meters - afterCorner - beforeCorner;
    afterCorner = beforeCorner;
    // Traffic changes the pace on the way: a longer leg is driven in several stretches.
    const parts = Math.max(1, Math.round(legMeters / random.between(900, 2600)));
    for (let part = 1; part <= parts; part++) {
      const meters = legMeters / parts;
      const slow = random.chance(rushHour ? 0.25 : 0.06) ? random.between(0.45, 0.8) : random.between(0.9, 1);
      const wanted = Math.max(4, leg.limit * driver.pace * slow);
      const events = (driver.harshPerKilometer * meters) / 1000;
      const emergency = part < parts && random.chance(0.3 * events);
      const atEnd = part < parts ? wanted * random.between(0.94, 1) : halts ? 0 : Math.min(leg.cornerSpeed, wanted);
      const end = emergency ? wanted * random.between(0.1, 0.4) : atEnd;
      const harshBraking = emergency || (wanted - end > 6 && random.chance(0.7 * events));
      stretches.push({ meters, wanted, end, harshBraking, harshStart: random.chance(events) });
    }
    if (beforeCorner > 0) stretches.push({ meters: 2 * beforeCorner, wanted: leg.cornerSpeed, end: leg.cornerSpeed });
  }
  // No stretch may ask for more than comfortable braking or acceleration from one end to the other.
  let most = 0;
  for (const stretch of stretches.toReversed()) {
    stretch.end = Math.min(stretch.end, most);
    most = Math.min(stretch.wanted, Math.sqrt(stretch.end ** 2 + 2 * stretch.meters));
  }
  let begin = 0;
  for (const stretch of stretches) {
    stretch.end = Math.min(stretch.end, Math.sqrt(begin ** 2 + 1.4 * stretch.meters));
    begin = stretch.end;
  }
  return stretches;
}

/** From 0 to 1 over time from 0 to 1, rising early with a skew below 1 and late with one above. */
function rise(time: number, skew: number): number {
  const at = time ** skew;
  return at * at * (3 - 2 * at);
}

/** Mean of `rise` over its time. */
const meanRise = (skew: number) => 3 / (2 * skew + 1) - 2 / (3 * skew + 1);

/**
 * The speed at each second of a stretch: up, steady, down. The time is rounded to whole seconds and the speed fitted to it, so that the
 * distance is exactly the sum of the speeds.
 */
function speedsOn(stretch: Stretch, begin: number, driver: Driver, random: Random): readonly number[] {
  const { meters, wanted, end, harshBraking, harshStart } = stretch;
  const comfortable = driver.acceleration * Math.exp(0.28 * random.bell()) * (1 - wanted / 80);
  const acceleration = harshStart && begin < 8 ? random.between(2.8, 3.8) : comfortable;
  const usual = driver.braking * Math.exp(0.24 * random.bell());
  const drawn = harshBraking ? random.between(3.1, 4.7) : usual;
  // The greatest speed from which the vehicle still gets to the end.
  const most = Math.sqrt(
    (1.8 * meters + begin ** 2 / acceleration + end ** 2 / drawn) / (1 / acceleration + 1 / drawn),
  );
  const top = Math.max(begin, end, Math.min(wanted, most));
  const braking = Math.max(drawn, (top ** 2 - end ** 2) / (1.9 * meters));
  const [upSkew, downSkew] = [random.between(0.65, 1), random.between(0.8, 1.35)];
  const up = (top - begin) / acceleration;
  const down = (top - end) / braking;
  const upMeters = up * (begin + (top - begin) * meanRise(upSkew));
  const downMeters = down * (top - (top - end) * meanRise(downSkew));
  const seconds = up + Math.max(0, meters - upMeters - downMeters) / top + down;
  const samples = Math.max(2, Math.round(seconds));
  const speeds: number[] = [];
  let mood = 0;
  let inside = 0;
  for (let i = 1; i < samples; i++) {
    const at = (i * seconds) / samples;
    const rising = at < up ? begin + (top - begin) * rise(at / up, upSkew) : top;
    const sinking = seconds - at < down ? top - (top - end) * rise(1 - (seconds - at) / down, downSkew) : top;
    mood += 0.005 * random.bell() - 0.03 * mood;
    const speed = Math.min(rising, sinking) * (1 + mood * Math.min(1, i / 4, (samples - i) / 4));
    speeds.push(speed);
    inside += speed;
  }
  const fit = inside > 0 ? (meters - (begin + end) / 2) / inside : 0;
  return [...speeds.map((speed) => speed * fit), end];
}
