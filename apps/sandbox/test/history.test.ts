import { expect, it } from 'vitest';
import { basicDate, dayInZone } from '../src/fleet/calendar.js';
import { fleetVehicles, wholeFleet } from './calls.js';

const dayMs = 86_400_000;
const sampleWeek = 'startDate=20260302&endDate=20260308';

it('the fleet drives in the week that the samples of the docs send for, every listed vehicle of it', async () => {
  const { vins, get } = await wholeFleet('2026-06-30T00:00:00Z');
  for (const vin of vins) {
    const { json } = await get(vin, `driving/data?${sampleWeek}`);
    expect(json.data.trips.length, vin).toBeGreaterThan(0);
  }
});

it('a vehicle lives a year as people do: commutes, errands, weekends, long journeys, trips past midnight and days without trips', async () => {
  const { vin, zone } = fleetVehicles[0] ?? { vin: '', zone: 'UTC' };
  const { get } = await wholeFleet('2027-01-10T00:00:00Z');
  const trips: { startMs: number; endMs: number; kilometers: number }[] = [];
  for (let week = 0; week < 52; week++) {
    const ms = Date.UTC(2025, 11, 29) + week * 7 * dayMs;
    const range = `startDate=${basicDate(ms)}&endDate=${basicDate(ms + 6 * dayMs)}`;
    for (const trip of (await get(vin, `driving/data?${range}`)).json.data.trips) {
      const startMs = Date.parse(trip.triggerStartTime);
      const [from = 0, to = 0] = [trip.odometer?.value?.[0], trip.odometer?.value?.at(-1)];
      trips.push({ startMs, endMs: startMs + trip.tripLength, kilometers: to - from });
    }
  }
  const count = (is: (trip: (typeof trips)[number], index: number) => boolean) => trips.filter(is).length;
  const isWeekend = ({ startMs }: (typeof trips)[number]) => (dayInZone(startMs, zone) + 3) % 7 >= 5;
  const days = new Set(trips.map(({ startMs }) => dayInZone(startMs, zone)));
  expect(days.size).toBeGreaterThan(200);
  expect(days.size).toBeLessThan(350);
  expect(count(isWeekend)).toBeGreaterThan(100);
  expect(count((trip) => !isWeekend(trip))).toBeGreaterThan(400);
  expect(count(({ kilometers }) => kilometers > 80)).toBeGreaterThan(2);
  expect(count(({ kilometers }) => kilometers < 0.9)).toBeGreaterThan(5);
  expect(count(({ kilometers }) => kilometers === 0)).toBeGreaterThan(2);
  expect(count(({ startMs, endMs }) => dayInZone(startMs, zone) !== dayInZone(endMs, zone))).toBeGreaterThan(0);
  expect(count(({ startMs }, index) => startMs < (trips[index - 1]?.endMs ?? 0))).toBe(0);
});

it('harsh braking is rare, and no value of braking stands out in a histogram', async () => {
  const { vins, get } = await wholeFleet('2026-06-30T00:00:00Z');
  let harsh = 0;
  for (const vin of vins) {
    const shares = new Map<number, number>();
    let braking = 0;
    for (const range of [sampleWeek, 'startDate=20260309&endDate=20260315']) {
      for (const trip of (await get(vin, `driving/data?${range}`)).json.data.trips) {
        const values: readonly number[] = trip.acceleration?.longitudinal ?? [];
        harsh += values.filter((value, index) => value < -0.4 && !((values[index - 1] ?? 0) < -0.4)).length;
        for (const value of values.filter((each) => each < -0.05)) {
          braking++;
          shares.set(value, (shares.get(value) ?? 0) + 1);
        }
      }
    }
    expect(braking, vin).toBeGreaterThan(200);
    expect(Math.max(...shares.values()) / braking, vin).toBeLessThan(0.05);
  }
  expect(harsh).toBeGreaterThan(3);
  expect(harsh).toBeLessThan(20 * vins.length);
});

it('every trip is a pure function of seed, VIN and day, in whatever order it is sent for', async () => {
  // One vehicle of each type.
  const vins = [...new Map(fleetVehicles.map(({ type, vin }) => [type, vin])).values()];
  const fingerprints = async (order: readonly string[], seed: number) => {
    const { get } = await wholeFleet('2026-07-01T00:00:00Z', { seed });
    const range = 'startDate=20260323&endDate=20260330';
    const texts: string[] = [];
    for (const vin of order) {
      for (const path of [`powertrains/data?${range}`, `driving/data?${range}`, 'locations']) {
        texts.push(JSON.stringify((await get(vin, path)).json.data));
      }
    }
    return texts.sort();
  };
  const forwards = await fingerprints(vins, 1);
  expect((await fingerprints(vins.toReversed(), 1)).every((text, index) => text === forwards[index])).toBe(true);
  expect((await fingerprints(vins, 2)).some((text) => forwards.includes(text))).toBe(false);
});
