import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { weekdayOf } from '../src/fleet/calendar.js';
import { Car } from '../src/fleet/car.js';
import { firstDrivingDay, lastDrivingDay } from '../src/fleet/day-plan.js';
import { emptyDrive } from '../src/fleet/drive.js';
import { offsetMinutesAtNoon } from '../src/fleet/home-zones.js';
import { fleetVehicles } from '../src/fleet/vehicles.js';
import { wholeFleet } from './every-vehicle.js';
import { brands } from './serve-sandbox.js';

const cars = fleetVehicles.map((vehicle) => new Car(1, vehicle, emptyDrive()));
const january2026 = 20_454;

describe('the fleet', () => {
  it('has at least 12 vehicles of three brands, all six types and several home zones', () => {
    expect(fleetVehicles.length).toBeGreaterThanOrEqual(12);
    expect(new Set(fleetVehicles.map(({ brandPosition }) => brandPosition)).size).toBe(3);
    expect(new Set(fleetVehicles.map(({ type }) => type))).toEqual(new Set(['GN', 'EV', 'HV', 'PE', 'FV', 'UNKNOWN']));
    expect(new Set(fleetVehicles.map(({ zone }) => zone)).size).toBeGreaterThanOrEqual(5);
    expect(new Set(fleetVehicles.map(({ vin }) => vin)).size).toBe(fleetVehicles.length);
  });

  it('lives a year as people do: commutes, errands, weekends, long journeys, trips past midnight and days without trips', () => {
    const year = { still: 0, weekdayTrips: 0, weekendTrips: 0, longJourneys: 0, pastMidnight: 0 };
    for (const car of cars) {
      for (let day = january2026; day < january2026 + 365; day++) {
        const { trips } = car.driveDay(day);
        if (trips.length === 0) year.still++;
        if (weekdayOf(day) < 5) year.weekdayTrips += trips.length;
        else year.weekendTrips += trips.length;
        const metres = trips.reduce((sum, { route }) => sum + route.metres, 0);
        if (metres > 250_000 && car.vehicle.habit !== 'traveller') year.longJourneys++;
        const midnightMs = (day + 1) * 86_400_000 - offsetMinutesAtNoon(car.vehicle.zone, day) * 60_000;
        if (trips.some(({ startMs, samples }) => startMs + samples * 1000 > midnightMs)) year.pastMidnight++;
      }
    }
    expect(year.still).toBeGreaterThan(700);
    expect(year.weekdayTrips).toBeGreaterThan(3 * year.weekendTrips);
    expect(year.weekendTrips).toBeGreaterThan(1000);
    expect(year.longJourneys).toBeGreaterThan(50);
    expect(year.pastMidnight).toBeGreaterThan(10);
  });

  it('never drives two trips at once, starts each on its own day, and ends each where the next one starts', () => {
    for (const car of cars) {
      let endMs = 0;
      let at = car.places[0];
      for (let day = january2026; day < january2026 + 120; day++) {
        const offsetMs = offsetMinutesAtNoon(car.vehicle.zone, day) * 60_000;
        for (const trip of car.driveDay(day).trips) {
          expect(trip.startMs).toBeGreaterThan(endMs);
          expect(Math.floor((trip.startMs + offsetMs) / 86_400_000)).toBe(day);
          expect(trip.from).toBe(at);
          endMs = trip.startMs + trip.samples * 1000;
          at = trip.to;
        }
      }
    }
  });

  it('has an odometer that counts every trip since the first day, within the range of the contract until the last', () => {
    for (const car of cars) {
      const { trips } = car.driveDay(january2026 + 5);
      const driven = trips.reduce((sum, { drive }) => sum + (drive.metres[drive.count - 1] as number), 0);
      expect(car.metresBefore(january2026 + 6) - car.metresBefore(january2026 + 5)).toBeCloseTo(driven, 6);
      expect(car.metresBefore(firstDrivingDay)).toBeGreaterThan(0);
      expect(car.metresBefore(lastDrivingDay + 1)).toBeLessThan(1_677_721_400);
    }
  });
});

const otherNode = '/usr/bin/node';
const otherNodeIsHere = existsSync(otherNode);
if (!otherNodeIsHere) console.log(`no Node at ${otherNode}: the history is not compared between two engines`);

/** A program that prints the hash of two weeks of the demo owner's first vehicles, from the built package. */
const weeksHash = `
import { createHash } from 'node:crypto';
import { createSandbox } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url))};
const sandbox = createSandbox({ now: new Date('2026-06-30T00:00:00Z'), frozen: true });
const hash = createHash('sha256');
const headers = { Brand: ${JSON.stringify(brands[0])}, Authorization: 'Bearer demo-access-token' };
for (const vin of ['SANDB0XA000000001', 'SANDB0XA000000002', 'SANDB0XA000000003']) {
  for (const first of ['09', '24']) {
    for (const what of ['driving', 'powertrains']) {
      const range = 'startDate=202603' + first + '&endDate=202603' + String(Number(first) + 7).padStart(2, '0');
      const answer = await sandbox.fetch(new Request('http://sandbox/v1/vehicles/' + vin + '/' + what + '/data?' + range, { headers }));
      hash.update(JSON.stringify((await answer.json()).data.trips));
    }
  }
}
console.log(hash.digest('hex'));
`;

async function fingerprint(vins: readonly string[], seed: number): Promise<readonly string[]> {
  const { get } = await wholeFleet('2026-07-01T00:00:00Z', seed);
  const hashes = new Map<string, string>();
  for (const vin of vins) {
    const range = 'startDate=20260323&endDate=20260330';
    const answers = [
      await get(vin, `powertrains/data?${range}`),
      await get(vin, `driving/data?${range}`),
      await get(vin, 'locations'),
    ];
    const text = JSON.stringify(answers.map(({ json }) => json.data));
    hashes.set(vin, createHash('sha256').update(text).digest('hex').slice(0, 16));
  }
  return [...hashes].sort().map(([, hash]) => hash);
}

describe('every trip is a pure function of seed, VIN and day', () => {
  // The first vehicle of each type.
  const vins = [...new Map(fleetVehicles.toReversed().map(({ type, vin }) => [type, vin])).values()];

  it('so the order of requests makes no difference', async () => {
    expect(await fingerprint(vins.toReversed(), 1)).toEqual(await fingerprint(vins, 1));
  });

  it('so another seed gives another history', async () => {
    const [one, two] = await Promise.all([fingerprint(vins, 1), fingerprint(vins, 2)]);
    expect(one.filter((hash) => two.includes(hash))).toEqual([]);
  });

  it.skipIf(!otherNodeIsHere)('so another version of the engine gives the same bytes', () => {
    const hash = (node: string) => execFileSync(node, ['--input-type=module', '-e', weeksHash], { encoding: 'utf8' });
    expect(hash(otherNode)).toBe(hash(process.execPath));
  });

  it('so this week reads the same on every machine', async () => {
    expect(await fingerprint(vins, 1)).toMatchSnapshot();
  });
});
