// How well a year of nightly exports knows what is missing, one line of JSON for each vehicle:
//   node test/quality/year-of-nights.ts 1 50 > years.jsonl
// Pieces may run one beside the other: `node test/quality/table-of-years.ts` adds up the lines of all of them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchive, type QualityReport } from '@vehicle-data/archive';
import { keyText } from '../synthetic-source.ts';
import { type FaultRates, type Faulty, faultsOf, nightsOf, sandboxTrips, thinned } from './faulty-nights.ts';
import type { VehicleYear } from './table-of-years.ts';

const days = { from: '2025-03-01', to: '2026-02-28' };
const rates: FaultRates = { lost: 25, late: 37, cut: 41, altered: 53, doubled: 67, oneSided: 79 };
const [first = 1, last = 50] = process.argv.slice(2).map(Number);

for (let number = first; number <= last; number += 1) {
  const vin = `SANDB0XA${String(100_000_000 + number).slice(-9)}`;
  const sent = thinned(await sandboxTrips([vin], days, { vehicles: [{ vin }] }));
  const { driving = [] } = sent.get(vin) ?? {};
  const { alarms } = await reportOf(vin, faultsOf(sent, {}));
  const faulty = faultsOf(sent, rates);
  const known = faulty.known(() => 'vehicle');
  const found = findingsOf(await reportOf(vin, faulty));
  const kinds = (Object.keys(rates) as (keyof FaultRates)[]).map((kind) => {
    const [expected, seen] = [new Set(known[kind]), new Set(found[kind].map((start) => `vehicle ${start}`))];
    const right = [...seen].filter((start) => expected.has(start));
    const missed = [...expected].filter((start) => !seen.has(start));
    const wrong = [...seen].filter((start) => !expected.has(start));
    return [kind, { known: expected.size, found: seen.size, right: right.length, missed, wrong }] as const;
  });
  const year: VehicleYear = {
    ...{ number, days, trips: driving.length },
    ...{ alarms: alarms.length, unmoved: faulty.unmoved, kinds: Object.fromEntries(kinds) },
  };
  console.log(JSON.stringify(year));
}

/** What an archive says after a night of exports for each day. */
async function reportOf(vin: string, faults: Faulty): Promise<QualityReport> {
  const folder = await mkdtemp(join(tmpdir(), 'quality-'));
  try {
    await writeFile(join(folder, 'archive.key'), keyText, { mode: 0o600 });
    let clock = 0;
    // Holds trips as sent, as Parquet does, and is written in half of its time.
    await using archive = await createArchive({
      folder,
      source: 'http://127.0.0.1:8788',
      format: 'ndjson',
      now: () => clock,
    });
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
