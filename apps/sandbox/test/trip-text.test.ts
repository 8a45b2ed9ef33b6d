import { operations, type SeriesSpec } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Car, type Trip } from '../src/fleet/car.js';
import type { TripSignals } from '../src/fleet/columns.js';
import { emptyDrive } from '../src/fleet/drive.js';
import { LeastRecentlyUsed } from '../src/fleet/least-recently-used.js';
import { TripWriter } from '../src/fleet/trip-text.js';
import { type FleetVehicle, fleetVehicles } from '../src/fleet/vehicles.js';

const car = new Car(1, fleetVehicles[0] as FleetVehicle, emptyDrive());
const [trip] = [20_500, 20_507, 20_514].flatMap((day) => car.driveDay(day).trips) as [Trip];
const { series } = operations.getDrivingData;
const unbounded: SeriesSpec = {
  ...series,
  signals: Object.fromEntries(
    Object.entries(series.signals).map(([path, signal]) => [
      path,
      signal.kind === 'number' ? { ...signal, minimum: null, maximum: null } : signal,
    ]),
  ),
};

/** Writes any samples as if a trip had them. */
function written(samples: readonly number[], series: SeriesSpec): string {
  const numbers = Int32Array.from(samples);
  const few = Uint8Array.from(samples, (sample) => Math.abs(sample) % 2);
  const signals = {
    driving: {
      odometer: numbers,
      longitudinal: numbers,
      yaw: numbers,
      steeringAngle: numbers,
      rotationSpeed: numbers,
      ignition: few,
      driverBelt: few,
      passengerBelt: few,
      gear: few,
    },
    powertrain: { voltage: null, oilTemperature: null, rpm: null },
  } satisfies TripSignals;
  const bytes = new TripWriter().write({ ...trip, samples: samples.length }, signals, car.traits, series);
  return new TextDecoder().decode(bytes);
}

const samples = fc.array(
  fc.oneof(
    fc.integer({ min: -12_000, max: 12_000 }),
    fc.integer({ min: -2_147_483_647, max: 2_147_483_647 }),
    fc.constant(0),
  ),
  { minLength: 1, maxLength: 60 },
);

describe('the writer of trips', () => {
  it('writes any samples exactly as JSON.stringify writes the numbers they stand for', () => {
    fc.assert(
      fc.property(samples, (whole) => {
        const text = written(whole, unbounded);
        const read = JSON.parse(text);
        expect(JSON.stringify(read)).toBe(text);
        expect(read.odometer.value).toEqual(whole.map((value) => value / 10));
        expect(read.angularVelocity.yaw).toEqual(whole.map((value) => value / 100));
        expect(read.acceleration.longitudinal).toEqual(whole.map((value) => value / 1000));
        expect(read.transmission.gear).toEqual(whole.map((value) => (Math.abs(value) % 2 === 0 ? 'p' : 'r')));
      }),
      { numRuns: 300 },
    );
  });

  it('holds every number within the range of the contract', () => {
    const read = JSON.parse(written([2_147_483_647, -2_147_483_647, 5], series));
    expect(read.acceleration.longitudinal).toEqual([4.177, -4.177, 0.005]);
    expect(read.steeringWheel.angle).toEqual([3276.7, -3276.8, 0.5]);
    expect(read.odometer.value).toEqual([1677721.4, 0, 0.5]);
  });

  it('leaves out a signal that no vehicle has, and goes on', () => {
    const signals = { 'doors.open': { kind: 'number', unit: '1', minimum: 0, maximum: 4 }, ...series.signals } as const;
    expect(written([1, 2], { ...series, signals })).toBe(written([1, 2], series));
  });
});

describe('the cache', () => {
  it('keeps what was used last, within its bound', () => {
    const cache = new LeastRecentlyUsed<string>(30);
    cache.set('a', 'A', 10);
    cache.set('b', 'B', 10);
    cache.get('a');
    cache.set('c', 'C', 15);
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.bytes]).toEqual(['A', undefined, 'C', 25]);
    cache.set('c', 'D', 5);
    expect([cache.get('c'), cache.bytes]).toEqual(['D', 15]);
  });
});
