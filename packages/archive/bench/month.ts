import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVehicleDataClient } from '@vehicle-data/client';
import { windowsOf } from '../dist/windows.js';
import { createSandbox, demoAccessToken } from '../test/sandbox.ts';

const sandbox = createSandbox({ now: new Date('2026-03-09T07:00:00Z'), frozen: true });
const client = createVehicleDataClient({
  baseUrl: 'http://sandbox',
  brand: 'brand_a',
  accessToken: demoAccessToken,
  fetch: sandbox.fetch,
});

/** Trips of February 2026 of one vehicle, as sent; of all days or of some. */
export async function monthOfTrips(series: 'driving' | 'powertrain', from = '01', to = '28'): Promise<unknown[]> {
  const trips: unknown[] = [];
  const days = { from: `202602${from}`, to: `202602${to}` };
  for await (const trip of client.trips[series]({ vin: 'SANDB0XA000000003', ...days })) trips.push(trip);
  return trips;
}

// Writes the windows of both series to a folder: node bench/month.ts FOLDER
const [folder] = process.argv.slice(2);
if (import.meta.main && folder) {
  for (const series of ['driving', 'powertrain'] as const) {
    for (const { from, to } of windowsOf('2026-02-01', '2026-02-28', Date.now(), 7)) {
      const trips = await monthOfTrips(series, from.slice(8), to.slice(8));
      await writeFile(join(folder, `${series}-${from.slice(8)}.json`), JSON.stringify(trips));
    }
  }
}
