import type { LocationRecord } from '@vehicle-data/openapi';
import { expect, it } from 'vitest';
import { createSandbox } from '../src/index.js';
import { brands, outcome, send } from './calls.js';

const vin = 'SANDB0XA000000001';

/** A sandbox whose frozen clock is in the middle of a known trip, and that trip as it is published once it has ended. */
async function duringATrip() {
  const sandbox = createSandbox({ sensorNoise: false, now: new Date('2026-03-31T00:00:00Z'), frozen: true });
  const data = async (path: string) => (await send(sandbox, `/v1/vehicles/${vin}/${path}`)).json.data;
  const trips = async () => (await data('driving/data?startDate=20260323&endDate=20260327')).trips;
  const trip = (await trips()).find(({ tripLength }) => tripLength > 900_000);
  if (trip === undefined) throw new Error('a week without a trip of 15 minutes');
  const startMs = Date.parse(trip.triggerStartTime);
  const at = (ms: number) => sandbox.clock.set(ms);
  const [location, status] = [() => data('locations'), () => data('batteries')];
  return { trip, trips, startMs, endMs: startMs + trip.tripLength, at, location, status };
}

/** How far it is from one place to another, in meters, and in which direction of the compass, in degrees. */
const wayBetween = ({ location: one }: LocationRecord, { location: two }: LocationRecord) => {
  const north = ((two.latitude ?? 0) - (one.latitude ?? 0)) * 111_320;
  const east = ((two.longitude ?? 0) - (one.longitude ?? 0)) * 111_320 * Math.cos((52.5 / 180) * Math.PI);
  return { meters: Math.hypot(north, east), course: (Math.atan2(east, north) * 180) / Math.PI };
};

/** The difference of two directions, from -180 to 180 degrees. */
const turn = (degrees: number) => (((degrees % 360) + 540) % 360) - 180;

it('location and status agree with the trip that is running, second by second', async () => {
  const { trip, startMs, at, location, status } = await duringATrip();
  let [before, speed]: [LocationRecord | undefined, number] = [undefined, 0];
  const courses: number[] = [];
  for (const [second, g] of (trip.acceleration?.longitudinal ?? []).slice(0, 420).entries()) {
    const last = speed;
    speed += g * 9.80665;
    if (second < 300) continue;
    at(startMs + second * 1000);
    const [here, now] = [await location(), await status()];
    const timestamp = `${new Date(startMs + second * 1000).toISOString().slice(0, 19)}Z`;
    expect(now).toMatchObject({
      odometer: { value: trip.odometer?.value?.[second], unit: 'km' },
      ignition: { status: trip.ignition?.status?.[second] },
      transmission: { parkingPosition: trip.transmission?.gear?.[second] === 'p' },
      timestamp,
    });
    expect(here.timestamp).toBe(timestamp);
    expect(Math.abs((here.location.speed?.value ?? 0) - Math.abs(speed) * 3.6)).toBeLessThan(0.6);
    if (before) {
      const { meters, course } = wayBetween(before, here);
      expect(Math.abs(meters - (speed + last) / 2)).toBeLessThan(6);
      if (meters > 5) courses.push(turn((here.location.heading ?? 0) - course));
    }
    before = here;
  }
  // Places are rounded to about a meter.
  expect(courses.length).toBeGreaterThan(50);
  expect(Math.abs(courses.reduce((sum, one) => sum + one, 0) / courses.length)).toBeLessThan(3);
});

it('the location heads where the yaw rates of the trip lead, to the end of it', async () => {
  const { trip, startMs, at, location } = await duringATrip();
  const yaw = trip.angularVelocity?.yaw ?? [];
  const headingAt = async (second: number) => {
    at(startMs + second * 1000);
    return (await location()).location.heading ?? 0;
  };
  const begin = await headingAt(0);
  let sum = 0;
  for (const [second, rate] of yaw.entries()) {
    sum += rate;
    if (second % 30 !== 0 && second < yaw.length - 1) continue;
    // Yaw is positive to the left, and a compass turns to the right.
    const error = (await headingAt(second)) - (begin - sum);
    expect(Math.abs(turn(error))).toBeLessThan(2);
  }
});

it('a trip is in the data of its day once it has ended; its vehicle stays where it is and falls asleep after ten minutes', async () => {
  const { trip, trips, endMs, at, location, status } = await duringATrip();
  at(endMs - 1);
  expect(await trips()).not.toContainEqual(trip);
  at(endMs);
  expect(await trips()).toContainEqual(trip);
  const parked = await location();
  expect(parked.location.speed?.value).toBe(0);
  expect(await status()).toMatchObject({
    ignition: { status: 'off' },
    sleepMode: 'off',
    transmission: { parkingPosition: true },
    odometer: { value: trip.odometer?.value?.at(-1) },
  });
  at(endMs + 601_000);
  const { sleepMode, timestamp } = await status();
  expect(sleepMode).toBe('on');
  expect(Date.parse(timestamp ?? '')).toBeLessThanOrEqual(endMs + 600_000);
  expect(await location()).toEqual(parked);
});

it.each(['locations', 'batteries'])('there is no data before the first trip of the history: %s', async (what) => {
  const sandbox = createSandbox({ now: new Date('2015-06-01T00:00:00Z') });
  expect(await outcome(send(sandbox, `/v1/vehicles/${vin}/${what}`))).toBe('4045');
});

it.each([
  ['SANDB0XA000000001', brands[0], 'kph'],
  ['SANDB0XB000000001', brands[1], 'mph'],
])('speed of %s comes in the unit of its home', async (of, brand, unit) => {
  const { json } = await send(createSandbox(), `/v1/vehicles/${of}/locations`, { brand });
  expect(json.data.location.speed?.unit).toBe(unit);
});
