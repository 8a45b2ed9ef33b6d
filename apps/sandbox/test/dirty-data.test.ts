import type { DrivingTrip, OperationId } from '@vehicle-data/openapi';
import { expect, it } from 'vitest';
import { createSandbox, type DirtyKind } from '../src/index.js';
import { dirtyVins } from '../src/reserved-vins.js';
import { send, violations } from './calls.js';

const driving = 'driving/data?startDate=20260302&endDate=20260304';
const operations: readonly (readonly [OperationId, string])[] = [
  ['getDrivingData', driving],
  ['getPowertrainData', driving.replace('driving', 'powertrains')],
  ['getLocation', 'locations'],
  ['getCurrentStatus', 'batteries'],
];

const speeds = (trip?: DrivingTrip): readonly unknown[] => trip?.acceleration?.longitudinal ?? [];
const seconds = (trip?: DrivingTrip) => (trip?.tripLength ?? 0) / 1000;
const surplus = (trip?: DrivingTrip) => speeds(trip).length - seconds(trip);
const start = (trip?: DrivingTrip) => Date.parse(trip?.triggerStartTime ?? '');
const groups = (trip?: DrivingTrip) => Object.keys(trip ?? {}).length;
const anyNumber = expect.any(Number);
const bareTrip = { odometer: { value: null }, triggerStartTime: expect.any(String), tripLength: anyNumber };

/** What an application sees of the trips of a week, and what it should see. */
const looks: Readonly<Record<DirtyKind, readonly [look: (trips: readonly DrivingTrip[]) => unknown, sees: unknown]>> = {
  'null-members': [([trip]) => trip, expect.objectContaining(bareTrip)],
  'unknown-members': [([trip]) => trip, expect.objectContaining({ addedLater: expect.anything() })],
  'unequal-lengths': [
    ([trip]) => new Set([trip?.ignition?.status, trip?.odometer?.value, speeds(trip)].map((all) => all?.length)).size,
    3,
  ],
  'null-samples': [([trip]) => speeds(trip).slice(0, 8), [null, ...new Array(6).fill(anyNumber), null]],
  'out-of-range': [
    ([trip]) => [...(trip?.odometer?.value ?? []).slice(0, 2).map((km) => km > 1_677_721), Number(speeds(trip)[0])],
    [true, false, 4.677],
  ],
  'below-range': [([trip]) => speeds(trip)[0], -4.677],
  'invalid-choices': [
    ([trip]) => [trip?.isla?.optionUsm?.[7], trip?.transmission?.gear?.some((gear) => String(gear) === 'invalid')],
    ['invalid', false],
  ],
  'missing-minute': [(trips) => surplus(trips.find((trip) => seconds(trip) > 600)), -60],
  'fast-sampling': [([trip]) => speeds(trip).length / seconds(trip), 10],
  'slow-sampling': [([trip]) => speeds(trip).length - Math.ceil(seconds(trip) / 10), 0],
  'missing-group': [([one, two]) => groups(two) - groups(one), 1],
  'duplicate-trips': [([one, two]) => start(one) - start(two), 0],
  'overlapping-trips': [([one, two]) => start(two) < start(one) + seconds(one) * 1000, true],
  'reordered-trips': [([one, two]) => start(two) < start(one), true],
  'late-trips': [(trips) => trips.length, anyNumber],
};

const sandboxAt = (now: string, kind?: DirtyKind) =>
  createSandbox({ now: new Date(now), frozen: true, sensorNoise: false, faults: kind ? [{ kind }] : [] });

const series: readonly OperationId[] = ['getDrivingData', 'getPowertrainData'];
/** The kinds that break the contract, and the operations that have such data. */
const violated: { readonly [Kind in DirtyKind]?: readonly OperationId[] } = {
  'null-members': [...series, 'getLocation', 'getCurrentStatus'],
  'null-samples': series,
  'out-of-range': [...series, 'getLocation'],
  'below-range': [...series, 'getLocation'],
};

it.each(dirtyVins)(
  'dirty data are what an application receives by a fault, and by a VIN that is not listed: $kind, $vin',
  async (dirty) => {
    const { vin, kind } = dirty;
    const [look, sees] = looks[kind];
    const sandbox = sandboxAt('2026-03-31T00:00:00Z');
    for (const [id, path] of operations) {
      const response = await send(sandbox, `/v1/vehicles/${vin}/${path}`);
      expect(response.status, id).toBe(200);
      if (id === 'getDrivingData') expect(look(response.json.data.trips)).toEqual(sees);
      // A validation stops at its first issue.
      expect(violations(id, response), id).toHaveLength(violated[kind]?.includes(id) ? 1 : 0);
    }
    const byFault = await send(sandboxAt('2026-03-31T00:00:00Z', kind), `/v1/vehicles/SANDB0XA000000003/${driving}`);
    expect(look(byFault.json.data.trips)).toEqual(sees);
    const list = await send(sandbox, '/v1/vehicles/consent');
    expect(list.json.data.vehicles.map((listed) => listed.vin)).not.toContain(vin);
  },
);

it('late trips come a day after their end', async () => {
  const tripsAt = async (now: string) =>
    (await send(sandboxAt(now, 'late-trips'), `/v1/vehicles/SANDB0XA000000003/${driving}`)).json.data.trips;
  const soon = await tripsAt('2026-03-04T23:00:00Z');
  const all = (await tripsAt('2026-03-31T00:00:00Z')).filter((trip) => start(trip) < Date.UTC(2026, 2, 4, 22));
  expect(soon.length).toBeLessThan(all.length);
  expect(soon.length).toBeGreaterThan(2);
});
