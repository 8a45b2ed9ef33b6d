import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadWindow } from '../src/index.js';

/** VINs of test vehicles. */
export const vin = (digit: number) => `TESTVEHICLE00000${digit}`;

/** Test vehicles of one brand. */
export const vehiclesOf = (...digits: readonly number[]) =>
  digits.map((digit) => ({ brand: 'brand_a', vin: vin(digit) }));

/** A key for archives whose files are compared: vehicles stand under keyed hashes. */
export const keyText = `${'5a'.repeat(32)}\n`;

/** The time at which the tests take place: everything up to February is settled, March is not. */
export const now = Date.parse('2026-03-12T10:00:00.000Z');

const msPerDay = 86_400_000;

/** A pure function of the request: a few trips a day, with everything that a service may send. */
export const syntheticWindow: ReadWindow = async ({ vin: name, series, startDate, endDate }) => {
  const trips: unknown[] = [];
  for (let day = dayOf(startDate); day <= dayOf(endDate); day += msPerDay) {
    // Some days nobody drives.
    if ((day / msPerDay + name.charCodeAt(16)) % 5 === 0) continue;
    for (let hour = 7; hour < 10; hour += 1) trips.push(trip(series, day + hour * 3_600_000, hour));
  }
  return trips;
};

function trip(series: string, start: number, hour: number): unknown {
  const n = 20 + (start % 7);
  const iso = new Date(start).toISOString();
  // One start a day in another notation.
  const head = { triggerStartTime: hour === 7 ? iso.replace('.000', '') : iso, tripLength: n * 1_000 };
  const numbers = (scale: number) =>
    Array.from({ length: n }, (_, index) => Math.round(Math.sin(index) * scale * 10) / 10);
  if (series === 'powertrain') {
    const engine = { rpm: numbers(900), oilTemperature: hour === 8 ? null : numbers(40) };
    return { ...head, engine, newMember: { hour } };
  }
  return {
    ...head,
    odometer: { value: [1677721.4, null, 16777215, ...numbers(3)] },
    acceleration: { longitudinal: [-4.177, 4.177, 0.1 + 0.2, -0] },
    seatbelt: { driver: ['unbelted', 'belted'], assistance: [] },
    transmission: { gear: Array.from({ length: n }, () => 'd') },
    // Not what the contract says: kept as sent.
    isla: { optionUsm: ['warning', 3, null], optionUsm2: 'off' },
    ignition: { status: ['on', '\ud800'] },
    'odometer.value': [9, 9],
  };
}

const dayOf = (date: string) => Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00.000Z`);

/** Hashes of the data files by their path. */
export async function dataFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/^brand=.*\/[^._][^/]*\.(parquet|ndjson|csv)$/.test(name)) continue;
    const content = readFileSync(join(folder, name));
    hashes[name] = createHash('sha256').update(content).digest('hex');
  }
  return hashes;
}
