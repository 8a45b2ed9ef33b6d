import type { DrivingTrip, LocationRecord } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../src/index.js';
import { ask, brands } from './ask.js';

const vin = 'SANDB0XA000000001';

/** A sandbox whose frozen clock is in the middle of a known trip, and that trip as it is published once it has ended. */
async function duringATrip() {
  const sandbox = createSandbox({ sensorNoise: false });
  sandbox.clock.freeze();
  sandbox.clock.set(Date.parse('2026-03-31T00:00:00Z'));
  const path = `/v1/vehicles/${vin}/driving/data?startDate=20260323&endDate=20260327`;
  const trips: readonly DrivingTrip[] = (await ask(sandbox, path)).json.data.trips;
  const trip = trips.find(({ tripLength }) => tripLength > 900_000);
  if (trip === undefined) throw new Error('a week without a trip of 15 minutes');
  const startMs = Date.parse(trip.triggerStartTime);
  return {
    sandbox,
    trip,
    startMs,
    path,
    at: (ms: number) => sandbox.clock.set(ms),
    location: async (): Promise<LocationRecord> => (await ask(sandbox, `/v1/vehicles/${vin}/locations`)).json.data,
    status: async () => (await ask(sandbox, `/v1/vehicles/${vin}/batteries`)).json.data,
  };
}

const metersBetween = (one: LocationRecord, two: LocationRecord) => {
  const north = ((two.location.latitude as number) - (one.location.latitude as number)) * 111_320;
  const east =
    ((two.location.longitude as number) - (one.location.longitude as number)) *
    111_320 *
    Math.cos((52.5 / 180) * Math.PI);
  return Math.hypot(north, east);
};

describe('location and current status', () => {
  it('agree with the trip that is running, second by second', async () => {
    const { trip, startMs, at, location, status } = await duringATrip();
    let sum = 0;
    const speeds = (trip.acceleration?.longitudinal ?? []).map((g) => {
      sum += g * 9.80665;
      return sum;
    });
    let before: LocationRecord | undefined;
    for (let second = 300; second < 420; second++) {
      at(startMs + second * 1000);
      const [here, now] = [await location(), await status()];
      expect(now.odometer).toEqual({ value: trip.odometer?.value?.[second], unit: 'km' });
      expect(now.ignition.status).toBe(trip.ignition?.status?.[second]);
      expect(now.transmission.parkingPosition).toBe(trip.transmission?.gear?.[second] === 'p');
      expect(now.timestamp).toBe(`${new Date(startMs + second * 1000).toISOString().slice(0, 19)}Z`);
      expect(here.timestamp).toBe(now.timestamp);
      const speed = speeds[second] as number;
      expect(Math.abs((here.location.speed?.value as number) - Math.abs(speed) * 3.6)).toBeLessThan(0.6);
      if (before)
        expect(Math.abs(metersBetween(before, here) - (speed + (speeds[second - 1] as number)) / 2)).toBeLessThan(6);
      before = here;
    }
  });

  it('head where the yaw rates of the trip lead, to the end of it', async () => {
    const { trip, startMs, at, location } = await duringATrip();
    const yaw = trip.angularVelocity?.yaw ?? [];
    at(startMs);
    const begin = (await location()).location.heading as number;
    let sum = 0;
    for (const [second, rate] of yaw.entries()) {
      sum += rate;
      if (second % 30 !== 0 && second < yaw.length - 1) continue;
      at(startMs + second * 1000);
      // Yaw is positive to the left, and a compass turns to the right.
      const error = ((await location()).location.heading as number) - (begin - sum);
      expect(Math.abs((((error % 360) + 540) % 360) - 180)).toBeLessThan(2);
    }
  });

  it('stay where and as the last trip ended, until the vehicle falls asleep after ten minutes', async () => {
    const { trip, startMs, at, location, status } = await duringATrip();
    const endMs = startMs + trip.tripLength;
    at(endMs);
    const [parked, atRest] = [await location(), await status()];
    expect(parked.location.speed?.value).toBe(0);
    expect([atRest.ignition.status, atRest.sleepMode, atRest.transmission.parkingPosition]).toEqual([
      'off',
      'off',
      true,
    ]);
    expect(atRest.odometer.value).toBe(trip.odometer?.value?.at(-1));
    at(endMs + 601_000);
    const asleep = await status();
    expect(asleep.sleepMode).toBe('on');
    expect(Date.parse(asleep.timestamp)).toBeLessThanOrEqual(endMs + 600_000);
    expect(await location()).toEqual(parked);
  });

  it('a running trip is not in the data of its day before it has ended', async () => {
    const { sandbox, trip, startMs, at, path } = await duringATrip();
    const listed = async () =>
      (await ask(sandbox, path)).json.data.trips.some(
        (one: DrivingTrip) => one.triggerStartTime === trip.triggerStartTime,
      );
    at(startMs + trip.tripLength - 1);
    expect(await listed()).toBe(false);
    at(startMs + trip.tripLength);
    expect(await listed()).toBe(true);
  });

  it('there is no data before the first trip of the history', async () => {
    const sandbox = createSandbox();
    sandbox.clock.set(Date.parse('2015-06-01T00:00:00Z'));
    const responses = await Promise.all(
      ['locations', 'batteries'].map((what) => ask(sandbox, `/v1/vehicles/${vin}/${what}`)),
    );
    expect(responses.map(({ status, json }) => [status, json.error.code])).toEqual([
      [404, '4045'],
      [404, '4045'],
    ]);
  });

  it('speed comes in the unit of the vehicle’s home', async () => {
    const { sandbox } = await duringATrip();
    const unit = async (of: string, brand: string) =>
      (await ask(sandbox, `/v1/vehicles/${of}/locations`, { brand })).json.data.location.speed.unit;
    expect(await unit('SANDB0XA000000001', brands[0])).toBe('kph');
    expect(await unit('SANDB0XB000000001', brands[1])).toBe('mph');
  });
});
