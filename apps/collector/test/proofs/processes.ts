// Processes of the collector that proofs start, kill and start again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});
/** Ends a proof that is interrupted as one that fails: nothing that it has started goes on. */
export function endWithChildren(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

/** One process. */
export interface Running {
  readonly child: ChildProcess;
  /** What it has printed so far, on both streams. */
  readonly printed: () => string;
  /** Resolves with the exit code; `null` where it was killed. */
  readonly ended: Promise<number | null>;
  /** Seconds of processor time so far. */
  readonly cpu: () => number;
  /** Most memory so far, in MB. */
  readonly memory: () => number;
}

/** Runs a command of the collector. */
export const runCollector = (command: readonly string[], env: Readonly<Record<string, string>>) =>
  runProgram([program, ...command], env);

/** Runs a program of Node.js, or of another interpreter. */
export function runProgram(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  interpreter = process.execPath,
): Running {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(interpreter, [...command], { env: { PATH, NODE_COMPILE_CACHE, ...env } });
  started.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const used = { cpu: 0, memory: 0 };
  const look = () => {
    try {
      // Fields 14 and 15: ticks of a hundredth of a second.
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      used.cpu = (Number(fields[11]) + Number(fields[12])) / 100;
      const [, peak = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      used.memory = Math.max(used.memory, Number(peak) / 1024);
    } catch {
      // It has ended: what was seen last counts.
    }
  };
  const timer = setInterval(look, 50);
  const ended = once(child, 'close').then(([code]) => {
    clearInterval(timer);
    started.delete(child);
    return typeof code === 'number' ? code : null;
  });
  return { child, printed: () => text, ended, cpu: () => used.cpu, memory: () => used.memory };
}

/** Reads numbers from the command line: `NAME=NUMBER`, or those by default. */
export function numbersOf<Names extends Readonly<Record<string, number>>>(defaults: Names): Names {
  const given = process.argv.slice(2).map((pair) => pair.split('='));
  for (const [name = ''] of given)
    if (!(name in defaults)) throw new Error(`give ${Object.keys(defaults).join('=… ')}=…`);
  return { ...defaults, ...Object.fromEntries(given.map(([name, value]) => [name, Number(value)])) };
}

/** Prints what a proof has shown as a row of a table: the proof, its numbers, what was found. */
export function printRow(proof: string, numbers: Readonly<Record<string, number>>, found: string): void {
  const given = Object.entries(numbers).map(([name, value]) => `${name} ${Math.round(value * 100) / 100}`);
  console.log(`| ${proof} | ${given.join(', ')} | ${found} |`);
}

/** Whether this module was started and not imported. */
export const isMain = (url: string) => process.argv[1] === fileURLToPath(url);
