// Each example of the contract as a case that the sandbox sends: same members, as many vehicles and trips, same `meta.success`.
import { type OperationId, operations } from '@vehicle-data/openapi';
import { openContract } from '@vehicle-data/openapi/model';
import { expect, it } from 'vitest';
import { createSandbox, type SandboxOptions } from '../src/index.js';
import { handlers } from '../src/operations.js';
import { brands, send, type TestResponse, violations } from './calls.js';

const contract = await openContract();

/** Every example of a successful response, by name. A deployment's own operations are played from their schemas. */
const played = Object.values(operations).filter(({ operationId }) => operationId in handlers);
const examples = played.flatMap(({ operationId, path, method }) => {
  const response = contract.child('paths').child(path).child(method.toLowerCase()).child('responses').child('200');
  const named = response.child('content').child('application/json').child('examples').entries();
  return named.map(([name, example]) => ({
    operationId: operationId satisfies OperationId,
    name,
    body: example.resolved('examples').child('value').object(),
  }));
});

/** What a body is made of. Samples of a signal count as one value, so that a trip of any length is alike. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isSamples = value.length > 0 && value.every((item) => typeof item !== 'object');
    return isSamples ? [...new Set(value.map((item) => typeof item))] : value.map(shapeOf);
  }
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

const electric = 'SANDB0XA000000001';
const combustion = 'SANDB0XA000000002';
const hybrid = 'SANDB0XA000000003';
const frozenAt = (now: string, options: SandboxOptions = {}) =>
  createSandbox({ ...options, now: new Date(now), frozen: true });
const withdrawn = async (...vins: readonly string[]) => {
  const sandbox = createSandbox();
  for (const vin of vins) await sandbox.consents.set(vin, 'withdrawn');
  return sandbox;
};
const list = '/v1/vehicles/consent';

/** The trips of the first day in March that has so many. */
async function dayWith(trips: number, vin: string, data: 'driving' | 'powertrains'): Promise<TestResponse> {
  const sandbox = frozenAt('2026-04-02T00:00:00Z');
  for (let day = 1; day <= 31; day++) {
    const date = `202603${String(day).padStart(2, '0')}`;
    const response = await send(sandbox, `/v1/vehicles/${vin}/${data}/data?startDate=${date}&endDate=${date}`);
    if (response.json.data.trips.length === trips) return response;
  }
  throw new Error(`no day of March has ${trips} trips`);
}

/** What the vehicle reports while a trip is running, and after it. */
async function during(path: string, isWanted: (response: TestResponse) => boolean): Promise<TestResponse> {
  const sandbox = frozenAt('2026-03-02T00:00:00Z');
  for (let minute = 0; minute < 3 * 24 * 60; minute++) {
    sandbox.clock.advance(60_000);
    const response = await send(sandbox, `/v1/vehicles/${electric}/${path}`);
    if (isWanted(response)) return response;
  }
  throw new Error('three days without such a report');
}

/** The trips of today, asked for a minute after the end of the first one. Later, the same call returns more: the list is provisional. */
async function firstOf(vin: string, data: 'driving' | 'powertrains'): Promise<TestResponse> {
  const [trip] = (await dayWith(2, vin, data)).json.data.trips;
  if (trip === undefined) throw new Error('a day without a trip');
  const { triggerStartTime: start, tripLength } = trip;
  const sandbox = frozenAt(new Date(Date.parse(start) + tripLength + 60_000).toISOString());
  const today = start.slice(0, 10).replaceAll('-', '');
  const path = `/v1/vehicles/${vin}/${data}/data?startDate=${today}&endDate=${today}`;
  const response = await send(sandbox, path);
  sandbox.clock.advance(24 * 3_600_000);
  expect((await send(sandbox, path)).json.data.trips).toHaveLength(2);
  return response;
}

const isOnTheWay = ({ json }: TestResponse) => json.data.transmission?.parkingPosition === false;
const isReady = ({ json }: TestResponse) =>
  json.data.transmission?.parkingPosition === true && json.data.ignition?.status === 'on';

const cases: Readonly<Record<string, () => Promise<TestResponse>>> = {
  VehicleList: async () => send(await withdrawn(hybrid, 'SANDB0XA000000006'), list),
  VehicleListOfOne: async () => send(await withdrawn(combustion, hybrid, 'SANDB0XA000000006'), list),
  VehicleListEmpty: async () => {
    const sandbox = createSandbox();
    await send(sandbox, list, { method: 'DELETE' });
    return send(sandbox, list);
  },
  SharingStopped: () => send(createSandbox(), `${list}?vin=${electric}`, { method: 'DELETE', brand: brands[0] }),
  PowertrainTrips: () => dayWith(2, hybrid, 'powertrains'),
  PowertrainTripsElectric: () => firstOf(electric, 'powertrains'),
  PowertrainTripsCombustion: () => firstOf(combustion, 'powertrains'),
  PowertrainTripsEmpty: () => dayWith(0, electric, 'powertrains'),
  DrivingTrips: () => firstOf(electric, 'driving'),
  DrivingTripsProvisional: () => firstOf(electric, 'driving'),
  DrivingTripsEmpty: () => dayWith(0, electric, 'driving'),
  Location: () => during('locations', ({ json }) => (json.data.location.speed?.value ?? 0) > 0),
  LocationParked: () => during('locations', ({ json }) => json.data.location.speed?.value === 0),
  CurrentStatus: () => during('batteries', isReady),
  CurrentStatusDriving: () => during('batteries', isOnTheWay),
};

it('every example of the contract has a case here, and every case an example', () => {
  expect(Object.keys(cases).toSorted()).toEqual(examples.map(({ name }) => name).toSorted());
});

it.each(examples)(
  'the sandbox sends an example of the contract: $name of $operationId',
  async ({ operationId, name, body }) => {
    const response = await (cases[name]?.() ?? Promise.reject(new Error('no case')));
    expect(response.status).toBe(200);
    expect(violations(operationId, response)).toEqual([]);
    expect(shapeOf(response.json)).toEqual(shapeOf(body));
  },
);

it.each(['VehicleList', 'VehicleListOfOne', 'VehicleListEmpty', 'SharingStopped'])(
  'the data of %s are those of the demo fleet, to the letter',
  async (name) => {
    const response = await cases[name]?.();
    expect(response?.json.data).toEqual(examples.find((example) => example.name === name)?.body['data']);
  },
);
