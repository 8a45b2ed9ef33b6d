// What collecting costs without a collector: for each vehicle the call of the SDK, the file of the archive, and the put. Started by scale.ts.
import { encodeWindow, folderStores, settleArchive, windowsOf } from '@vehicle-data/archive/store';
import { createVehicleDataClient } from '@vehicle-data/client';
import { seriesTable } from '@vehicle-data/client/series';

const [, , baseUrl = '', folder = ''] = process.argv;
const client = createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken: null, maxRetries: 0 });
const { settings, pseudonymOf } = settleArchive('5a'.repeat(32), undefined, { source: baseUrl, format: 'parquet' });
const { blobs } = folderStores(folder);
const now = Date.now();
const today = new Date(now).toISOString().slice(0, 10);
const { vehicles } = await client.listVehicles();
const tasks = vehicles.flatMap(({ vin }) =>
  (['driving', 'powertrain'] as const).flatMap((series) =>
    windowsOf(today, today, now, seriesTable[series].maxDays).map((window) => ({ vin, series, ...window })),
  ),
);
// As many at a time as a collector has.
async function work(): Promise<void> {
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    const { vin, series, from, to } = task;
    const call = series === 'driving' ? client.getDrivingData : client.getPowertrainData;
    const { trips } = await call({
      ...{ vin, zoneId: 'UTC', startDate: from.replaceAll('-', ''), endDate: to.replaceAll('-', '') },
    });
    const window = { brand: 'brand_a', vehicle: pseudonymOf(vin), series, from, to };
    const { path, content, sha256 } = await encodeWindow(settings, window, trips, now);
    if (path && content && sha256) await blobs.put(path, content, { sha256 });
  }
}
await Promise.all(Array.from({ length: 4 }, work));
