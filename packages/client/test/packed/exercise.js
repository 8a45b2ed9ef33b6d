// One program for every runtime, written as a user of the published package would: it knows the packages by their names alone.
import { createVehicleDataClient, isVehicleDataError } from '@vehicle-data/client';
import { toColumns, toRows } from '@vehicle-data/client/series';
import { operations } from '@vehicle-data/openapi';
import { validateRequest, validateResponse } from '@vehicle-data/validators';

/** Calls a service in every way, checks calls and responses, and gives what came, as plain JSON. */
export async function exercise(baseUrl) {
  const options = { baseUrl, brand: 'brand_a', accessToken: 'demo-access-token', maxRetries: 0 };
  const client = createVehicleDataClient(options);
  const nowhere = createVehicleDataClient({ ...options, baseUrl: 'http://127.0.0.1:9' });
  const vin = (digit) => `SANDB0XA00000000${digit}`;
  const outcome = (call) =>
    call.then(
      () => 'no error',
      (error) => `${error.name} ${error.code} ${isVehicleDataError(error)} ${String(error).includes('SANDB0X')}`,
    );
  // A method, whose name a minifier leaves.
  const page = {
    async loadDashboard() {
      return await client.getLocation({ vin: vin(3) });
    },
  };
  const leave = new AbortController();
  setTimeout(() => leave.abort(), 20);

  const { vehicles } = await client.listVehicles();
  const { data, meta, status, dataAgeMs } = await client.getLocation({ vin: vin(1) }).withResponse();
  const { error } = await client.raw.GET('/v1/vehicles/{vin}/batteries', { params: { path: { vin: vin(3) } } });
  const { path } = operations.listVehicles;
  const { data: list } = await client.raw.GET(path);
  let trips = 0;
  let rows = 0;
  const range = { vin: vin(1), from: '20260101', to: '2026-01-20' };
  for await (const trip of client.trips.powertrain(range, { windowDays: 8 })) {
    trips += 1;
    for (const set of toRows(toColumns('powertrain', trip))) rows += set.rows.length;
  }
  // As many at a time as leave runtimes with connections that they use again, and as would look like a leak of listeners.
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 11 }, () => client.listVehicles({ signal })));
  return {
    withdrawal: await outcome(client.stopSharing({ vin: vin(6) })),
    vehicles: vehicles.length,
    latitude: data.location.latitude,
    success: meta.success,
    status,
    dataAgeMs,
    raw: error.error.code,
    path,
    requests: ['brand_a', 'brand_z'].map((brand) => validateRequest('listVehicles', { headers: { brand } }).ok),
    responses: [list, { data: {} }].map((body) => validateResponse('listVehicles', 200, body).ok),
    trips,
    rows,
    redirect: await outcome(client.getLocation({ vin: vin(2) })),
    rejection: await outcome(client.getLocation({ vin: vin(3) })),
    page: await outcome(client.getLocation({ vin: vin(4) })),
    silence: await outcome(client.getLocation({ vin: vin(5) }, { timeoutMs: 60 })),
    abort: await outcome(client.getLocation({ vin: vin(5) }, { signal: leave.signal })),
    argument: await outcome(client.stopSharing({ vin: '' })),
    wide: await outcome(client.stopSharingForAllVehicles({ brand: 'brand_b' })),
    unreachable: await outcome(nowhere.listVehicles()),
    stack: await page.loadDashboard().catch(({ stack }) => stack.includes('loadDashboard')),
  };
}
