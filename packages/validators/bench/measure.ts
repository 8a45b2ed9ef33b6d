// Interleaved measuring: every candidate once per round, in a new order each time, and medians in the end.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { fileURLToPath } from 'node:url';
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

/** Times in milliseconds by candidate, under a title. */
export interface Table {
  readonly title: string;
  /** The candidate that the others are compared with. */
  readonly base: string;
  readonly times: Readonly<Record<string, number>>;
}

/** What one bench has measured, as it is kept in bench/results. */
export interface Results {
  readonly command: string;
  readonly date: string;
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly system: string;
    readonly node: string;
    readonly load: number;
  };
  readonly tables: readonly Table[];
  /** Single figures, by what they say. */
  readonly figures: Readonly<Record<string, number>>;
}

/** Prints what a bench measures and, with `--save`, keeps it in bench/results. */
export class Report {
  readonly #name: string;
  readonly #results: Results;
  readonly #tables: Table[] = [];
  readonly #figures: Record<string, number> = {};

  constructor(name: string) {
    const [cpu] = cpus();
    this.#name = name;
    this.#results = {
      command: `node bench/${name}.ts`,
      date: new Date().toISOString().slice(0, 10),
      machine: {
        processor: cpu?.model.trim() ?? 'unknown processor',
        cores: cpus().length,
        system: `Linux ${release()}`,
        node: process.version,
        load: Number((loadavg()[0] ?? 0).toFixed(1)),
      },
      tables: this.#tables,
      figures: this.#figures,
    };
    const { processor, cores, system, node, load } = this.#results.machine;
    console.log(`${this.#results.command}\n${cores} × ${processor}, ${system}, Node ${node}, load ${load}`);
  }

  /** A table with times in ascending order and their ratio to one of them, and to others. */
  table(title: string, times: Readonly<Record<string, number>>, base: string, others: readonly string[] = []): void {
    const columns = [base, ...others];
    const heads = columns.map((name) => `÷ ${name}`).join(' | ');
    console.log(`\n${title}\n| | ms | ${heads} |\n|---|--:|${columns.map(() => '--:').join('|')}|`);
    for (const [name, time] of Object.entries(times).toSorted(([, a], [, b]) => a - b)) {
      const ratios = columns.map((column) => (time / (times[column] ?? Number.NaN)).toFixed(3));
      console.log(`| ${name} | ${time.toFixed(4)} | ${ratios.join(' | ')} |`);
    }
    this.#tables.push({ title, base, times });
  }

  figure(name: string, value: number): void {
    console.log(`${name}: ${value.toFixed(2)}`);
    this.#figures[name] = value;
  }

  /** Keeps the results where that is asked for. */
  end(): void {
    if (!process.argv.includes('--save')) return;
    const folder = fileURLToPath(new URL('results/', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}${this.#name}.json`, `${JSON.stringify(this.#results, null, 2)}\n`);
  }
}
