// What a trip was, in numbers, each with where it comes from and how far it may be off.
import type { TripColumns } from '../series/columns.js';
import { summary } from '../series/summary.js';
import { runsOf } from './find-moments.js';
import { numbersAt, odometerStepKm, type SpeedOptions, speedOf, textsAt } from './speed.js';

/**
 * Where a fact comes from.
 *
 * - `sent`: a value of the service, as it is.
 * - `derived`: computed from values, whatever their times.
 * - `assumed-time`: computed from values at assumed times.
 */
export type FactBasis = 'sent' | 'derived' | 'assumed-time';

/** A number of a trip, and the least and the most that it can be. All three are `null` where the data do not tell. */
export interface Fact {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: string;
  readonly basis: FactBasis;
}

/** The lowest and the highest value of a signal, as sent. Shares are from 0 to 1, of all samples. */
export interface SignalFacts {
  readonly unit: string | null;
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly missingShare: number;
  readonly outOfRangeShare: number;
}

/** How far, how long and how fast a trip was. */
export interface MotionFacts {
  /** Last reading of the odometer minus the first, in km. */
  readonly distance: Fact;
  /** Length of the trip in ms, as sent. */
  readonly duration: Fact;
  /** Distance by duration, in km/h. */
  readonly averageSpeed: Fact;
  /** The highest derived speed, in km/h. */
  readonly topSpeed: Fact;
  /** Time at a standstill, in ms: below `movingKmh`. */
  readonly standing: Fact;
  /** The longest standstill between two movements, in ms. */
  readonly longestStop: Fact;
  /** How long the driver was `unbelted` while moving, in ms. */
  readonly unbelted: Fact;
}

/** Facts of a trip. There is no score among them: what a driver should have done is in no sample. */
export interface TripFacts extends MotionFacts {
  /** Share of samples with speed limit assistance in use, neither `off` nor `none`, of each option that was sent. From 0 to 1. */
  readonly speedLimitAssist: Readonly<Record<string, number>>;
  /** Of each signal of the trip, by its path. */
  readonly signals: Readonly<Record<string, SignalFacts>>;
  /** Share of all samples without a value, and of those outside their range. From 0 to 1. */
  readonly missingShare: number;
  readonly outOfRangeShare: number;
}

/** Options of `tripFacts`. */
export interface FactOptions extends SpeedOptions {
  /** From which speed on a vehicle counts as moving, in km/h. Default 2. */
  readonly movingKmh?: number | undefined;
}

/** No car is faster: how much a sample without a reading of the odometer can hide. */
const fastestKmh = 500;

/**
 * Facts of a trip.
 *
 * @param driving the driving side of the trip, from `toColumns`; `null` where there is none
 * @param powertrain the powertrain side
 */
export function tripFacts(
  driving: TripColumns<'driving'> | null,
  powertrain: TripColumns<'powertrain'> | null,
  options: FactOptions = {},
): TripFacts {
  const signals: Record<string, SignalFacts> = {};
  const assist: Record<string, number> = {};
  const counts = { samples: 0, missing: 0, outOfRange: 0 };
  for (const trip of [driving, powertrain]) {
    if (trip === null) continue;
    for (const [path, one] of Object.entries(summary<never>(trip as TripColumns<never>).signals) as [
      string,
      AnySummary,
    ][]) {
      const { samples, missing, sentinels, outOfRange, missingShare, outOfRangeShare } = one;
      counts.samples += samples;
      counts.missing += missing + sentinels + outOfRange;
      counts.outOfRange += outOfRange;
      const { unit = null, min = null, max = null, values } = one;
      signals[path] = { unit, lowest: min, highest: max, missingShare, outOfRangeShare };
      if (values && path.startsWith('isla.')) {
        const { off = 0, none = 0, ...inUse } = values;
        const used = Object.values(inUse).reduce((sum, count) => sum + count, 0);
        if (used + off + none > 0) assist[path] = used / (used + off + none);
      }
    }
  }
  return {
    ...motionFacts(driving, powertrain, options),
    speedLimitAssist: assist,
    signals,
    missingShare: counts.missing / (counts.samples || 1),
    outOfRangeShare: counts.outOfRange / (counts.samples || 1),
  };
}

/**
 * The facts of a trip's motion: those of `tripFacts` without the ones of each signal, in a fraction of the time. Few samples are read.
 *
 * @param driving the driving side of the trip, from `toColumns`; `null` where there is none
 * @param powertrain the powertrain side
 */
export function motionFacts(
  driving: TripColumns<'driving'> | null,
  powertrain: TripColumns<'powertrain'> | null,
  options: FactOptions = {},
): MotionFacts {
  const durationMs = driving?.durationMs ?? powertrain?.durationMs ?? null;
  const distance = distanceOf(driving);
  const hours = (durationMs ?? 0) / 3_600_000 || null;
  const [value, low, high] = [distance.value, distance.low, distance.high].map((km) => km && hours && km / hours);
  return {
    distance,
    duration: { value: durationMs, low: durationMs, high: durationMs, unit: 'ms', basis: 'sent' },
    averageSpeed: { value: value ?? null, low: low ?? null, high: high ?? null, unit: 'km/h', basis: 'derived' },
    ...ofSpeed(driving, options),
  };
}

interface AnySummary extends Readonly<Record<'samples' | 'missing' | 'sentinels' | 'outOfRange', number>> {
  readonly missingShare: number;
  readonly outOfRangeShare: number;
  readonly unit?: string;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly values?: Readonly<Record<string, number>>;
}

const nothing = { value: null, low: null, high: null } as const;

function distanceOf(driving: TripColumns<'driving'> | null): Fact {
  const rest = { unit: 'km', basis: 'derived' } as const;
  const odometer = numbersAt(driving, 'odometer.value');
  const km =
    driving && summary<'driving'>({ ...driving, columns: odometer ? { 'odometer.value': odometer } : {} }).distance;
  if (!odometer || !km) return { ...nothing, ...rest };
  const { values, stepMs } = odometer;
  const first = values.findIndex((reading) => !Number.isNaN(reading));
  const last = values.findLastIndex((reading) => !Number.isNaN(reading));
  const hidden = first + (values.length - 1 - last);
  // Without a time, what came before the first reading and after the last one has no bound.
  if (hidden > 0 && stepMs === null) return { value: round(km.value), low: null, high: null, ...rest };
  const more = hidden * ((stepMs ?? 0) / 3_600_000) * fastestKmh;
  const low = Math.max(0, km.value - odometerStepKm);
  return { value: round(km.value), low: round(low), high: round(km.value + odometerStepKm + more), ...rest };
}

function ofSpeed(driving: TripColumns<'driving'> | null, options: FactOptions) {
  const speed = speedOf(driving, options);
  const { movingKmh = 2 } = options;
  const basis = 'assumed-time' as const;
  const unknown = (unit: string): Fact => ({ ...nothing, unit, basis });
  if (speed === null || speed.values.some((one) => Number.isNaN(one))) {
    const [topSpeed, standing] = [unknown('km/h'), unknown('ms')];
    return { topSpeed, standing, longestStop: standing, unbelted: standing };
  }
  const { values, stepMs, errorKmh } = speed;
  const belt = textsAt(driving, 'seatbelt.driver')?.values;
  let top = 0;
  for (const one of values) top = Math.max(top, Math.abs(one));
  /** A fact of what is below a limit: the same with the limit lower and higher by the error. */
  const withBounds = (unit: string, valueBelow: (limitKmh: number) => number): Fact => {
    const [value, one, other] = [movingKmh, movingKmh - errorKmh, movingKmh + errorKmh].map(valueBelow);
    return {
      value: value ?? 0,
      low: Math.min(one ?? 0, other ?? 0),
      high: Math.max(one ?? 0, other ?? 0),
      unit,
      basis,
    };
  };
  const count = (isIn: (index: number) => boolean) => {
    let found = 0;
    for (let index = 0; index < values.length; index += 1) if (isIn(index)) found += 1;
    return found * stepMs;
  };
  const isMoving = (limitKmh: number) => (index: number) => Math.abs(values[index] ?? 0) >= limitKmh;
  return {
    topSpeed: {
      value: round(top),
      low: round(Math.max(0, top - errorKmh)),
      high: round(top + errorKmh),
      unit: 'km/h',
      basis,
    },
    standing: withBounds('ms', (limit) => {
      const moves = isMoving(limit);
      return count((index) => !moves(index));
    }),
    longestStop: withBounds('ms', (limit) => {
      const stretches = runsOf(values.length, isMoving(limit));
      // Between two of them the vehicle stands.
      const stops = stretches.slice(1).map(([from], index) => from - (stretches[index]?.[1] ?? from));
      return Math.max(0, ...stops) * stepMs;
    }),
    unbelted:
      belt?.length === values.length && !belt.includes(null)
        ? withBounds('ms', (limit) => {
            const moves = isMoving(limit);
            return count((index) => moves(index) && belt[index] === 'unbelted');
          })
        : unknown('ms'),
  };
}

/** The difference of two readings has digits that neither has. */
function round(value: number): number {
  return Number(value.toFixed(3));
}
