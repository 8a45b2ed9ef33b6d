import { createHash } from 'node:crypto';
import type { DrivingTrip } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { dayInZone } from '../src/fleet/calendar.js';
import { fleetVehicles, wholeFleet } from './every-vehicle.js';

const dayMs = 86_400_000;
const basic = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');

interface OneTrip {
  readonly startMs: number;
  readonly endMs: number;
  readonly kilometers: number;
}

/** Every trip of a vehicle in some weeks, as the API gives them. */
async function tripsOf(vin: string, fromMs: number, weeks: number): Promise<readonly OneTrip[]> {
  const { get } = await wholeFleet('2027-01-10T00:00:00Z');
  const trips: OneTrip[] = [];
  for (let week = 0; week < weeks; week++) {
    const first = fromMs + week * 7 * dayMs;
    const { json } = await get(vin, `driving/data?startDate=${basic(first)}&endDate=${basic(first + 6 * dayMs)}`);
    for (const { triggerStartTime, tripLength, odometer } of json.data.trips as DrivingTrip[]) {
      const startMs = Date.parse(triggerStartTime);
      const [from = 0, to = 0] = [odometer?.value?.[0], odometer?.value?.at(-1)];
      trips.push({ startMs, endMs: startMs + tripLength, kilometers: to - from });
    }
  }
  return trips;
}

describe('the fleet', () => {
  it('has at least 12 vehicles of three brands, all six types and several home zones', () => {
    expect(fleetVehicles.length).toBeGreaterThanOrEqual(12);
    expect(new Set(fleetVehicles.map(({ brand }) => brand)).size).toBe(3);
    expect(new Set(fleetVehicles.map(({ type }) => type))).toEqual(new Set(['GN', 'EV', 'HV', 'PE', 'FV', 'UNKNOWN']));
    expect(new Set(fleetVehicles.map(({ zone }) => zone)).size).toBeGreaterThanOrEqual(5);
    expect(new Set(fleetVehicles.map(({ vin }) => vin)).size).toBe(fleetVehicles.length);
  });

  it('drives in the week that the samples of the docs ask for, every listed vehicle of it', async () => {
    const { vins, get } = await wholeFleet('2026-06-30T00:00:00Z');
    for (const vin of vins) {
      const { json } = await get(vin, 'driving/data?startDate=20260302&endDate=20260308');
      expect(json.data.trips.length, vin).toBeGreaterThan(0);
    }
  });

  it('lives a year as people do: commutes, errands, weekends, long journeys, trips past midnight and days without trips', async () => {
    const { vin, zone } = fleetVehicles[0] ?? { vin: '', zone: 'UTC' };
    const trips = await tripsOf(vin, Date.UTC(2025, 11, 29), 52);
    const days = new Set(trips.map(({ startMs }) => dayInZone(startMs, zone)));
    const isWeekend = (startMs: number) => (dayInZone(startMs, zone) + 3) % 7 >= 5;
    expect(days.size).toBeGreaterThan(200);
    expect(days.size).toBeLessThan(350);
    expect(trips.filter(({ startMs }) => isWeekend(startMs)).length).toBeGreaterThan(100);
    expect(trips.filter(({ startMs }) => !isWeekend(startMs)).length).toBeGreaterThan(400);
    expect(trips.filter(({ kilometers }) => kilometers > 80).length).toBeGreaterThan(2);
    expect(trips.filter(({ kilometers }) => kilometers < 0.9).length).toBeGreaterThan(5);
    expect(trips.filter(({ kilometers }) => kilometers === 0).length).toBeGreaterThan(2);
    expect(trips.filter(({ startMs, endMs }) => dayInZone(startMs, zone) !== dayInZone(endMs, zone))).not.toEqual([]);
    expect(trips.filter(({ startMs }, i) => startMs < (trips[i - 1]?.endMs ?? 0))).toEqual([]);
  });
});

async function fingerprints(vins: readonly string[], seed: number): Promise<readonly string[]> {
  const { get } = await wholeFleet('2026-07-01T00:00:00Z', { seed });
  const hashes = new Map<string, string>();
  for (const vin of vins) {
    const range = 'startDate=20260323&endDate=20260330';
    const responses = [
      await get(vin, `powertrains/data?${range}`),
      await get(vin, `driving/data?${range}`),
      await get(vin, 'locations'),
    ];
    const text = JSON.stringify(responses.map(({ json }) => json.data));
    hashes.set(vin, createHash('sha256').update(text).digest('hex'));
  }
  return [...hashes].sort().map(([, hash]) => hash);
}

describe('every trip is a pure function of seed, VIN and day', () => {
  // One vehicle of each type.
  const vins = [...new Map(fleetVehicles.map(({ type, vin }) => [type, vin])).values()];

  it('so the order of requests makes no difference', async () => {
    expect(await fingerprints(vins.toReversed(), 1)).toEqual(await fingerprints(vins, 1));
  });

  it('so another seed gives another history', async () => {
    const [one, two] = await Promise.all([fingerprints(vins, 1), fingerprints(vins, 2)]);
    expect(one.filter((hash) => two.includes(hash))).toEqual([]);
  });
});
