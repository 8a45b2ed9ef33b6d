// What the sandbox's cars really did, and how well facts and moments of the kit say so. `bench/trip-truth.ts` prints it for 1,000 trips.
import {
  type Fact,
  type Moment,
  type MomentKind,
  moments,
  type TripFacts,
  thresholds,
  tripFacts,
} from '@vehicle-data/client/facts';
import { type TripColumns, type TripOf, toColumns, usualStep } from '@vehicle-data/client/series';
import { operations } from '@vehicle-data/openapi';
import { type DirtyKind, dirtyKinds } from '../dist/dirty-data.js';
import { createCar } from '../dist/fleet/car.js';
import { firstDrivingDay } from '../dist/fleet/day-plan.js';
import type { Trip } from '../dist/fleet/trips.js';
import { createFleet, type FleetVehicle } from '../dist/fleet/vehicles.js';
import { responses, type Schema } from '../dist/generated/responses.js';

const gravity = 9.80665;
const seed = 1;

type FactName = 'distance' | 'averageSpeed' | 'topSpeed' | 'standing' | 'longestStop' | 'unbelted';

/** A trip as sent and as it was: the truth knows no noise, no rounding and no missing sample. */
export interface TrueTrip {
  readonly vehicle: FleetVehicle;
  readonly trip: Trip;
  readonly sent: { readonly driving: TripOf<'driving'>; readonly powertrain: TripOf<'powertrain'> };
  readonly clean: TrueTrip['sent'];
}

/** The first trips of the fleet from a day on, of each vehicle in turn. */
export function trueTrips(
  count: number,
  vehicles: Iterable<FleetVehicle> = createFleet(seed, operations.listVehicles.parameters[0].rule.enum),
): TrueTrip[] {
  const cars = [...vehicles].map((vehicle) => ({
    vehicle,
    noisy: createCar(seed, vehicle, true),
    clean: createCar(seed, vehicle, false),
  }));
  const found: TrueTrip[] = [];
  // From 1 January 2026 on.
  for (let day = firstDrivingDay + 3653; found.length < count; day++)
    for (const { vehicle, noisy, clean } of cars) {
      const trips = noisy.trips(day);
      const [driving, powertrain] = [noisy.driving(day), noisy.powertrain(day)];
      const [cleanDriving, cleanPowertrain] = [clean.driving(day), clean.powertrain(day)];
      for (const [index, trip] of trips.entries())
        found.push({
          vehicle,
          trip,
          sent: { driving: driving[index], powertrain: powertrain[index] } as TrueTrip['sent'],
          clean: { driving: cleanDriving[index], powertrain: cleanPowertrain[index] } as TrueTrip['sent'],
        });
    }
  return found.slice(0, count);
}

const kmh = (trip: Trip) => trip.speed.map((one) => one * 3.6);
const seconds = (trip: Trip, isIn: (index: number) => boolean) => trip.speed.filter((_, index) => isIn(index)).length;

/** What the facts should be, from the speed and the way that the car really drove. */
function trueFacts({ trip, clean }: TrueTrip): Record<FactName, number> {
  const speeds = kmh(trip).map(Math.abs);
  const km = ((trip.meters.at(-1) ?? 0) - (trip.meters[0] ?? 0)) / 1000;
  const belt = clean.driving.seatbelt?.driver ?? [];
  let [longest, stop, hasMoved] = [0, 0, false];
  for (const speed of speeds) {
    if (speed < 2) stop += 1;
    else {
      if (hasMoved) longest = Math.max(longest, stop);
      [stop, hasMoved] = [0, true];
    }
  }
  return {
    distance: km,
    averageSpeed: km / (trip.samples / 3600),
    topSpeed: Math.max(0, ...speeds),
    standing: seconds(trip, (index) => (speeds[index] ?? 0) < 2) * 1000,
    longestStop: longest * 1000,
    unbelted: seconds(trip, (index) => (speeds[index] ?? 0) >= 2 && belt[index] === 'unbelted') * 1000,
  };
}

export interface Run {
  readonly kind: MomentKind;
  readonly from: number;
  readonly to: number;
}

function runs(kind: MomentKind, n: number, isIn: (index: number) => boolean): Run[] {
  const found: { kind: MomentKind; from: number; to: number }[] = [];
  for (let index = 0; index < n; index++) {
    if (!isIn(index)) continue;
    const last = found.at(-1);
    if (last?.to === index) last.to = index + 1;
    else found.push({ kind, from: index, to: index + 1 });
  }
  return found;
}

type Limits = { readonly [Name in keyof typeof thresholds]: number };

/**
 * What the sensors cannot tell apart: three times their noise. A real event so near a threshold is neither an error if it is found
 * nor if it is not.
 */
const noise = { brakingG: 0.025, accelerationG: 0.025, turnG: 0.025, unbeltedKmh: 0.5, coldRpm: 16, dipShare: 0.004 };

/** Thresholds that the noise makes harder to reach (1) or easier (-1). */
export function withNoise(limits: Limits, sign: 1 | -1): Limits {
  const moved = Object.entries(noise).map(([name, by]) => [name, limits[name as keyof typeof noise] + sign * by]);
  return { ...limits, ...Object.fromEntries(moved) };
}

/** The moments that a car really had, by its own speed, course, oil and voltage. */
export function trueMoments({ trip, clean }: TrueTrip, limits: Limits): Run[] {
  const { samples, speed, heading } = trip;
  const g = (index: number) => ((speed[index] ?? 0) - (speed[index - 1] ?? 0)) / gravity;
  const turn = (index: number) =>
    index === 0
      ? 0
      : (Math.abs(speed[index] ?? 0) * Math.abs((heading[index] ?? 0) - (heading[index - 1] ?? 0))) / gravity;
  const belt = clean.driving.seatbelt?.driver ?? [];
  const { engine, batteries } = clean.powertrain;
  const [rpm, oil, volts] = [engine?.rpm ?? [], engine?.oilTemperature ?? [], batteries?.hv?.voltage ?? []];
  const before = (index: number) => Math.max(...volts.slice(Math.max(0, index - 30), index + 1));
  return [
    ...runs('hard-braking', samples, (index) => g(index) <= -limits.brakingG),
    ...runs('hard-acceleration', samples, (index) => g(index) >= limits.accelerationG),
    ...runs('sharp-turn', samples, (index) => turn(index) >= limits.turnG),
    ...runs('unbelted', samples, (index) => belt[index] === 'unbelted').filter(
      ({ from, to }) => Math.max(...speed.slice(from, to).map(Math.abs)) * 3.6 >= limits.unbeltedKmh,
    ),
    ...runs(
      'cold-engine',
      rpm.length,
      (index) => (rpm[index] ?? 0) >= limits.coldRpm && (oil[index] ?? 0) < limits.coldOilCelsius,
    ),
    ...runs('voltage-dip', volts.length, (index) => (volts[index] ?? 0) <= before(index) * (1 - limits.dipShare)),
  ];
}

export interface ReadSides {
  readonly driving: TripColumns<'driving'>;
  readonly powertrain: TripColumns<'powertrain'>;
}

/** Both sides of trips of one vehicle as columns. */
export function readAll(sent: readonly TrueTrip['sent'][]): ReadSides[] {
  const driving = usualStep(
    'driving',
    sent.map((one) => one.driving),
  );
  const powertrain = usualStep(
    'powertrain',
    sent.map((one) => one.powertrain),
  );
  return sent.map((one) => ({
    driving: toColumns('driving', one.driving, { usualStepMs: driving }),
    powertrain: toColumns('powertrain', one.powertrain, { usualStepMs: powertrain }),
  }));
}

/** Counts of moments: those that are true, those that were found, and those of each that the other has as well. */
export interface MomentCounts {
  real: number;
  recalled: number;
  found: number;
  right: number;
}

/** @param sure events that are beyond the thresholds for certain, @param possible those that may be */
export function compareMoments(
  table: Map<string, MomentCounts>,
  sure: readonly Run[],
  possible: readonly Run[],
  found: readonly Run[],
): void {
  const overlaps = (one: Run) => (other: Run) => one.kind === other.kind && one.from < other.to && other.from < one.to;
  const of = (kind: string) => {
    const counts = table.get(kind) ?? { real: 0, recalled: 0, found: 0, right: 0 };
    table.set(kind, counts);
    return counts;
  };
  for (const one of sure) {
    of(one.kind).real += 1;
    if (found.some(overlaps(one))) of(one.kind).recalled += 1;
  }
  for (const one of found) {
    of(one.kind).found += 1;
    if (possible.some(overlaps(one))) of(one.kind).right += 1;
  }
}

/** How far facts were off, and how wide their bounds are. */
export interface FactErrors {
  unknown: number;
  inside: number;
  /** Of each trip: distance from the truth, half of the bounds. */
  readonly errors: number[];
  readonly widths: number[];
}

export const factNames: readonly FactName[] = [
  'distance',
  'averageSpeed',
  'topSpeed',
  'standing',
  'longestStop',
  'unbelted',
];

export function compareFacts(table: Map<FactName, FactErrors>, real: TrueTrip, facts: TripFacts): void {
  const truth = trueFacts(real);
  for (const name of factNames) {
    const { value, low, high }: Fact = facts[name];
    const row = table.get(name) ?? { unknown: 0, inside: 0, errors: [], widths: [] };
    table.set(name, row);
    if (value === null || low === null || high === null) {
      row.unknown += 1;
      continue;
    }
    // A thousandth is the last digit of a fact.
    if (truth[name] >= low - 0.0015 && truth[name] <= high + 0.0015) row.inside += 1;
    row.errors.push(Math.abs(value - truth[name]));
    row.widths.push((high - low) / 2);
  }
}

/** Facts and moments of trips beside what was true. */
export function measure(all: readonly TrueTrip[], limits: Limits = thresholds) {
  const facts = new Map<FactName, FactErrors>();
  const found = new Map<string, MomentCounts>();
  for (const vehicle of new Set(all.map((one) => one.vehicle.vin))) {
    const own = all.filter((one) => one.vehicle.vin === vehicle);
    const read = readAll(own.map(({ sent }) => sent));
    for (const [index, one] of own.entries()) {
      const { driving, powertrain } = read[index] as ReadSides;
      compareFacts(facts, one, tripFacts(driving, powertrain));
      const [sure, possible] = [trueMoments(one, withNoise(limits, 1)), trueMoments(one, withNoise(limits, -1))];
      compareMoments(found, sure, possible, moments(driving, powertrain, limits));
    }
  }
  return { facts, found };
}

/** Moments that were made of a sample without a value. */
export function madeOfNothing({ driving, powertrain }: ReadSides, found: readonly Moment[]): Moment[] {
  return found.filter(({ kind, series, from, to, signals }) => {
    if (kind === 'no-data') return false;
    const columns: Readonly<Record<string, { readonly values: ArrayLike<unknown> } | undefined>> =
      series === 'driving' ? driving.columns : powertrain.columns;
    return signals.some((path) =>
      Array.from(columns[path]?.values ?? [])
        .slice(from, to)
        .some((value) => value === null || Number.isNaN(value)),
    );
  });
}

export const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** What each kind of dirty data of the sandbox does to trips, as far as it concerns their samples. */
export const dirtySamples = [
  'null-samples',
  'out-of-range',
  'below-range',
  'null-members',
  'missing-group',
  'unequal-lengths',
  'missing-minute',
  'slow-sampling',
] as const satisfies readonly DirtyKind[];

const operationOf = { driving: operations.getDrivingData, powertrain: operations.getPowertrainData };

/** Trips as a service with dirty data sends them. */
export function madeDirty(kind: DirtyKind, all: readonly TrueTrip[]): TrueTrip['sent'][] {
  const sides = (['driving', 'powertrain'] as const).map((series) => {
    const { operationId, series: spec } = operationOf[series];
    const data = { trips: all.map(({ sent }) => sent[series]) };
    const schema = responses[operationId]?.data as Schema;
    return (dirtyKinds[kind](data, schema, spec, Date.UTC(2030, 0)) as typeof data).trips;
  });
  return all.map((_, index) => ({ driving: sides[0]?.[index], powertrain: sides[1]?.[index] }) as TrueTrip['sent']);
}

/** What facts and moments say of dirty trips: how many facts are known and right, and how many moments are made of missing samples. */
export function measureDirty(kind: DirtyKind, all: readonly TrueTrip[], limits: Limits) {
  const counts = { trips: 0, facts: 0, known: 0, right: 0, moments: 0, ofNothing: 0 };
  for (const vehicle of new Set(all.map((one) => one.vehicle.vin))) {
    const own = all.filter((one) => one.vehicle.vin === vehicle);
    for (const [index, sides] of readAll(madeDirty(kind, own)).entries()) {
      const facts = new Map<FactName, FactErrors>();
      compareFacts(facts, own[index] as TrueTrip, tripFacts(sides.driving, sides.powertrain));
      const found = moments(sides.driving, sides.powertrain, limits);
      counts.trips += 1;
      for (const { unknown, inside } of facts.values()) {
        counts.facts += 1;
        counts.known += 1 - unknown;
        counts.right += inside;
      }
      counts.moments += found.filter((moment) => moment.kind !== 'no-data').length;
      counts.ofNothing += madeOfNothing(sides, found).length;
    }
  }
  return counts;
}
