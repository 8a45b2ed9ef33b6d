// Measures what eight days of the heaviest driver cost, beside JSON.stringify of the same object.
//   node bench/week-of-trips.ts
import { cpus } from 'node:os';
import process from 'node:process';
import { operations } from '@vehicle-data/openapi';
import { createSandbox } from '../dist/index.js';

const brand = operations.listVehicles.parameters[0].rule.enum[0];
const path = '/v1/vehicles/SANDB0XA000000002/driving/data';
const dayMs = 86_400_000;
const sandbox = createSandbox({ now: new Date('2026-06-30T00:00:00Z'), frozen: true });

/** The body of the response for eight days that end some weeks before June 2026. */
async function driving(weeks: number): Promise<Uint8Array> {
  const [start, end] = [7, 0].map((days) =>
    new Date(Date.UTC(2026, 5, 20) - (weeks * 8 + days) * dayMs).toISOString().slice(0, 10).replaceAll('-', ''),
  );
  const headers = { Brand: brand, Authorization: 'Bearer demo-access-token' };
  const response = await sandbox.fetch(`http://sandbox${path}?startDate=${start}&endDate=${end}`, { headers });
  return response.bytes();
}

const median = (values: readonly number[]) => values.toSorted((one, two) => one - two)[values.length >> 1] as number;

/** Processor time of some work in milliseconds, of all threads: other programs on the machine hardly change it. */
async function timed<Value>(work: () => Value | Promise<Value>): Promise<readonly [number, Value]> {
  const begin = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(begin);
  return [(user + system) / 1000, value];
}

const [weekMs, stringifyMs]: [number[], number[]] = [[], []];
let bytes = 0;
for (let week = 0; week < 48; week++) {
  const [drivingMs, body] = await timed(() => driving(week));
  const object: unknown = JSON.parse(new TextDecoder().decode(body));
  const [ms] = await timed(() => JSON.stringify(object));
  // The first weeks warm up.
  if (week < 8) continue;
  weekMs.push(drivingMs);
  stringifyMs.push(ms);
  bytes += body.length / 40;
}
console.log(`node ${process.version}, ${cpus()[0]?.model}; processor time, medians of 40 different weeks, interleaved`);
const megabytesPerSecond = (bytes / 1e3 / median(weekMs)).toFixed(0);
console.log(`${(bytes / 1e6).toFixed(1)} MB in ${median(weekMs).toFixed(1)} ms: ${megabytesPerSecond} MB per second`);
console.log(`JSON.stringify of the same object ${median(stringifyMs).toFixed(1)} ms`);
