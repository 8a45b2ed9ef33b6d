import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../src/index.js';
import { brands, send } from './calls.js';
import { violations } from './contract-check.js';

const now = new Date('2026-06-30T00:00:00Z');
const listOf = async (vehicles: number, brand: string | undefined) => {
  const { json } = await send(createSandbox({ vehicles }), '/v1/vehicles/consent', { brand: brand ?? null });
  return json.data.vehicles as readonly { readonly vin: string }[];
};

describe('a fleet of your own', () => {
  it('can be a number: the named vehicles first, then drawn ones of every brand, the same for one seed', async () => {
    const lists = await Promise.all(brands.map((brand) => listOf(5000, brand)));
    expect(lists.flat().length).toBe(5000 - 7);
    expect(lists[0]?.[0]?.vin).toBe('SANDB0XA000000001');
    expect(await listOf(5000, brands[1])).toEqual(lists[1]);
    expect(new Set(lists.flat().map(({ vin }) => vin)).size).toBe(5000 - 7);
    expect(await listOf(2, brands[0])).toHaveLength(2);
    expect(await listOf(0, brands[0])).toEqual([]);
  });

  it('has drawn vehicles that drive as the contract says, and none beyond its size', async () => {
    const sandbox = createSandbox({ vehicles: 100, now, frozen: true });
    const { json } = await send(sandbox, '/v1/vehicles/consent', { brand: brands[2] });
    const drawn = json.data.vehicles.at(-1)?.vin;
    const week = 'startDate=20260302&endDate=20260308';
    const driving = await send(sandbox, `/v1/vehicles/${drawn}/driving/data?${week}`, { brand: brands[2] });
    expect(driving.json.data.trips.length).toBeGreaterThan(0);
    expect(violations('getDrivingData', driving.status, driving.json)).toEqual([]);
    const outside = await send(sandbox, '/v1/vehicles/SANDB0XB000000101/locations', { brand: brands[1] });
    expect(outside.json.error?.code).toBe('4101');
  });

  it('can be a list, and what an entry leaves out is drawn', async () => {
    const sandbox = createSandbox({
      now,
      frozen: true,
      vehicles: [
        {
          vin: 'MYTESTCAR00000001',
          type: 'EV',
          brand: brands[1],
          zone: 'Asia/Tokyo',
          home: { latitude: 35.7, longitude: 139.7 },
        },
        { vin: 'MYTESTCAR00000002', home: { latitude: -1.3, longitude: 36.8 }, consent: 'never' },
        { vin: 'MYTESTCAR00000003' },
      ],
    });
    const list = async (brand: string) => {
      const { json } = await send(sandbox, '/v1/vehicles/consent', { brand });
      return json.data.vehicles.map(({ vin, type }: { vin: string; type: string }) => [vin, type]);
    };
    expect(await list(brands[1])).toEqual([['MYTESTCAR00000001', 'EV']]);
    expect(await list(brands[0])).toEqual([['MYTESTCAR00000003', expect.any(String)]]);
    const { json } = await send(sandbox, '/v1/vehicles/MYTESTCAR00000001/locations', { brand: brands[1] });
    expect(json.data.location.latitude).toBeCloseTo(35.7, 0);
    await sandbox.consents.set('MYTESTCAR00000002', 'shared');
    const nairobi = await send(sandbox, '/v1/vehicles/MYTESTCAR00000002/locations');
    expect(nairobi.json.data.location.longitude).toBeCloseTo(36.8, 0);
  });

  it.each([
    ['a vin that is none', { vin: 'SHORT' }],
    ['a brand that is none', { vin: 'MYTESTCAR00000001', brand: 'nothing' }],
    ['a zone without a home', { vin: 'MYTESTCAR00000001', zone: 'Asia/Tokyo' }],
    ['a home off the map', { vin: 'MYTESTCAR00000001', home: { latitude: 91, longitude: 0 } }],
  ])('is rejected with %s, without repeating the VIN', (_, vehicle) => {
    expect(() => createSandbox({ vehicles: [vehicle] })).toThrow(/^vehicles\[0\] (?!.*MYTESTCAR)/);
  });

  it('takes no memory: 10,000 vehicles are listed, and a year of one of them is read', async () => {
    const sandbox = createSandbox({ vehicles: 10_000, now: new Date('2027-01-01T00:00:00Z'), frozen: true });
    const read = async (weeks: number) => {
      await (await sandbox.fetch('http://sandbox/v1/vehicles/consent', { headers: { Brand: brands[0] } })).text();
      for (let week = 0; week < weeks; week++) {
        const [from, to] = [week * 7, week * 7 + 6].map((day) =>
          new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', ''),
        );
        await send(sandbox, `/v1/vehicles/SANDB0XA000009997/driving/data?startDate=${from}&endDate=${to}`);
      }
    };
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await read(2);
    collect();
    const before = process.memoryUsage().heapUsed;
    await read(52);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(12_000_000);
  });
});
