import type { DrivingTrip, OperationId } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { createSandbox, type DirtyKind } from '../src/index.js';
import { dirtyVins } from '../src/reserved-vins.js';
import { send } from './calls.js';
import { violations } from './contract-check.js';

const vinOf = (kind: DirtyKind) => dirtyVins.find((dirty) => dirty.kind === kind)?.vin ?? '';
const week = 'startDate=20260302&endDate=20260308';
const now = new Date('2026-03-31T00:00:00Z');

/** The trips of a week from a vehicle whose data is dirty: by its VIN, or by a fault that the control switches on. */
async function dirtyTrips(kind: DirtyKind, by: 'vin' | 'fault', atMs = now.getTime()): Promise<readonly DrivingTrip[]> {
  const sandbox = createSandbox({ now: new Date(atMs), frozen: true, sensorNoise: false });
  if (by === 'fault') sandbox.faults.add({ kind });
  const vin = by === 'vin' ? vinOf(kind) : 'SANDB0XA000000003';
  const { status, json } = await send(sandbox, `/v1/vehicles/${vin}/driving/data?${week}`);
  expect(status).toBe(200);
  return json.data.trips;
}

const speeds = (trip?: DrivingTrip) => trip?.acceleration?.longitudinal ?? [];
const startOf = (trip: DrivingTrip) => Date.parse(trip.triggerStartTime);
const isSorted = (trips: readonly DrivingTrip[]) =>
  trips.every((trip, index) => index === 0 || startOf(trip) >= startOf(trips[index - 1] ?? trip));

describe.each(['vin', 'fault'] as const)('dirty data by %s', (by) => {
  it('has null members: every optional value, but not what identifies a thing; and unknown members, which the contract allows', async () => {
    const [trip] = await dirtyTrips('null-members', by);
    expect(trip).toMatchObject({ odometer: { value: null }, triggerStartTime: expect.any(String) });
    expect(trip?.tripLength).toEqual(expect.any(Number));
    expect((await dirtyTrips('unknown-members', by))[0]).toHaveProperty('addedLater');
  });

  it('has null in place of samples', async () => {
    const [trip] = await dirtyTrips('null-samples', by);
    const samples: readonly unknown[] = speeds(trip);
    expect([samples[0], typeof samples[1], samples[7]]).toEqual([null, 'number', null]);
    expect(trip?.tripLength).toEqual(expect.any(Number));
  });

  it('has values above and below the range of the contract', async () => {
    const [above] = await dirtyTrips('out-of-range', by);
    const [high = 0, usual = 0] = above?.odometer?.value ?? [];
    expect([high, usual < 1_677_721]).toEqual([1_677_721.9, true]);
    expect(speeds(above)[0]).toBeGreaterThan(4.177);
    expect(speeds((await dirtyTrips('below-range', by))[0])[0]).toBeLessThan(-4.177);
  });

  it('has invalid where the contract lists it', async () => {
    const [trip] = await dirtyTrips('invalid-choices', by);
    expect(trip?.isla?.optionUsm?.[7]).toBe('invalid');
    expect(trip?.transmission?.gear).not.toContain('invalid');
  });

  it('has arrays of unequal length', async () => {
    const [trip] = await dirtyTrips('unequal-lengths', by);
    const lengths = [trip?.ignition?.status, trip?.odometer?.value, speeds(trip)].map((samples) => samples?.length);
    expect(new Set(lengths).size).toBe(3);
  });

  it('lacks a group in some trips', async () => {
    const trips = await dirtyTrips('missing-group', by);
    const groups = trips.map((trip) => Object.keys(trip).length);
    expect(groups[0]).toBe((groups[1] ?? 0) - 1);
  });

  it('has trips twice, overlapping, reordered', async () => {
    const twice = await dirtyTrips('duplicate-trips', by);
    expect(twice[0]).toEqual(twice[1]);
    const overlapping = await dirtyTrips('overlapping-trips', by);
    const [first, second] = overlapping;
    if (!first || !second) throw new Error('a week with fewer than two trips');
    expect(startOf(second)).toBeLessThan(startOf(first) + first.tripLength);
    expect(isSorted(await dirtyTrips('reordered-trips', by))).toBe(false);
  });

  it('has trips that come a day late', async () => {
    const soon = await dirtyTrips('late-trips', by, Date.UTC(2026, 2, 6, 23));
    const later = await dirtyTrips('late-trips', by);
    const all = later.filter((trip) => startOf(trip) < Date.UTC(2026, 2, 6, 22));
    expect(soon.length).toBeLessThan(all.length);
    expect(soon.length).toBeGreaterThan(2);
  });

  it('lacks a minute, or comes at 10 Hz or 0.1 Hz', async () => {
    const rate = (trip?: DrivingTrip) => speeds(trip).length - (trip?.tripLength ?? 0) / 1000;
    const long = (trips: readonly DrivingTrip[]) => trips.find(({ tripLength }) => tripLength > 600_000);
    expect(rate(long(await dirtyTrips('missing-minute', by)))).toBe(-60);
    const [fast] = await dirtyTrips('fast-sampling', by);
    expect(speeds(fast).length).toBe((fast?.tripLength ?? 0) / 100);
    const [slow] = await dirtyTrips('slow-sampling', by);
    expect(speeds(slow).length).toBe(Math.ceil((slow?.tripLength ?? 0) / 10_000));
  });
});

describe('a reserved VIN of dirty data', () => {
  it('is a vehicle with every group of signals, and is not listed', async () => {
    const sandbox = createSandbox({ now, frozen: true });
    const { json } = await send(sandbox, '/v1/vehicles/consent');
    const listed = json.data.vehicles.map(({ vin }: { vin: string }) => vin);
    for (const { vin, kind } of dirtyVins) {
      expect(listed).not.toContain(vin);
      const calls: readonly (readonly [OperationId, string])[] = [
        ['getDrivingData', `driving/data?${week}`],
        ['getPowertrainData', `powertrains/data?${week}`],
        ['getLocation', 'locations'],
        ['getCurrentStatus', 'batteries'],
      ];
      for (const [id, path] of calls) {
        const response = await send(sandbox, `/v1/vehicles/${vin}/${path}`);
        expect(response.status, `${kind} ${id}`).toBe(200);
        const shape = ['null-members', 'null-samples', 'out-of-range', 'below-range'].includes(kind);
        if (!shape) expect(violations(id, 200, response.json), `${kind} ${id}`).toEqual([]);
      }
    }
  });
});
