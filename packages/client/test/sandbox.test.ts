import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVehicleDataClient, isVehicleDataError, type VehicleDataClientOptions } from '../src/index.js';
import { toColumns } from '../src/series/index.js';
import { type RunningSandbox, startSandbox } from './start-sandbox.ts';
import { instantClock } from './test-clock.ts';

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
  test('the list gives vehicles, and each of them has a location and a status', async () => {
    const client = clientOf();
    const { vehicles } = await client.listVehicles();
    expect(vehicles.map((vehicle) => vehicle.vin)).toContain(vin);
    for (const vehicle of vehicles) {
      const response = await client
        .getLocation(vehicle)
        .withResponse()
        .catch((error: unknown) => error);
      // Its members beside the VIN are no parameters, and are rejected.
      expect(response).toMatchObject({ name: 'ArgumentError' });
      const { data, dataAgeMs, meta } = await client.getLocation({ vin: vehicle.vin }).withResponse();
      expect(data.location.latitude).toEqual(expect.any(Number));
      expect(dataAgeMs).toBeGreaterThanOrEqual(0);
      expect(meta.success).toBe(true);
      const status = await client.getCurrentStatus({ vin: vehicle.vin }).withResponse();
      expect(status.meta.success).toBe(true);
      expect(status.requestId).toEqual(expect.any(String));
    }
  });

  test('a week of driving and powertrain data has trips whose signals are whole', async () => {
    const client = clientOf();
    const range = { vin, startDate: '20260302', endDate: '20260309' };
    const driving = await client.getDrivingData(range);
    const powertrain = await client.getPowertrainData(range);
    expect(driving.trips.length).toBeGreaterThan(0);
    expect(powertrain.trips).toHaveLength(driving.trips.length);
    for (const trip of driving.trips) {
      const { columns, length } = toColumns('driving', trip);
      expect(length).toBeGreaterThan(0);
      for (const { counts } of Object.values(columns)) {
        expect(counts).toEqual({ samples: length, outOfRange: 0, sentinels: expect.any(Number), missing: 0 });
      }
    }
  });

  test('a quarter of trips comes in order, each once, and equals the windows asked for one by one', async () => {
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

  test('stopping sharing ends it for one vehicle, and its data then asks for consent', async () => {
    const client = clientOf();
    await client.stopSharing({ vin });
    const { vehicles } = await client.listVehicles();
    expect(vehicles.length).toBeGreaterThan(0);
    expect(vehicles.map((vehicle) => vehicle.vin)).not.toContain(vin);
    await expect(client.getLocation({ vin })).rejects.toMatchObject({
      name: 'ConsentError',
      resolution: 'ask-consent',
    });
  });

  test('stopping sharing for all vehicles ends it for the brand', async () => {
    const client = clientOf();
    await client.stopSharingForAllVehicles({ brand: 'brand_a' });
    expect(await client.listVehicles()).toEqual({ vehicles: [] });
    expect((await client.listVehicles({ brand: 'brand_b' })).vehicles.length).toBeGreaterThan(0);
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

  test('a burst of failures is ridden out', async () => {
    await fault({ kind: 'status', status: 503, retryAfterSeconds: 1, times: 2 });
    const clock = instantClock();
    await expect(clientOf({ clock }).getLocation({ vin })).resolves.toHaveProperty('location');
    expect(clock.pauses).toEqual([1_125, 1_125]);
  });
});
