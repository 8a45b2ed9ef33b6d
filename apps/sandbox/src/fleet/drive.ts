import type { Driver } from './build.js';
import type { Random } from './random.js';
import type { Route } from './route.js';

export type Gear = 'p' | 'r' | 'n' | 'd';

export type Drive = ReturnType<typeof driveRoute>;

/** A part of a leg that is driven towards one speed. Speeds are in m/s. */
type Stretch = Record<'meters' | 'wanted' | 'end', number> & { harshBraking?: boolean; harshStart?: boolean };

/** Drives a route: from park through an optional bit backwards, with halts at lights and crossings, to park again. */
export function driveRoute({ legs }: Route, driver: Driver, reverseMeters: number, rushHour: boolean, random: Random) {
  /** In m/s, negative when reversing. */
  const speed: number[] = [];
  const gear: Gear[] = [];
  /** Stands still for some seconds, in the gear of the way up to here. */
  const hold = (seconds: number, inGear: Gear) => {
    for (let i = 0; i < seconds; i++) speed.push(0);
    while (gear.length < speed.length) gear.push(inGear);
  };
  hold(secondsInPark(random, legs.length > 0), 'p');
  if (reverseMeters > 0) {
    const gently = { ...driver, acceleration: 0.6, braking: 0.7 };
    const backwards = driveOn({ meters: reverseMeters, wanted: 1.5, end: 0 }, 0, gently, random);
    speed.push(...backwards.map((one) => -one));
    hold(random.whole(1, 3), 'r');
  }
  let begin = 0;
  for (const stretch of layOutStretches(legs, driver, rushHour, random)) {
    speed.push(...driveOn(stretch, begin, driver, random));
    begin = stretch.end;
    if (begin > 0) continue;
    const seconds = random.whole(2, rushHour ? 48 : 34);
    const inNeutral = driver.neutralAtHalts && seconds > 25 ? seconds - 5 : 0;
    hold(Math.min(3, inNeutral), 'd');
    hold(inNeutral, 'n');
    hold(inNeutral > 0 ? 2 : seconds, 'd');
  }
  if (legs.length > 0) hold(secondsInPark(random, true), 'p');
  /** Since the start, backwards ones included. */
  const meters: number[] = [];
  let [driven, before] = [0, 0];
  for (const one of speed) {
    driven += Math.abs(before + one) / 2;
    before = one;
    meters.push(driven);
  }
  return { samples: speed.length, speed, meters, gear } as const;
}

/** Most people leave soon after the start; some sit in the parked car for a while. */
function secondsInPark(random: Random, moves: boolean): number {
  if (!moves) return random.whole(20, 420);
  return random.chance(0.06) ? random.whole(40, 300) : random.whole(3, 8) + Math.floor(18 * random.next() ** 3);
}

function layOutStretches(legs: Route['legs'], driver: Driver, rushHour: boolean, random: Random): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, leg] of legs.entries()) {
    const halts = index === legs.length - 1 || random.chance(leg.haltChance);
    // Traffic changes the pace on the way: a longer leg is driven in several stretches.
    const parts = Math.max(1, Math.round(leg.meters / random.between(900, 2600)));
    const meters = leg.meters / parts;
    const events = (driver.harshPerKilometer * meters) / 1000;
    for (let part = 1; part <= parts; part++) {
      const slow = random.chance(rushHour ? 0.25 : 0.06) ? random.between(0.45, 0.8) : random.between(0.9, 1);
      const wanted = Math.max(4, leg.limit * driver.pace * slow);
      const emergency = part < parts && random.chance(0.3 * events);
      const onTheWay = wanted * (emergency ? random.between(0.1, 0.4) : random.between(0.94, 1));
      const end = part < parts ? onTheWay : halts ? 0 : Math.min(leg.endSpeed, wanted);
      const harshBraking = emergency || (part === parts && random.chance(0.7 * events));
      stretches.push({ meters, wanted, end, harshBraking, harshStart: random.chance(events) });
    }
  }
  // No stretch may ask for more than comfortable braking or acceleration from one end to the other.
  let [begin, most] = [0, 0];
  for (const stretch of stretches.toReversed()) {
    stretch.end = Math.min(stretch.end, most);
    most = Math.min(stretch.wanted, Math.sqrt(stretch.end ** 2 + 2 * stretch.meters));
  }
  for (const stretch of stretches) {
    stretch.end = Math.min(stretch.end, Math.sqrt(begin ** 2 + 1.4 * stretch.meters));
    begin = stretch.end;
  }
  return stretches;
}

/** From 0 to 1 over time from 0 to 1, slowly at both ends: early with a skew above 0, late with one below. */
function rise(time: number, skew: number): number {
  const at = time + skew * time * (1 - time);
  return at * at * (3 - 2 * at);
}

const meanRise = (skew: number) => 0.5 + skew / 5;

/** The speed at each second of a stretch: up, steady, down, fitted so that the distance is exactly the sum of the speeds. */
function driveOn(stretch: Stretch, begin: number, driver: Driver, random: Random): readonly number[] {
  const { meters, wanted, end, harshBraking, harshStart } = stretch;
  const comfortable = driver.acceleration * Math.exp(0.28 * random.bell()) * (1 - wanted / 80);
  const acceleration = harshStart && begin < 8 ? random.between(2.6, 3.4) : comfortable;
  const deceleration = harshBraking ? random.between(3.1, 4.7) : driver.braking * Math.exp(0.24 * random.bell());
  // The greatest speed from which the vehicle still gets to the end.
  const squares = 1.8 * meters + begin ** 2 / acceleration + end ** 2 / deceleration;
  const most = Math.sqrt(squares / (1 / acceleration + 1 / deceleration));
  const top = Math.max(begin, end, Math.min(wanted, most));
  // On a short stretch even a gentle driver is as quick as its ends ask for.
  const up = (top - begin) / Math.max(acceleration, (top ** 2 - begin ** 2) / (1.9 * meters));
  const down = (top - end) / Math.max(deceleration, (top ** 2 - end ** 2) / (1.9 * meters));
  const [upSkew, downSkew] = [random.between(0, 0.4), random.between(-0.3, 0.2)];
  const upMeters = up * (begin + (top - begin) * meanRise(upSkew));
  const downMeters = down * (top - (top - end) * meanRise(downSkew));
  const seconds = up + Math.max(0, meters - upMeters - downMeters) / top + down;
  const samples = Math.max(2, Math.round(seconds));
  const speed: number[] = [];
  let [mood, inside] = [0, 0];
  for (let i = 1; i < samples; i++) {
    const at = (i * seconds) / samples;
    const rising = at < up ? begin + (top - begin) * rise(at / up, upSkew) : top;
    const sinking = seconds - at < down ? top - (top - end) * rise(1 - (seconds - at) / down, downSkew) : top;
    mood += random.between(-0.009, 0.009) - 0.03 * mood;
    const here = Math.min(rising, sinking) * (1 + mood * Math.min(1, i / 4, (samples - i) / 4));
    speed.push(here);
    inside += here;
  }
  const fit = inside > 0 ? (meters - (begin + end) / 2) / inside : 0;
  return [...speed.map((one) => one * fit), end];
}
