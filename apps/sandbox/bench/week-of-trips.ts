// Measures the processor time of eight days of the heaviest driver: other programs on the machine hardly change it.
//   node bench/week-of-trips.ts
import { cpus } from 'node:os';
import process from 'node:process';
import { createSandbox, demoAccessToken } from '../dist/index.js';

const vin = 'SANDB0XA000000002';
const dayMs = 86_400_000;
const sandbox = createSandbox({ now: new Date('2026-06-30T00:00:00Z'), frozen: true });
const headers = { Brand: sandbox.vehicle(vin)?.brand ?? '', Authorization: `Bearer ${demoAccessToken}` };

let [megabytes, seconds] = [0, 0];
for (let week = 0; week < 48; week++) {
  const [end, start] = [0, 7].map((days) =>
    new Date(Date.UTC(2026, 5, 20) - (week * 8 + days) * dayMs).toISOString().slice(0, 10).replaceAll('-', ''),
  );
  const url = `http://sandbox/v1/vehicles/${vin}/driving/data?startDate=${start}&endDate=${end}`;
  const begin = process.cpuUsage();
  const body = await (await sandbox.fetch(url, { headers })).bytes();
  const { user, system } = process.cpuUsage(begin);
  // The first weeks warm up.
  if (week < 8) continue;
  megabytes += body.length / 1e6;
  seconds += (user + system) / 1e6;
}
console.log(`node ${process.version}, ${cpus()[0]?.model}: ${(megabytes / seconds).toFixed(0)} MB of trips per second`);
