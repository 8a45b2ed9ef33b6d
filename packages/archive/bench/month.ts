import { createVehicleDataClient } from '@vehicle-data/client';
import { createSandbox, demoAccessToken } from '@vehicle-data/sandbox';

const sandbox = createSandbox({ now: new Date('2026-03-09T07:00:00Z'), frozen: true });
const client = createVehicleDataClient({
  baseUrl: 'http://sandbox',
  brand: 'brand_a',
  accessToken: demoAccessToken,
  fetch: sandbox.fetch,
});

/** February 2026 of one vehicle, as sent. */
export async function monthOfTrips(series: 'driving' | 'powertrain'): Promise<readonly unknown[]> {
  const trips: unknown[] = [];
  for await (const trip of client.trips[series]({ vin: 'SANDB0XA000000003', from: '20260201', to: '20260228' })) {
    trips.push(trip);
  }
  return trips;
}

const [series] = process.argv.slice(2);
if (import.meta.main && (series === 'driving' || series === 'powertrain')) {
  process.stdout.write(JSON.stringify(await monthOfTrips(series)));
}
