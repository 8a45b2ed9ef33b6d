import { expect, it } from 'vitest';
import { basicDate } from '../src/fleet/calendar.js';
import { createSandbox, type SandboxOptions } from '../src/index.js';
import { brands, outcome, send, served, violations } from './calls.js';

const now = new Date('2026-06-30T00:00:00Z');
const listOf = async (vehicles: SandboxOptions['vehicles'], brand: string = brands[0]) =>
  (await send(createSandbox({ vehicles }), '/v1/vehicles/consent', { brand })).json.data.vehicles;

it('a fleet can be a number: the named vehicles first, then drawn ones of every brand that drive, and none beyond its size', async () => {
  const lists = await Promise.all(brands.map((brand) => listOf(5000, brand)));
  expect(new Set(lists.flat().map(({ vin }) => vin)).size).toBe(5000 - 7);
  expect(lists[0]?.[0]?.vin).toBe('SANDB0XA000000001');
  expect(await listOf(5000, brands[1])).toEqual(lists[1]);
  expect([await listOf(2), await listOf(0)].map(({ length }) => length)).toEqual([2, 0]);
  const sandbox = createSandbox({ vehicles: 5000, now, frozen: true });
  const path = `/v1/vehicles/${lists[2]?.at(-1)?.vin}/driving/data?startDate=20260302&endDate=20260308`;
  const driving = await send(sandbox, path, { brand: brands[2] });
  expect(driving.json.data.trips.length).toBeGreaterThan(0);
  expect(violations('getDrivingData', driving)).toEqual([]);
  const outside = send(sandbox, '/v1/vehicles/SANDB0XB000005001/locations', { brand: brands[1] });
  expect(await outcome(outside)).toBe('4101');
});

it('a fleet can be a list, and what an entry leaves out is drawn, or as usual around its home', async () => {
  const home = { latitude: 35.7, longitude: 139.7 };
  const vehicles: SandboxOptions['vehicles'] = [
    { vin: 'MYTESTCAR00000001', type: 'EV', brand: brands[1], zone: 'Asia/Tokyo', home },
    { vin: 'MYTESTCAR00000002', home: { latitude: -1.3, longitude: 36.8 }, consent: 'never' },
    { vin: 'MYTESTCAR00000003' },
    { vin: 'MYTESTCAR00000004', brand: brands[2], home: { latitude: 89.999, longitude: 179.999 } },
    { vin: 'MYTESTCAR00000005', brand: brands[2], zone: 'America/New_York' },
  ];
  expect(await listOf(vehicles, brands[1])).toMatchObject([{ vin: 'MYTESTCAR00000001', type: 'EV' }]);
  expect((await listOf(vehicles)).map(({ vin }) => vin)).toEqual(['MYTESTCAR00000003']);
  const sandbox = createSandbox({ now, frozen: true, vehicles });
  await sandbox.consents.set('MYTESTCAR00000002', 'shared');
  const locate = async (digit: number, brand: string) => {
    const response = await send(sandbox, `/v1/vehicles/MYTESTCAR0000000${digit}/locations`, { brand });
    expect(violations('getLocation', response)).toEqual([]);
    return response.json.data.location;
  };
  expect(await locate(1, brands[1])).toMatchObject({ latitude: expect.closeTo(35.7, 0), speed: { unit: 'kph' } });
  expect(await locate(2, brands[0])).toMatchObject({ longitude: expect.closeTo(36.8, 0), speed: { unit: 'kph' } });
  await locate(4, brands[2]);
  expect(await locate(5, brands[2])).toMatchObject({ latitude: expect.closeTo(41, 0), speed: { unit: 'mph' } });
});

it.each([
  { story: 'a vin that is none', vehicle: { vin: 'SHORT' } },
  { story: 'a brand that is none', vehicle: { vin: 'MYTESTCAR00000001', brand: 'nothing' } },
  { story: 'a zone without a home', vehicle: { vin: 'MYTESTCAR00000001', zone: 'Asia/Tokyo' } },
  { story: 'a home off the map', vehicle: { vin: 'MYTESTCAR00000001', home: { latitude: 91, longitude: 0 } } },
])('a fleet with a mistake is rejected without repeating the VIN: $story', ({ vehicle }) => {
  expect(() => createSandbox({ vehicles: [vehicle] })).toThrow(/^vehicles\[0\] (?!.*MYTESTCAR)/);
});

it('a fleet takes no memory: 40 MB of heap are enough to list 10,000 vehicles and read a year of one of them', async () => {
  const sandbox = await served(['--vehicles', '10000'], { NODE_OPTIONS: '--max-old-space-size=40' });
  const { data } = (await send(sandbox, '/v1/vehicles/consent')).json;
  expect(data.vehicles.length).toBeGreaterThan(3000);
  let trips = 0;
  for (let week = 0; week < 52; week++) {
    const [from, to] = [1, 7].map((day) => basicDate(Date.UTC(2025, 0, week * 7 + day)));
    // The same trips as of the driving data, in shorter responses.
    const path = `/v1/vehicles/SANDB0XA000009997/powertrains/data?startDate=${from}&endDate=${to}`;
    trips += (await send(sandbox, path)).json.data.trips.length;
  }
  expect(trips).toBeGreaterThan(300);
});
