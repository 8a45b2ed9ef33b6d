// Interleaved measuring: every candidate once per round, in a new order each time. In the end there are medians, and least times: on a
// machine that others use too, the least time is what the code takes when nobody interrupts it.
import { cpus, loadavg } from 'node:os';
import { option } from './options.ts';
import { random } from './payloads.ts';

const rounds = Number(option('rounds') ?? 45);
console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`);

/** The time of a call in milliseconds. */
export interface CallTime {
  readonly median: number;
  readonly least: number;
}

/** Times of candidates. Before each round of calls, their input is made anew; that is not timed. */
export function measure<T>(
  candidates: Readonly<Record<string, (input: T) => unknown>>,
  prepare: () => T,
  calls: number,
): Readonly<Record<string, CallTime>> {
  const times = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]));
  for (let round = -10; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates).toSorted(() => random() - 0.5)) {
      const input = prepare();
      const start = performance.now();
      for (let call = 0; call < calls; call++) run(input);
      if (round >= 0) times.get(name)?.push((performance.now() - start) / calls);
    }
  }
  return Object.fromEntries(
    [...times].map(([name, values]) => {
      const sorted = values.toSorted((a, b) => a - b);
      return [name, { median: sorted[sorted.length >> 1] ?? Number.NaN, least: sorted[0] ?? Number.NaN }];
    }),
  );
}

/** Prints times in ascending order with their ratio to one of them. */
export function printTable(title: string, times: Readonly<Record<string, CallTime>>, base: string): void {
  console.log(`\n${title}\n| | median, ms | ÷ ${base} | least, ms | ÷ ${base} |\n|---|--:|--:|--:|--:|`);
  const ratio = (time: CallTime, which: keyof CallTime) =>
    (time[which] / (times[base]?.[which] ?? Number.NaN)).toFixed(3);
  for (const [name, time] of Object.entries(times).toSorted(([, a], [, b]) => a.least - b.least)) {
    const [median, least] = [time.median.toFixed(4), time.least.toFixed(4)];
    console.log(`| ${name} | ${median} | ${ratio(time, 'median')} | ${least} | ${ratio(time, 'least')} |`);
  }
}
