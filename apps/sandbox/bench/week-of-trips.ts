// Measures what a week of the heaviest driver costs against JSON.stringify of the same object.
//   node bench/week-of-trips.ts
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import process from 'node:process';
import { operations } from '@vehicle-data/openapi';
import { createSandbox } from '../dist/index.js';

const brand = operations.listVehicles.parameters[0].rule.enum[0];
const vin = 'SANDB0XA000000002';
const dayMs = 86_400_000;

const sandbox = createSandbox({ now: new Date('2026-06-30T00:00:00Z'), frozen: true });

/** The body of the response for eight days that end `weeks` before June 2026. */
async function driving(weeks: number): Promise<Uint8Array> {
  const [start, end] = [7, 0].map((days) =>
    new Date(Date.UTC(2026, 5, 20) - (weeks * 8 + days) * dayMs).toISOString().slice(0, 10).replaceAll('-', ''),
  );
  const url = `http://sandbox/v1/vehicles/${vin}/driving/data?startDate=${start}&endDate=${end}`;
  const response = await sandbox.fetch(
    new Request(url, { headers: { Brand: brand, Authorization: 'Bearer demo-access-token' } }),
  );
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

/** One line of a process that has not done anything before. */
if (process.argv[2] === 'fresh') {
  const [firstMs, bytes] = await timed(() => driving(0));
  const object: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const [stringifyMs] = await timed(() => JSON.stringify(object));
  console.log(`${firstMs} ${stringifyMs}`);
  process.exit();
}

console.log(`node ${process.version}, ${cpus()[0]?.model}; processor time, medians of 40 different weeks, interleaved`);
const figures = {
  first: [] as number[],
  stringify: [] as number[],
  ratio: [] as number[],
  bytes: 0,
};
for (let week = 0; week < 48; week++) {
  const [firstMs, bytes] = await timed(() => driving(week));
  const object: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const [stringifyMs] = await timed(() => JSON.stringify(object));
  if (week < 8) continue;
  figures.first.push(firstMs);
  figures.stringify.push(stringifyMs);
  figures.ratio.push(firstMs / stringifyMs);
  figures.bytes += bytes.length / 40;
}
const shown = (values: readonly number[]) => median(values).toFixed(1);
console.log(
  `${(figures.bytes / 1e6).toFixed(1)} MB in ${shown(figures.first)} ms, ${(figures.bytes / 1e3 / median(figures.first)).toFixed(0)} MB per second of processor time`,
);
console.log(
  `JSON.stringify of the same object ${shown(figures.stringify)} ms; first / stringify ${median(figures.ratio).toFixed(2)}`,
);

const fresh = Array.from({ length: 7 }, () =>
  execFileSync(process.execPath, [import.meta.filename, 'fresh'], { encoding: 'utf8' })
    .split(' ')
    .map(Number),
);
const [freshFirst, freshStringify] = [0, 1].map((at) => median(fresh.map((pair) => pair[at] as number))) as [
  number,
  number,
];
console.log(
  `in a process that has done nothing before: ${freshFirst.toFixed(0)} ms, JSON.stringify ${freshStringify.toFixed(0)} ms`,
);
