// Mutates the parts one after the other (all, or those named on the command line), prints the score of every file, writes
// bench/results/mutation.json after a whole run, and fails where a part scores less than 90 %. Takes two cores unless
// MUTATION_WORKERS says otherwise.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { parts } from './parts.ts';

const least = 90;

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

interface Score {
  readonly name: string;
  readonly mutants: number;
  readonly killed: number;
  readonly timeouts: number;
  readonly survived: number;
  readonly uncovered: number;
  /** Mutants that were left out with a reason in the code, or that are no program; neither counts. */
  readonly leftOut: number;
  /** Percentage of the mutants that a test notices. */
  readonly score: number;
}

function scoreOf(name: string, mutants: readonly MutantResult[]): Score {
  const count = (...statuses: readonly MutantResult['status'][]) =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const [killed, timeouts] = [count('Killed'), count('Timeout')];
  const [survived, uncovered] = [count('Survived'), count('NoCoverage')];
  const all = killed + timeouts + survived + uncovered;
  const leftOut = mutants.length - all;
  const score = Number((all === 0 ? 0 : (100 * (killed + timeouts)) / all).toFixed(1));
  return { name, mutants: all, killed, timeouts, survived, uncovered, leftOut, score };
}

function print({ name, score, mutants, survived, uncovered, timeouts, leftOut }: Score): void {
  const percent = `${score.toFixed(1).padStart(5)} %`;
  console.log(
    `${name.padEnd(36)} ${percent} of ${mutants} (${survived} survived, ${uncovered} not run, ${timeouts} timed out, ${leftOut} left out)`,
  );
}

async function mutatePart(name: string) {
  const part = parts[name];
  if (part === undefined) throw new Error(`there is no part ${name}; there are ${Object.keys(parts).join(', ')}`);
  process.env['MUTATION_PART'] = name;
  const start = performance.now();
  const results = await new Stryker({
    configFile: 'stryker.config.json',
    mutate: [...part.mutate],
    concurrency: Number(process.env['MUTATION_WORKERS'] ?? 2),
    jsonReporter: { fileName: `coverage/mutation-${name}.json` },
  }).runMutationTest();
  const files = [...new Set(results.map(({ fileName }) => fileName))].toSorted().map((file) =>
    scoreOf(
      file.slice(folder.length),
      results.filter(({ fileName }) => fileName === file),
    ),
  );
  const whole = scoreOf(name, results);
  for (const score of [...files, whole]) print(score);
  return { ...whole, seconds: Math.round((performance.now() - start) / 1000), files };
}

const folder = fileURLToPath(new URL('../../', import.meta.url));
process.chdir(folder);
const named = process.argv.slice(2);
const scores: Awaited<ReturnType<typeof mutatePart>>[] = [];
for (const name of named.length > 0 ? named : Object.keys(parts)) scores.push(await mutatePart(name));

const sum = (of: (score: Score) => number) => scores.reduce((all, score) => all + of(score), 0);
const noticed = sum(({ killed, timeouts }) => killed + timeouts);
const mutants = sum((score) => score.mutants);
const total = Number(((100 * noticed) / mutants).toFixed(1));
const passed = scores.every(({ score }) => score >= least);
console.log(`${noticed} of ${mutants} mutants noticed: ${total} %; at least ${least} % is asked of every part`);
if (named.length === 0) {
  const machine = { processor: cpus()[0]?.model.trim(), cores: cpus().length, node: process.version };
  const date = new Date().toISOString().slice(0, 10);
  const seconds = sum((score) => ('seconds' in score ? Number(score.seconds) : 0));
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(
    'bench/results/mutation.json',
    `${JSON.stringify({ command: 'pnpm run test:mutation', date, machine, passed, seconds, mutants, noticed, score: total, parts: scores }, null, 2)}\n`,
  );
}
process.exitCode = passed ? 0 : 1;
