// Adds up what `year-of-nights.ts` has written, as the table of the docs: node test/quality/table-of-years.ts years.jsonl …
import { readFileSync } from 'node:fs';

/** What the report on a year of one vehicle has found. */
export interface VehicleYear {
  readonly number: number;
  readonly days: Readonly<Record<'from' | 'to', string>>;
  readonly trips: number;
  /** Of the year without faults. */
  readonly alarms: number;
  /** Lost trips that moved the odometer by less than two of its steps. */
  readonly unmoved: number;
  readonly kinds: Readonly<Record<string, KindCounts>>;
}

interface KindCounts {
  readonly known: number;
  readonly found: number;
  readonly right: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

const bar = 0.99;

if (import.meta.main) {
  const files = process.argv.slice(2);
  const lines = (files.length > 0 ? files : [0]).flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
  // A vehicle that was measured twice counts once.
  const years = [
    ...new Map(lines.map((line) => JSON.parse(line) as VehicleYear).map((year) => [year.number, year])).values(),
  ];
  const sum = (of: (year: VehicleYear) => number) => years.reduce((total, year) => total + of(year), 0);
  const rows = Object.keys(years[0]?.kinds ?? {}).map((kind) => {
    const total = (count: 'known' | 'found' | 'right') => sum(({ kinds }) => kinds[kind]?.[count] ?? 0);
    const [known, found, right] = [total('known'), total('found'), total('right')];
    return { kind, known, found, precision: right / found, recall: right / known };
  });
  const alarms = sum((year) => year.alarms);
  console.log(`${years.length} vehicles, ${sum(({ trips }) => trips)} trips; alarms of the clean year: ${alarms}`);
  console.log(
    `lost trips that moved the odometer by less than two of its steps, which nothing can find: ${sum(({ unmoved }) => unmoved)}`,
  );
  console.table(rows);
  for (const { number, kinds } of years)
    for (const [kind, { missed, wrong }] of Object.entries(kinds))
      if (missed.length + wrong.length > 0) console.log(`vehicle ${number}, ${kind}: missed`, missed, 'wrong', wrong);
  // Written so that a kind without any, which is no number, fails too.
  const isEnough = rows.every(({ precision, recall }) => precision >= bar && recall >= bar);
  if (alarms > 0 || rows.length === 0 || !isEnough) process.exitCode = 1;
}
