import { expect, it } from 'vitest';
import { createSandbox } from '../src/index.js';
import { send, vin } from './calls.js';

/** A sandbox whose frozen clock is in the middle of a known trip, and that trip as it is published once it has ended. */
async function duringATrip() {
  const sandbox = createSandbox({ sensorNoise: false, now: new Date('2026-03-31T00:00:00Z'), frozen: true });
  const data = async (path: string) => (await send(sandbox, `/v1/vehicles/${vin}/${path}`)).json.data;
  const trips = async () => (await data('driving/data?startDate=20260323&endDate=20260327')).trips;
  const trip = (await trips()).find(({ tripLength }) => tripLength > 900_000);
  if (trip === undefined) throw new Error('a week without a trip of 15 minutes');
  const startMs = Date.parse(trip.triggerStartTime);
  /** What the vehicle reports at a moment. */
  const at = async (ms: number) => {
    sandbox.clock.set(ms);
    const [{ location, timestamp }, status] = [await data('locations'), await data('batteries')];
    const { latitude = 0, longitude = 0, heading = 0, speed = { value: 0 } } = location;
    const [north, east] = [latitude * 111_320, longitude * 111_320 * Math.cos((52.5 / 180) * Math.PI)];
    return { location, timestamp, status, north, east, heading, speed: speed.value };
  };
  return { trip, trips, startMs, endMs: startMs + trip.tripLength, at };
}

/** The difference of two directions, from -180 to 180 degrees. */
const turn = (degrees: number) => (((degrees % 360) + 540) % 360) - 180;

it('location and status agree with the trip that is running, from its first second to its last', async () => {
  const { trip, startMs, at } = await duringATrip();
  const yaw = trip.angularVelocity?.yaw ?? [];
  const begin = (await at(startMs)).heading;
  const courses: number[] = [];
  let [speed, yawed] = [0, 0];
  let before = await at(startMs);
  for (const [second, g] of (trip.acceleration?.longitudinal ?? []).entries()) {
    const last = speed;
    speed += g * 9.80665;
    yawed += yaw[second] ?? 0;
    // Two seconds in a row, every ten seconds.
    if (second % 10 > 1 && second < yaw.length - 1) continue;
    const here = await at(startMs + second * 1000);
    const timestamp = `${new Date(startMs + second * 1000).toISOString().slice(0, 19)}Z`;
    expect(here.timestamp).toBe(timestamp);
    expect(here.status).toMatchObject({
      odometer: { value: trip.odometer?.value?.[second], unit: 'km' },
      ignition: { status: trip.ignition?.status?.[second] },
      transmission: { parkingPosition: trip.transmission?.gear?.[second] === 'p' },
      timestamp,
    });
    expect(Math.abs((here.speed ?? 0) - Math.abs(speed) * 3.6)).toBeLessThan(0.6);
    // Yaw is positive to the left, and a compass turns to the right.
    expect(Math.abs(turn(here.heading - (begin - yawed)))).toBeLessThan(2);
    const [north, east] = [here.north - before.north, here.east - before.east];
    if (second % 10 === 1) expect(Math.abs(Math.hypot(north, east) - Math.abs(speed + last) / 2)).toBeLessThan(6);
    const course = (Math.atan2(east, north) * 180) / Math.PI;
    if (second % 10 === 1 && speed > 5) courses.push(turn(here.heading - course));
    before = here;
  }
  // Places are rounded to about a meter.
  expect(courses.length).toBeGreaterThan(50);
  expect(Math.abs(courses.reduce((sum, one) => sum + one, 0) / courses.length)).toBeLessThan(3);
});

it('a trip is in the data of its day once it has ended; its vehicle stays where it is and falls asleep after ten minutes', async () => {
  const { trip, trips, endMs, at } = await duringATrip();
  await at(endMs - 1);
  expect(await trips()).not.toContainEqual(trip);
  const parked = await at(endMs);
  expect(await trips()).toContainEqual(trip);
  expect(parked.speed).toBe(0);
  const transmission = { parkingPosition: true };
  const odometer = { value: trip.odometer?.value?.at(-1) };
  expect(parked.status).toMatchObject({ ignition: { status: 'off' }, sleepMode: 'off', transmission, odometer });
  const asleep = await at(endMs + 601_000);
  expect(asleep.status.sleepMode).toBe('on');
  expect(Date.parse(asleep.status.timestamp ?? '')).toBeLessThanOrEqual(endMs + 600_000);
  expect(asleep.location).toEqual(parked.location);
});
