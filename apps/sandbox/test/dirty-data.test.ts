import type { DrivingTrip, OperationId } from '@vehicle-data/openapi';
import { expect, it } from 'vitest';
import { createSandbox, type DirtyKind } from '../src/index.js';
import { dirtyVins } from '../src/reserved-vins.js';
import { send, violations } from './calls.js';

const week = 'startDate=20260302&endDate=20260308';
const now = new Date('2026-03-31T00:00:00Z');

/** The trips of a week from a vehicle whose data is dirty: by its VIN, or by a fault that the control switches on. */
async function dirtyTrips(kind: DirtyKind, by: 'vin' | 'fault', at = now): Promise<readonly DrivingTrip[]> {
  const faults = by === 'fault' ? [{ kind }] : [];
  const sandbox = createSandbox({ now: at, frozen: true, sensorNoise: false, faults });
  const vin = by === 'vin' ? dirtyVins.find((dirty) => dirty.kind === kind)?.vin : 'SANDB0XA000000003';
  const { status, json } = await send(sandbox, `/v1/vehicles/${vin}/driving/data?${week}`);
  expect(status).toBe(200);
  return json.data.trips;
}

const speeds = (trip?: DrivingTrip): readonly unknown[] => trip?.acceleration?.longitudinal ?? [];
const seconds = (trip?: DrivingTrip) => (trip?.tripLength ?? 0) / 1000;
const start = (trip?: DrivingTrip) => Date.parse(trip?.triggerStartTime ?? '');
const groups = (trip: DrivingTrip) => Object.keys(trip).length;
const isLong = (trip: DrivingTrip) => seconds(trip) > 600;

/** What an application sees of the trips of a week, and what it should see. */
const looks: Readonly<
  Record<DirtyKind, readonly [look: (trips: readonly DrivingTrip[]) => unknown, expected: unknown]>
> = {
  'null-members': [
    ([trip]) => trip,
    expect.objectContaining({
      odometer: { value: null },
      triggerStartTime: expect.any(String),
      tripLength: expect.any(Number),
    }),
  ],
  'unknown-members': [([trip]) => trip, expect.objectContaining({ addedLater: expect.anything() })],
  'unequal-lengths': [
    ([trip]) => new Set([trip?.ignition?.status, trip?.odometer?.value, speeds(trip)].map((all) => all?.length)).size,
    3,
  ],
  'null-samples': [([trip]) => speeds(trip).slice(0, 8), [null, ...new Array(6).fill(expect.any(Number)), null]],
  'out-of-range': [
    ([trip]) => [
      trip?.odometer?.value?.[0],
      Number(trip?.odometer?.value?.[1]) < 1_677_721,
      Number(speeds(trip)[0]) > 4.177,
    ],
    [1_677_721.9, true, true],
  ],
  'below-range': [([trip]) => Number(speeds(trip)[0]) < -4.177, true],
  'invalid-choices': [
    ([trip]) => [trip?.isla?.optionUsm?.[7], trip?.transmission?.gear?.some((gear) => String(gear) === 'invalid')],
    ['invalid', false],
  ],
  'missing-minute': [(trips) => trips.filter(isLong).map((trip) => speeds(trip).length - seconds(trip))[0], -60],
  'fast-sampling': [([trip]) => speeds(trip).length / seconds(trip), 10],
  'slow-sampling': [([trip]) => speeds(trip).length - Math.ceil(seconds(trip) / 10), 0],
  'missing-group': [([one, two]) => one && two && groups(two) - groups(one), 1],
  'duplicate-trips': [([one, two]) => start(one) - start(two), 0],
  'overlapping-trips': [([one, two]) => start(two) < start(one) + seconds(one) * 1000, true],
  'reordered-trips': [([one, two]) => start(two) < start(one), true],
  'late-trips': [(trips) => trips.length, expect.any(Number)],
};

it.each(dirtyVins.flatMap(({ kind }) => [[kind, 'vin'] as const, [kind, 'fault'] as const]))(
  '%s, by %s, is what an application receives',
  async (kind, by) => {
    const [look, expected] = looks[kind];
    expect(look(await dirtyTrips(kind, by))).toEqual(expected);
  },
);

it('late trips come a day after their end', async () => {
  const soon = await dirtyTrips('late-trips', 'vin', new Date('2026-03-06T23:00:00Z'));
  const later = await dirtyTrips('late-trips', 'vin');
  const all = later.filter((trip) => start(trip) < Date.UTC(2026, 2, 6, 22));
  expect(soon.length).toBeLessThan(all.length);
  expect(soon.length).toBeGreaterThan(2);
});

const breaksTheContract: readonly DirtyKind[] = ['null-members', 'null-samples', 'out-of-range', 'below-range'];
it.each(dirtyVins)(
  '$vin is not listed, and has every kind of data, dirty as $kind says and no more',
  async ({ vin, kind }) => {
    const sandbox = createSandbox({ now, frozen: true });
    const { json } = await send(sandbox, '/v1/vehicles/consent');
    expect(json.data.vehicles.map((listed) => listed.vin)).not.toContain(vin);
    const calls: readonly (readonly [OperationId, string])[] = [
      ['getDrivingData', `driving/data?${week}`],
      ['getPowertrainData', `powertrains/data?${week}`],
      ['getLocation', 'locations'],
      ['getCurrentStatus', 'batteries'],
    ];
    for (const [id, path] of calls) {
      const response = await send(sandbox, `/v1/vehicles/${vin}/${path}`);
      expect(response.status, id).toBe(200);
      if (!breaksTheContract.includes(kind)) expect(violations(id, response), id).toEqual([]);
    }
  },
);
