// Facts and moments beside what the cars of the sandbox really did. `pnpm truth` does the same for 1,000 trips and prints the table.
import { moments, thresholds, tripFacts } from '@vehicle-data/client/facts';
import { describe, expect, test } from 'vitest';
import {
  at,
  compareMoments,
  dirtySamples,
  type MomentCounts,
  madeDirty,
  madeOfNothing,
  measure,
  type ReadSides,
  readAll,
  type TrueTrip,
  trueTrips,
} from './trip-truth.js';

const trips = trueTrips(100);
/** Thresholds that the drivers of the sandbox reach more often. */
const gentle = { ...thresholds, turnG: 0.2, brakingG: 0.3, accelerationG: 0.3, dipShare: 0.03, coldRpm: 2200 };

test('the bounds of at least 99 % of the facts hold, and are as narrow as the errors ask for', () => {
  for (const [name, { unknown, inside, errors, widths }] of measure(trips).facts) {
    // A vehicle with fewer than three trips has no usual step.
    expect({ name, isKnown: unknown < 5, share: inside / errors.length >= 0.99 }).toEqual({
      name,
      isKnown: true,
      share: true,
    });
    const [worst, usual] = [errors, widths].map((all) =>
      at(
        all.toSorted((one, other) => one - other),
        name === 'distance' ? 0.99 : 0.9,
      ),
    );
    const most = { distance: 0.1, averageSpeed: 1, topSpeed: 0.5, standing: 5000, longestStop: 1500, unbelted: 1500 }[
      name
    ];
    expect({ name, isNarrow: Number(usual) <= most + 1e-9, isRight: Number(worst) <= most }).toEqual({
      name,
      isNarrow: true,
      isRight: true,
    });
  }
});

test('at least 98 % of the moments are real, and 98 % of the real ones are found', () => {
  const { found } = measure(trips, gentle);
  const kinds = ['hard-braking', 'sharp-turn', 'unbelted', 'cold-engine', 'voltage-dip'];
  expect([...found.keys()]).toEqual(expect.arrayContaining(kinds));
  for (const [kind, { real, recalled, found: all, right }] of found) {
    // A kind with few events has no share to speak of: each of them must be right.
    expect({ kind, recall: recalled >= Math.floor(0.98 * real), precision: right >= Math.floor(0.98 * all) }).toEqual({
      kind,
      recall: true,
      precision: true,
    });
    expect(real + all).toBeGreaterThan(0);
  }
});

/** A trip with samples replaced: of each signal those from one index up to another. */
function altered(
  trip: TrueTrip,
  path: readonly [string, string],
  from: number,
  to: number,
  value: unknown,
): TrueTrip['sent'] {
  const driving = structuredClone(trip.sent.driving);
  const samples: unknown = Reflect.get(Object(Reflect.get(driving, path[0])), path[1]);
  if (Array.isArray(samples)) samples.fill(value, from, to);
  return { ...trip.sent, driving };
}

test('gear and ignition that contradict motion and stretches without data are found, and there are none in clean trips', () => {
  const table = new Map<string, MomentCounts>();
  const long = trips.filter(({ trip }) => trip.samples > 300);
  const clean = readAll(long.map(({ sent }) => sent)).flatMap(({ driving, powertrain }) =>
    moments(driving, powertrain),
  );
  expect(clean.filter(({ kind }) => kind === 'contradiction' || kind === 'no-data')).toEqual([]);
  for (const [index, one] of long.entries()) {
    const from = one.trip.speed.findIndex(
      (speed, at) => at > 60 && one.trip.speed.slice(at, at + 8).every((v) => v > 3) && speed > 3,
    );
    if (from < 0) continue;
    const changes = [
      [['transmission', 'gear'], 'p', 'contradiction'],
      [['transmission', 'gear'], 'r', 'contradiction'],
      [['ignition', 'status'], 'off', 'contradiction'],
      [['odometer', 'value'], null, 'no-data'],
    ] as const;
    const [path, value, kind] = changes[index % changes.length] ?? changes[0];
    const [read] = readAll([altered(one, path, from, from + 8, value), ...long.slice(0, 3).map(({ sent }) => sent)]);
    const found = read ? moments(read.driving, read.powertrain).filter((moment) => moment.kind === kind) : [];
    compareMoments(table, [{ kind, from, to: from + 8 }], [{ kind, from, to: from + 8 }], found);
  }
  for (const { real, recalled, found, right } of table.values()) {
    expect(real).toBeGreaterThan(10);
    expect([recalled, right]).toEqual([real, found]);
  }
});

describe('of dirty trips,', () => {
  test.each(dirtySamples)('with %s, no moment is made of missing samples, and facts are right or unknown', (kind) => {
    const [vehicle] = trips.filter(({ vehicle }) => vehicle.type === 'HV').map((one) => one.vehicle.vin);
    const own = trips.filter((one) => one.vehicle.vin === vehicle);
    const read = readAll(madeDirty(kind, own));
    expect(read.length).toBeGreaterThan(3);
    for (const [index, { driving, powertrain }] of (read as ReadSides[]).entries()) {
      expect(madeOfNothing({ driving, powertrain }, moments(driving, powertrain, gentle))).toEqual([]);
      const { distance, topSpeed, standing } = tripFacts(driving, powertrain);
      const { meters, speed } = (own[index] as TrueTrip).trip;
      const km = ((meters.at(-1) ?? 0) - (meters[0] ?? 0)) / 1000;
      const top = Math.max(...speed.map(Math.abs)) * 3.6;
      const seconds = speed.filter((one) => Math.abs(one) * 3.6 < 2).length;
      for (const [fact, truth] of [
        [distance, km],
        [topSpeed, top],
        [standing, seconds * 1000],
      ] as const)
        if (fact.low !== null && fact.high !== null) {
          expect(truth).toBeGreaterThanOrEqual(fact.low - 0.002);
          expect(truth).toBeLessThanOrEqual(fact.high + 0.002);
        }
    }
  });
});
