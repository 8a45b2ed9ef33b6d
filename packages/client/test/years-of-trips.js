// Iterates over three years of daily trips in a heap that cannot hold them all; run with --max-old-space-size.
import { createVehicleDataClient } from '../dist/index.js';

const msPerDay = 86_400_000;
const samples = Array.from({ length: 15_000 }, (_, index) => (index * 7) % 16_383);
const toTime = (date) => Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`);
let bytes = 0;

const client = createVehicleDataClient({
  baseUrl: 'http://127.0.0.1',
  brand: 'brand_a',
  accessToken: 'x',
  async fetch(url) {
    const query = new URL(url).searchParams;
    const trips = [];
    for (let time = toTime(query.get('startDate')); time <= toTime(query.get('endDate')); time += msPerDay) {
      trips.push({ triggerStartTime: new Date(time).toISOString(), tripLength: 15_000_000, engine: { rpm: samples } });
    }
    const body = JSON.stringify({ data: { trips }, meta: { success: 'true' } });
    bytes += body.length;
    return new Response(body);
  },
});

let trips = 0;
for await (const trip of client.trips.powertrain({ vin: 'SANDB0XA000000001', from: '20230101', to: '20251231' })) {
  if (trip.engine.rpm.length === samples.length) trips += 1;
}
console.log(JSON.stringify({ trips, megabytes: bytes / 1e6 }));
