// Interleaved measuring: every candidate once per round, in a new order each time, and medians in the end. `--best` takes the least
// times instead, for a machine that others use too.
import { cpus, loadavg } from 'node:os';
import { random } from './payloads.ts';

const flag = process.argv.indexOf('--rounds');
const isBest = process.argv.includes('--best');
const rounds = flag < 0 ? 45 : Number(process.argv[flag + 1]);
console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`);

/** Medians, or least times, in milliseconds per call. Before each call, its input is made anew; that is not timed. */
export function measure<T>(
  candidates: Readonly<Record<string, (input: T) => unknown>>,
  prepare: () => T,
  calls: number,
): Readonly<Record<string, number>> {
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
    [...times].map(([name, values]) => [
      name,
      values.toSorted((a, b) => a - b)[isBest ? 0 : values.length >> 1] ?? Number.NaN,
    ]),
  );
}

/** Prints times in ascending order with their ratio to one of them. */
export function printTable(title: string, times: Readonly<Record<string, number>>, base: string): void {
  console.log(`\n${title}\n| | ms | ÷ ${base} |\n|---|--:|--:|`);
  for (const [name, time] of Object.entries(times).toSorted(([, a], [, b]) => a - b)) {
    console.log(`| ${name} | ${time.toFixed(4)} | ${(time / (times[base] ?? Number.NaN)).toFixed(3)} |`);
  }
}
