import { createVehicleDataClient } from '@vehicle-data/client';
import { type Brand, operations } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { expect, test } from 'vitest';
import { basicDate, sharedService } from './apps.ts';

const accessToken = 'demo-access-token';
const brands: readonly [Brand, Brand, Brand] = operations.listVehicles.parameters[0].rule.enum;
const week = { startDate: basicDate(-7), endDate: basicDate(0) };

// SDK → proxy → sandbox
const service = sharedService({ VDS_ALLOW_STOP_ALL: 'true' });
const client = (brand: Brand) => createVehicleDataClient({ baseUrl: service.proxy.address, brand, accessToken });
const sharing = async (brand: Brand) => (await client(brand).listVehicles()).vehicles.map(({ vin }) => vin);

/** The first two vehicles of a brand. */
async function twoVehicles(brand: Brand): Promise<readonly [string, string]> {
  const [first, second] = await sharing(brand);
  if (first === undefined || second === undefined) throw new Error('the demo owner shares fewer than two vehicles');
  return [first, second];
}

const headers = { Brand: brands[0], Authorization: `Bearer ${accessToken}` };
/** A GET request for a vehicle, without the SDK. */
const get = (path: string, vin = '', query = '') =>
  fetch(`${service.proxy.address}${path.replace('{vin}', vin)}${query}`, { headers });

test('all six operations work from the SDK through the proxy to the sandbox and back', async () => {
  const [brand] = brands;
  const sdk = client(brand);
  const [vin] = await twoVehicles(brand);
  const driving = await sdk.getDrivingData({ vin, ...week });
  const powertrain = await sdk.getPowertrainData({ vin, ...week, zoneId: 'Europe/Berlin' });
  const { location } = await sdk.getLocation({ vin });
  const status = await sdk.getCurrentStatus({ vin });
  expect(driving.trips.length).toBeGreaterThan(0);
  expect(driving.trips[0]?.odometer?.value?.length).toBeGreaterThan(60);
  expect(powertrain.trips.length).toBeGreaterThan(0);
  expect(location.latitude).toBeTypeOf('number');
  expect(status.odometer?.value).toBeGreaterThan(0);
  await sdk.stopSharing({ vin });
  expect(await sharing(brand)).not.toContain(vin);
});

test('every response on the way is a response of the contract', async () => {
  const [vin] = await twoVehicles(brands[0]);
  const reads = Object.values(operations).filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThanOrEqual(5);
  for (const { operationId, path, dateRange } of reads) {
    const days = dateRange && { startDate: basicDate(-Math.min(dateRange.maxDays, 7)), endDate: basicDate(0) };
    const response = await get(path, vin, days ? `?${new URLSearchParams(days)}` : '');
    expect(response.status).toBe(200);
    expect(validateResponse(operationId, 200, await response.json())).toMatchObject({ ok: true });
  }
});

test('meta.success is the string "true" on most calls and true on the current status; the SDK makes both true', async () => {
  const [vin] = await twoVehicles(brands[0]);
  const success = async (path: string) => {
    const { meta } = (await (await get(path, vin)).json()) as { meta: { success: unknown } };
    return meta.success;
  };
  expect(await success(operations.getLocation.path)).toBe('true');
  expect(await success(operations.getCurrentStatus.path)).toBe(true);
  const sdk = client(brands[0]);
  for (const call of [sdk.getLocation({ vin }), sdk.getCurrentStatus({ vin })]) {
    expect((await call.withResponse()).meta.success).toBe(true);
  }
});

test('withdrawing one vehicle takes it from the list and its data away, and leaves the others', async () => {
  const [brand, otherBrand] = brands;
  const before = await sharing(brand);
  const elsewhere = await sharing(otherBrand);
  const [gone, stays] = await twoVehicles(brand);
  const sdk = client(brand);

  await sdk.stopSharing({ vin: gone });

  expect(await sharing(brand)).toEqual(before.filter((vin) => vin !== gone));
  expect(await sharing(otherBrand)).toEqual(elsewhere);
  for (const call of [sdk.getLocation({ vin: gone }), sdk.getDrivingData({ vin: gone, ...week })])
    await expect(call).rejects.toMatchObject({ name: 'ConsentError', code: '5006', resolution: 'ask-consent' });
  expect(await sdk.getLocation({ vin: stays })).toHaveProperty('location');
});

test('withdrawing all vehicles of a brand leaves the other brands as they are', async () => {
  const [brand, second, third] = brands;
  const others = [await sharing(second), await sharing(third)];
  expect(others.every((vins) => vins.length > 0)).toBe(true);

  await client(brand).stopSharingForAllVehicles({ brand });

  expect(await sharing(brand)).toEqual([]);
  expect([await sharing(second), await sharing(third)]).toEqual(others);
});

test('a range of one day too many is rejected by the proxy with 4002', async () => {
  const [vin] = await twoVehicles(brands[0]);
  const { path, dateRange } = operations.getDrivingData;
  const days = new URLSearchParams({ startDate: basicDate(-dateRange.maxDays - 1), endDate: basicDate(0) });
  const response = await get(path, vin, `?${days}`);
  expect(response.status).toBe(400);
  const reason = `endDate is ${dateRange.maxDays + 1} days after startDate; at most ${dateRange.maxDays} are allowed`;
  expect(await response.json()).toMatchObject({
    error: { code: '4002', details: [{ in: 'query', name: 'endDate', reason }] },
  });
});

test('a call without a token is rejected where one is needed, and the list is not', async () => {
  const [vin] = await twoVehicles(brands[0]);
  const call = (path: string) =>
    fetch(`${service.proxy.address}${path.replace('{vin}', vin)}`, { headers: { Brand: brands[0] } });
  expect((await call(operations.listVehicles.path)).status).toBe(200);
  const rejected = await call(operations.getLocation.path);
  expect(rejected.status).toBe(401);
  expect(await rejected.json()).toMatchObject({ error: { code: 'missing-bearer-token' } });
});

// The last test: both have printed what they print for every call above.
test('neither app prints a token or a VIN', async () => {
  const vins = await sharing(brands[0]);
  for (const vin of vins) await client(brands[0]).getLocation({ vin });
  for (const secret of [accessToken, ...vins]) {
    expect(service.sandbox.output()).not.toContain(secret);
    expect(service.proxy.output()).not.toContain(secret);
  }
});
