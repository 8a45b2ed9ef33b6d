import { describe, expect, it } from 'vitest';
import { basicDate, dayInZone } from '../src/fleet/calendar.js';
import { fleetVehicles, wholeFleet } from './calls.js';

const dayMs = 86_400_000;

/** Every trip of a vehicle in some weeks, as the API gives them. */
async function tripsOf(vin: string, fromMs: number, weeks: number) {
  const { get } = await wholeFleet('2027-01-10T00:00:00Z');
  const trips = [];
  for (let ms = fromMs; ms < fromMs + weeks * 7 * dayMs; ms += 7 * dayMs) {
    const range = `startDate=${basicDate(ms)}&endDate=${basicDate(ms + 6 * dayMs)}`;
    for (const trip of (await get(vin, `driving/data?${range}`)).json.data.trips) {
      const startMs = Date.parse(trip.triggerStartTime);
      const [from = 0, to = 0] = [trip.odometer?.value?.[0], trip.odometer?.value?.at(-1)];
      trips.push({ startMs, endMs: startMs + trip.tripLength, kilometers: to - from });
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

  it('drives in the week that the samples of the docs send for, every listed vehicle of it', async () => {
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

describe('drives have life', () => {
  it('harsh braking is rare, and no value of braking stands out in a histogram', async () => {
    const { vins, get } = await wholeFleet('2026-06-30T00:00:00Z');
    let harsh = 0;
    for (const vin of vins) {
      const shares = new Map<number, number>();
      let braking = 0;
      for (const range of ['startDate=20260302&endDate=20260308', 'startDate=20260309&endDate=20260315'])
        for (const trip of (await get(vin, `driving/data?${range}`)).json.data.trips) {
          const values: readonly number[] = trip.acceleration?.longitudinal ?? [];
          harsh += values.filter((value, index) => value < -0.4 && !((values[index - 1] ?? 0) < -0.4)).length;
          for (const value of values.filter((each) => each < -0.05)) {
            braking++;
            shares.set(value, (shares.get(value) ?? 0) + 1);
          }
        }
      expect(braking, vin).toBeGreaterThan(200);
      expect(Math.max(...shares.values()) / braking, vin).toBeLessThan(0.05);
    }
    expect(harsh).toBeGreaterThan(3);
    expect(harsh).toBeLessThan(20 * vins.length);
  });
});

async function fingerprints(vins: readonly string[], seed: number): Promise<readonly string[]> {
  const { get } = await wholeFleet('2026-07-01T00:00:00Z', { seed });
  const range = 'startDate=20260323&endDate=20260330';
  const texts: string[] = [];
  for (const vin of vins) {
    for (const path of [`powertrains/data?${range}`, `driving/data?${range}`, 'locations']) {
      texts.push(JSON.stringify((await get(vin, path)).json.data));
    }
  }
  return texts.sort();
}

describe('every trip is a pure function of seed, VIN and day', () => {
  // One vehicle of each type.
  const vins = [...new Map(fleetVehicles.map(({ type, vin }) => [type, vin])).values()];

  it('so the order of requests makes no difference', async () => {
    const [forwards, backwards] = [await fingerprints(vins, 1), await fingerprints(vins.toReversed(), 1)];
    expect(forwards.every((text, index) => text === backwards[index])).toBe(true);
  });

  it('so another seed gives another history', async () => {
    const [one, two] = await Promise.all([fingerprints(vins, 1), fingerprints(vins, 2)]);
    expect(one.some((text) => two.includes(text))).toBe(false);
  });
});
