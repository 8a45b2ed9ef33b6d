import { createVehicleDataClient, isVehicleDataError } from '@vehicle-data/client';
import { type Brand, operations } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { expect, test } from 'vitest';
import { basicDate, startService } from './apps.ts';

const accessToken = 'demo-access-token';
const brands: readonly [Brand, Brand, Brand] = operations.listVehicles.parameters[0].rule.enum;
const week = { startDate: basicDate(-7), endDate: basicDate(0) };

/** SDK → proxy → sandbox, one of each, for one test. */
async function startJourney() {
  const { sandbox, proxy } = await startService();
  const client = (brand: Brand) => createVehicleDataClient({ baseUrl: proxy.address, brand, accessToken });
  const sharing = async (brand: Brand) => (await client(brand).listVehicles()).vehicles.map(({ vin }) => vin);
  return { sandbox, proxy, client, sharing };
}

async function refusalOf(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isVehicleDataError(error)) throw new Error('the call was expected to fail with an error of the SDK');
  return error;
}

test('all six operations travel from the SDK through the proxy to the sandbox and back', async () => {
  const { client, sharing } = await startJourney();
  const [brand] = brands;
  const service = client(brand);
  const [vin, other] = await sharing(brand);
  if (vin === undefined || other === undefined)
    throw new Error('the demo owner shares fewer than two vehicles of the brand');

  const driving = await service.getDrivingData({ vin, ...week });
  const powertrain = await service.getPowertrainData({ vin, ...week, zoneId: 'Europe/Berlin' });
  const { location } = await service.getLocation({ vin });
  const status = await service.getCurrentStatus({ vin });
  expect(driving.trips.length).toBeGreaterThan(0);
  expect(driving.trips[0]?.odometer?.value?.length).toBeGreaterThan(60);
  expect(powertrain.trips.length).toBeGreaterThan(0);
  expect(location.latitude).toBeTypeOf('number');
  expect(status.odometer?.value).toBeGreaterThan(0);
  await service.stopSharing({ vin });
  expect(await sharing(brand)).not.toContain(vin);
});

test('every response on the way is a response of the contract', async () => {
  const { proxy, sharing } = await startJourney();
  const [brand] = brands;
  const [vin] = await sharing(brand);
  if (vin === undefined) throw new Error('the demo owner shares no vehicle of the brand');
  const reads = Object.values(operations).filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThanOrEqual(5);
  for (const { operationId, path, dateRange } of reads) {
    const days = dateRange && { startDate: basicDate(-Math.min(dateRange.maxDays, 7)), endDate: basicDate(0) };
    const query = days ? `?${new URLSearchParams(days)}` : '';
    const response = await fetch(`${proxy.address}${path.replace('{vin}', vin)}${query}`, {
      headers: { Brand: brand, Authorization: `Bearer ${accessToken}` },
    });
    expect(response.status).toBe(200);
    expect(validateResponse(operationId, 200, await response.json())).toMatchObject({ ok: true });
  }
});

test('meta.success is the string "true" on most calls and true on the current status; the SDK makes both true', async () => {
  const { proxy, client, sharing } = await startJourney();
  const [brand] = brands;
  const [vin] = await sharing(brand);
  if (vin === undefined) throw new Error('the demo owner shares no vehicle of the brand');
  const success = async (path: string) => {
    const response = await fetch(`${proxy.address}${path.replace('{vin}', vin)}`, {
      headers: { Brand: brand, Authorization: `Bearer ${accessToken}` },
    });
    const { meta } = (await response.json()) as { meta: { success: unknown } };
    return meta.success;
  };
  expect(await success(operations.getLocation.path)).toBe('true');
  expect(await success(operations.getCurrentStatus.path)).toBe(true);
  for (const call of [client(brand).getLocation({ vin }), client(brand).getCurrentStatus({ vin })]) {
    expect((await call.withResponse()).meta.success).toBe(true);
  }
});

test('withdrawing one vehicle takes it from the list and its data away, and leaves the others', async () => {
  const { client, sharing } = await startJourney();
  const [brand, otherBrand] = brands;
  const before = await sharing(brand);
  const elsewhere = await sharing(otherBrand);
  const [gone, stays] = before;
  if (gone === undefined || stays === undefined)
    throw new Error('the demo owner shares fewer than two vehicles of the brand');

  await client(brand).stopSharing({ vin: gone });

  expect(await sharing(brand)).toEqual(before.filter((vin) => vin !== gone));
  expect(await sharing(otherBrand)).toEqual(elsewhere);
  for (const call of [client(brand).getLocation({ vin: gone }), client(brand).getDrivingData({ vin: gone, ...week })]) {
    expect(await refusalOf(call)).toMatchObject({ code: '5006', resolution: 'ask-consent' });
  }
  expect(await client(brand).getLocation({ vin: stays })).toHaveProperty('location');
});

test('withdrawing all vehicles of a brand leaves the other brands as they are', async () => {
  const { client, sharing } = await startJourney();
  const [brand, second, third] = brands;
  const others = [await sharing(second), await sharing(third)];
  expect(others.every((vins) => vins.length > 0)).toBe(true);

  await client(brand).stopSharingForAllVehicles({ brand });

  expect(await sharing(brand)).toEqual([]);
  expect([await sharing(second), await sharing(third)]).toEqual(others);
});

test('a range of one day too many is rejected by the proxy with 4002', async () => {
  const { proxy, sharing } = await startJourney();
  const [vin] = await sharing(brands[0]);
  const path = operations.getDrivingData.path.replace('{vin}', String(vin));
  const { maxDays } = operations.getDrivingData.dateRange;
  const query = new URLSearchParams({ startDate: basicDate(-maxDays - 1), endDate: basicDate(0) });
  const response = await fetch(`${proxy.address}${path}?${query}`, {
    headers: { Brand: brands[0], Authorization: `Bearer ${accessToken}` },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: {
      code: '4002',
      details: [
        {
          in: 'query',
          name: 'endDate',
          reason: `endDate is ${maxDays + 1} days after startDate; at most ${maxDays} are allowed`,
        },
      ],
    },
  });
});

test('a call without a token is rejected where one is needed, and the list is not', async () => {
  const { proxy, sharing } = await startJourney();
  const [vin] = await sharing(brands[0]);
  const call = (path: string) =>
    fetch(`${proxy.address}${path.replace('{vin}', String(vin))}`, { headers: { Brand: brands[0] } });
  expect((await call(operations.listVehicles.path)).status).toBe(200);
  const rejected = await call(operations.getLocation.path);
  expect(rejected.status).toBe(401);
  expect(await rejected.json()).toMatchObject({ error: { code: 'missing-bearer-token' } });
});

test('neither app prints a token or a VIN', async () => {
  const { sandbox, proxy, client, sharing } = await startJourney();
  const vins = await sharing(brands[0]);
  for (const vin of vins) await client(brands[0]).getLocation({ vin });
  for (const secret of [accessToken, ...vins]) {
    expect(sandbox.output()).not.toContain(secret);
    expect(proxy.output()).not.toContain(secret);
  }
});
