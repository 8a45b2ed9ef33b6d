import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVehicleDataClient, isVehicleDataError, type VehicleDataClientOptions } from '../src/index.js';
import { toColumns } from '../src/series/index.js';
import { type RunningSandbox, startSandbox } from './start-sandbox.ts';

const accessToken = 'demo-access-token';
const vin = 'SANDB0XA000000001';
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await sandbox.control('POST', '/reset', {});
});

const clientOf = (options: Partial<VehicleDataClientOptions> = {}) =>
  createVehicleDataClient({ baseUrl: sandbox.url, brand: 'brand_a', accessToken, ...options });
const fault = (body: object) => sandbox.control('POST', '/faults', body);

describe('against the sandbox', () => {
  test('a quarter of trips comes in order, each once, and equals the days requested one by one', async () => {
    const client = clientOf();
    const starts: string[] = [];
    for await (const trip of client.trips.powertrain({ vin, from: '20260101', to: '20260331' }, { concurrency: 3 })) {
      starts.push(trip.triggerStartTime);
    }
    const expected: string[] = [];
    for (let day = Date.UTC(2026, 0, 1); day <= Date.UTC(2026, 2, 31); day += 86_400_000) {
      const date = new Date(day).toISOString().slice(0, 10).replaceAll('-', '');
      const { trips } = await client.getPowertrainData({ vin, startDate: date, endDate: date });
      expected.push(...trips.map(({ triggerStartTime }) => triggerStartTime));
    }
    expect(starts.length).toBeGreaterThan(60);
    expect(starts).toEqual(expected.sort());
  });
});

describe('every fault that the sandbox can play', () => {
  test.each([
    [
      { kind: 'cut-body' },
      { name: expect.stringMatching(/ConnectionError|MalformedResponseError/), isTemporary: true },
    ],
    [{ kind: 'malformed-json' }, { name: 'MalformedResponseError', code: 'malformed-response' }],
    [{ kind: 'stalled-body' }, { name: 'TimeoutError' }],
    [{ kind: 'latency', latencyMs: 5_000 }, { name: 'TimeoutError' }],
    [
      { kind: 'status', status: 503, retryAfterSeconds: 9 },
      { isTemporary: true, status: 503 },
    ],
    [
      { kind: 'error', code: '429', retryAfterSeconds: 7 },
      { name: 'RateLimitError', retryAfterMs: 7_000 },
    ],
    [{ kind: 'expired-token' }, { name: 'AccessTokenError', resolution: 'refresh-token' }],
  ])('%j ends in a typed error', async (effect, expected) => {
    await fault(effect);
    const error = await clientOf({ maxRetries: 0, timeoutMs: 1_500 })
      .getLocation({ vin })
      .catch((reason: unknown) => reason);
    expect(isVehicleDataError(error)).toBe(true);
    expect(error).toMatchObject(expected);
  });

  test.each(['wrong-content-type', 'null-members', 'unknown-members', 'out-of-range'])(
    '%s does not fail a good call',
    async (kind) => {
      await fault({ kind, operationId: 'getDrivingData' });
      const { trips } = await clientOf().getDrivingData({ vin, startDate: '20260302', endDate: '20260303' });
      expect(() => trips.map((trip) => toColumns('driving', trip))).not.toThrow();
    },
  );

  test('out-of-range values become none and are counted', async () => {
    await fault({ kind: 'out-of-range' });
    const { trips } = await clientOf().getDrivingData({ vin, startDate: '20260302', endDate: '20260309' });
    const counts = trips.flatMap((trip) =>
      Object.values(toColumns('driving', trip).columns).map((column) => column.counts),
    );
    expect(counts.reduce((sum, { outOfRange, sentinels }) => sum + outOfRange + sentinels, 0)).toBeGreaterThan(0);
  });
});
