// Facts and moments of a trip, computed when they are first shown, and kept as long as the trip.
import {
  type DerivedSpeed,
  type Moment,
  type MomentKind,
  type MotionFacts,
  moments,
  motionFacts,
  speedOf,
} from '@vehicle-data/client/facts';
import type { Trip } from './trip.js';

function kept<Value>(make: (trip: Trip) => Value): (trip: Trip) => Value {
  const known = new WeakMap<Trip, Value>();
  return (trip) => {
    const value = known.get(trip) ?? make(trip);
    known.set(trip, value);
    return value;
  };
}

export const factsOf: (trip: Trip) => MotionFacts = kept(({ sides }) => motionFacts(sides.driving, sides.powertrain));

/** The moments of a trip. A stretch without data of all signals is one. */
export const momentsOf: (trip: Trip) => readonly Moment[] = kept(({ sides }) =>
  moments(sides.driving, sides.powertrain),
);

const speeds = kept(({ sides }): { readonly speed: DerivedSpeed | null } => ({ speed: speedOf(sides.driving) }));
/** The derived speed; `null` where it cannot be trusted. */
export const derivedSpeedOf = (trip: Trip) => speeds(trip).speed;

/** A moment in words: a sign for lists, a name, and what made it. */
export const momentWords: Readonly<Record<MomentKind, readonly [sign: string, name: string]>> = {
  'hard-braking': ['▼', 'Hard braking'],
  'hard-acceleration': ['▲', 'Hard acceleration'],
  'sharp-turn': ['↷', 'Sharp turn'],
  unbelted: ['⚠', 'Unbelted'],
  'cold-engine': ['❄', 'High engine speed, cold oil'],
  'voltage-dip': ['⚡', 'Voltage dip'],
  contradiction: ['≠', 'Contradiction'],
  'no-data': ['∅', 'No data'],
};

/** What made a moment, in words: `−0.52 g, 61 to 23 km/h`. */
export function momentValues({ values, signals }: Moment): string {
  const { lowestG, highestG, fromKmh, toKmh, sidewaysG, highestKmh, highestRpm, oilCelsius, lowestV, fromV } = values;
  const parts = [
    lowestG !== undefined && `${lowestG} g`,
    highestG !== undefined && `+${highestG} g`,
    fromKmh !== undefined && `${fromKmh} to ${toKmh} km/h`,
    sidewaysG !== undefined && `${sidewaysG} g sideways`,
    values['is'] !== undefined && `${signals[0]} is ${values['is']}`,
    highestKmh !== undefined && `at ${highestKmh} km/h`,
    highestRpm !== undefined && `${highestRpm} rpm at ${oilCelsius} °C`,
    lowestV !== undefined && `${lowestV} V after ${fromV} V`,
    values['samples'] !== undefined &&
      `${values['samples']} samples of ${signals.length > 2 ? `${signals.length} signals` : signals.join(', ')}`,
    values['jumpKm'] !== undefined && `the odometer jumps by ${values['jumpKm']} km`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** How strong a moment is beside others of its kind: the greater, the stronger. */
export function strengthOf({ values, from, to }: Moment): number {
  const { lowestG, highestG, sidewaysG, highestKmh, highestRpm, lowestV, fromV, jumpKm } = values;
  if (lowestV !== undefined) return 1 - Number(lowestV) / Number(fromV);
  const first = [lowestG, highestG, sidewaysG, highestKmh, highestRpm, jumpKm].find((value) => value !== undefined);
  return Math.abs(Number(first ?? to - from));
}

/** The greatest speed of each of so many equal parts of a trip, for a small picture; none where there is no speed. */
export function sparkOf(trip: Trip, parts: number): readonly number[] {
  const values = derivedSpeedOf(trip)?.values;
  if (values === undefined) return [];
  const count = Math.min(parts, values.length);
  return Array.from({ length: count }, (_, part) => {
    let most = 0;
    const end = ((part + 1) * values.length) / count;
    for (let index = Math.floor((part * values.length) / count); index < end; index += 1)
      most = Math.max(most, Math.abs(values[index] || 0));
    return most;
  });
}
