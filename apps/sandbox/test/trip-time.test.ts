// What the kit and the explorer say about the times of samples, on trips whose samples are known to be missing.
import { signalsOf, toColumns, toCsv, usualStep } from '@vehicle-data/client/series';
import type { DrivingTrip } from '@vehicle-data/openapi';
import { readTrips, tripSvg } from '@vehicle-data/trip-view';
import { expect, test } from 'vitest';
import { createSandbox, type DirtyKind } from '../src/index.js';
import { dirtyVins } from '../src/reserved-vins.js';
import { send } from './calls.js';

const weeks = ['20260302&endDate=20260308', '20260309&endDate=20260315'];

async function tripsOf(kind: DirtyKind, ranges = weeks): Promise<readonly DrivingTrip[]> {
  const sandbox = createSandbox({ now: new Date('2026-04-01T00:00:00Z'), frozen: true });
  const vin = dirtyVins.find((dirty) => dirty.kind === kind)?.vin ?? '';
  const all = [];
  for (const days of ranges) {
    const { json } = await send(sandbox, `/v1/vehicles/${vin}/driving/data?startDate=${days}`);
    all.push(...json.data.trips);
  }
  return all;
}

const isLong = ({ tripLength }: DrivingTrip) => tripLength >= 120_000;

test('no trip of a vehicle that loses a minute in each claims a time, in columns, CSV and pictures', async () => {
  const trips = await tripsOf('missing-minute');
  const usualStepMs = usualStep('driving', trips);
  expect(trips.filter(isLong).length).toBeGreaterThan(20);
  for (const trip of trips.filter(isLong)) {
    const { columns } = toColumns('driving', trip, { usualStepMs });
    expect(new Set(Object.values(columns).map((column) => column?.timeBasis))).toEqual(new Set(['unknown']));
  }
  let csv = '';
  for await (const text of toCsv('driving', trips.filter(isLong), { usualStepMs, signals: ['odometer.value'] }))
    csv += text;
  expect(csv).not.toContain('assumed-even');
  const records = trips.map((trip) => ({ vehicle: 'Car', series: 'driving' as const, trip }));
  for (const trip of readTrips(records).trips.filter(({ durationMs }) => durationMs >= 120_000)) {
    expect(tripSvg(trip)).toContain('time unknown');
    expect(tripSvg(trip)).not.toContain('Time is assumed');
  }
});

test.each(['invalid-choices', 'fast-sampling', 'duplicate-trips', 'reordered-trips'] as const)(
  'trips with %s have all of their samples, and keep their times',
  async (kind) => {
    const trips = await tripsOf(kind, weeks.slice(1));
    const usualStepMs = usualStep('driving', trips);
    expect(trips.length).toBeGreaterThan(10);
    const paths = Object.keys(signalsOf('driving')).filter((path) => path !== 'isla.optionUsm');
    expect(usualStepMs).toBe(kind === 'fast-sampling' ? 100 : 1000);
    for (const trip of trips) {
      const columns = Object.entries(toColumns('driving', trip, { usualStepMs }).columns);
      for (const [path, column] of columns) if (paths.includes(path)) expect(column?.timeBasis).toBe('assumed-even');
    }
  },
);
