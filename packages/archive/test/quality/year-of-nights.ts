// How well a year of nightly exports knows what is missing: node test/quality/year-of-nights.ts 50
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchive, type QualityReport } from '@vehicle-data/archive';
import { keyText } from '../synthetic-source.ts';
import { type FaultRates, type Faulty, faultsOf, nightsOf, sandboxTrips } from './faulty-nights.ts';

const days = { from: '2025-03-01', to: '2026-02-28' };
const rates: FaultRates = { lost: 25, late: 37, cut: 41, altered: 53, doubled: 67, oneSided: 79 };
const count = Number(process.argv[2] ?? 50);
const kinds = Object.keys(rates) as (keyof FaultRates)[];

const totals = Object.fromEntries(kinds.map((kind) => [kind, { known: 0, found: 0, right: 0 }]));
let [alarms, trips, unmoved] = [0, 0, 0];
for (let number = 1; number <= count; number += 1) {
  const vin = `SANDB0XA${String(100_000_000 + number).slice(-9)}`;
  const sent = await sandboxTrips([vin], days, { vehicles: [{ vin }] });
  trips += sent.get(vin)?.driving.length ?? 0;
  alarms += (await reportOf(vin, faultsOf(sent, {}))).alarms.length;
  const faulty = faultsOf(sent, rates);
  unmoved += faulty.unmoved;
  const known = faulty.known(() => 'vehicle');
  const found = findingsOf(await reportOf(vin, faulty));
  for (const kind of kinds) {
    const total = totals[kind];
    if (!total) continue;
    const [expected, seen] = [new Set(known[kind]), new Set(found[kind].map((start) => `vehicle ${start}`))];
    total.known += expected.size;
    total.found += seen.size;
    total.right += [...seen].filter((start) => expected.has(start)).length;
  }
  process.stderr.write(
    `${number} of ${count} vehicles, ${trips} trips, ${alarms} alarms of clean years, ${unmoved} lost without a kilometer, ${JSON.stringify(totals)}\n`,
  );
}

console.log(`${count} vehicles, ${trips} trips, ${days.from} to ${days.to}; alarms of the clean year: ${alarms}`);
console.log(`lost trips that moved the odometer by less than two of its steps, which nothing can find: ${unmoved}`);
console.table(
  Object.fromEntries(
    Object.entries(totals).map(([kind, { known, found, right }]) => [
      kind,
      { known, found, precision: right / found, recall: right / known },
    ]),
  ),
);
const isShort = Object.values(totals).some(({ known, found, right }) => right / found < 0.99 || right / known < 0.99);
if (alarms > 0 || isShort) process.exitCode = 1;

/** What an archive says after a night of exports for each day. */
async function reportOf(vin: string, faults: Faulty): Promise<QualityReport> {
  const folder = await mkdtemp(join(tmpdir(), 'quality-'));
  try {
    await writeFile(join(folder, 'archive.key'), keyText, { mode: 0o600 });
    let clock = 0;
    await using archive = await createArchive({ folder, source: 'http://127.0.0.1:8788', now: () => clock });
    for (const night of nightsOf(days)) {
      clock = night;
      await archive.export({
        vehicles: [{ brand: 'brand_a', vin }],
        from: days.from,
        to: days.to,
        readWindow: async (window) => faults.served(window, night),
      });
    }
    return await archive.quality();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function findingsOf({ vehicles }: QualityReport): Readonly<Record<keyof FaultRates, readonly string[]>> {
  const months = vehicles.flatMap((vehicle) => vehicle.months);
  return {
    lost: months.flatMap(({ gaps }) => gaps.map(({ before }) => before)),
    late: months.flatMap(({ late }) => late.map(({ start }) => start)),
    cut: months.flatMap(({ untimed }) => untimed),
    altered: months.flatMap(({ changed }) => changed),
    doubled: months.flatMap(({ overlapping }) => overlapping),
    oneSided: months.flatMap(({ oneSided }) => oneSided.flatMap(({ start }) => (start === null ? [] : [start]))),
  };
}
