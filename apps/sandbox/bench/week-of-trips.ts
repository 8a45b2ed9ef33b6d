// Measures what eight days of the heaviest driver cost, beside JSON.stringify of the same object.
//   node bench/week-of-trips.ts
import { cpus } from 'node:os';
import process from 'node:process';
import { createSandbox, demoAccessToken } from '../dist/index.js';

const vin = 'SANDB0XA000000002';
const dayMs = 86_400_000;
const sandbox = createSandbox({ now: new Date('2026-06-30T00:00:00Z'), frozen: true });
const headers = { Brand: sandbox.vehicle(vin)?.brand ?? '', Authorization: `Bearer ${demoAccessToken}` };

/** Processor time of some work in milliseconds, of all threads: other programs on the machine hardly change it. */
async function timed<Value>(work: () => Value | Promise<Value>): Promise<readonly [number, Value]> {
  const begin = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(begin);
  return [(user + system) / 1000, value];
}

const rounds: { readonly megabytes: number; readonly weekMs: number; readonly stringifyMs: number }[] = [];
for (let week = 0; week < 48; week++) {
  const [end, start] = [0, 7].map((days) =>
    new Date(Date.UTC(2026, 5, 20) - (week * 8 + days) * dayMs).toISOString().slice(0, 10).replaceAll('-', ''),
  );
  const url = `http://sandbox/v1/vehicles/${vin}/driving/data?startDate=${start}&endDate=${end}`;
  const [weekMs, body] = await timed(async () => (await sandbox.fetch(url, { headers })).bytes());
  const object: unknown = JSON.parse(new TextDecoder().decode(body));
  const [stringifyMs] = await timed(() => JSON.stringify(object));
  // The first weeks warm up.
  if (week >= 8) rounds.push({ megabytes: body.length / 1e6, weekMs, stringifyMs });
}
const median = (of: keyof (typeof rounds)[number]) => rounds.map((round) => round[of]).sort((a, b) => a - b)[20] ?? 0;
console.log(`node ${process.version}, ${cpus()[0]?.model}; processor time, medians of 40 different weeks, interleaved`);
const speed = ((median('megabytes') / median('weekMs')) * 1000).toFixed(0);
console.log(`${median('megabytes').toFixed(1)} MB in ${median('weekMs').toFixed(1)} ms: ${speed} MB per second`);
console.log(`JSON.stringify of the same object ${median('stringifyMs').toFixed(1)} ms`);
