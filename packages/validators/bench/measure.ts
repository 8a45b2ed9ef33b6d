// Interleaved measuring: every candidate once per round, in a new order each time, and medians in the end.
import { cpus, release } from 'node:os';
import { random } from './payloads.ts';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Medians in milliseconds per call. A candidate may prepare its input anew before each call; that is not timed. */
export function measure<T>(
  candidates: Readonly<Record<string, (input: T) => unknown>>,
  prepare: () => T,
  { rounds, warmUp, calls }: { readonly rounds: number; readonly warmUp: number; readonly calls: number },
): Readonly<Record<string, number>> {
  const times = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates).toSorted(() => random() - 0.5)) {
      const input = prepare();
      const start = performance.now();
      for (let call = 0; call < calls; call++) run(input);
      if (round >= 0) times.get(name)?.push((performance.now() - start) / calls);
    }
  }
  return Object.fromEntries([...times].map(([name, values]) => [name, median(values)]));
}

/** The machine and the command, above every table. */
export function printHeader(command: string): void {
  const [cpu] = cpus();
  console.log(
    `${command}\n${cpus().length} × ${cpu?.model ?? 'unknown processor'}, Linux ${release()}, Node ${process.version}`,
  );
}

/** A table with times in ascending order and their ratio to one of them. */
export function printTable(
  title: string,
  times: Readonly<Record<string, number>>,
  base: string,
  others: readonly string[] = [],
): void {
  const columns = [base, ...others];
  console.log(
    `\n${title}\n| | ms | ${columns.map((name) => `÷ ${name}`).join(' | ')} |\n|---|--:|${columns.map(() => '--:').join('|')}|`,
  );
  for (const [name, time] of Object.entries(times).toSorted(([, a], [, b]) => a - b)) {
    const ratios = columns.map((column) => (time / (times[column] ?? Number.NaN)).toFixed(3));
    console.log(`| ${name} | ${time.toFixed(4)} | ${ratios.join(' | ')} |`);
  }
}
