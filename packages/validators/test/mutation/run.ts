// Mutates the parts one after the other (all, or those named on the command line), prints the score of every file, writes
// the scores to bench/results/mutation.json, and fails where a part scores less than 90 %. Mutants of code that runs while a
// file is loaded count too. Takes two cores unless MUTATION_WORKERS says otherwise.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
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
  const seconds = Math.round((performance.now() - start) / 1000);
  return { ...whole, date: new Date().toISOString().slice(0, 10), node: process.version, seconds, files };
}

interface Results {
  readonly command: string;
  /** Percentage that is asked of every part. */
  readonly least: number;
  readonly passed: boolean;
  readonly mutants: number;
  readonly noticed: number;
  readonly score: number;
  readonly parts: readonly Awaited<ReturnType<typeof mutatePart>>[];
}

const folder = fileURLToPath(new URL('../../', import.meta.url));
process.chdir(folder);
const named = process.argv.slice(2);
const names = named.length > 0 ? named : Object.keys(parts);
const scores: Awaited<ReturnType<typeof mutatePart>>[] = [];
for (const name of names) scores.push(await mutatePart(name));
await record(scores);
process.exitCode = scores.every(({ score }) => score >= least) ? 0 : 1;

/** Puts the parts of this run in place of their earlier results. */
async function record(run: readonly (typeof scores)[number][]): Promise<void> {
  const file = 'bench/results/mutation.json';
  const earlier = existsSync(file) ? ((JSON.parse(await readFile(file, 'utf8')) as Results).parts ?? []) : [];
  const all = Object.keys(parts).flatMap((name) => {
    const part = run.find((score) => score.name === name) ?? earlier.find((score) => score.name === name);
    return part ? [part] : [];
  });
  const mutants = all.reduce((sum, part) => sum + part.mutants, 0);
  const noticed = all.reduce((sum, { killed, timeouts }) => sum + killed + timeouts, 0);
  const score = Number(((100 * noticed) / mutants).toFixed(1));
  const passed = all.length === Object.keys(parts).length && all.every((part) => part.score >= least);
  const results: Results = { command: 'pnpm run test:mutation', least, passed, mutants, noticed, score, parts: all };
  await mkdir('bench/results', { recursive: true });
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  console.log(`${noticed} of ${mutants} mutants noticed in ${all.length} parts: ${score} %, written to ${file}`);
  console.log(`at least ${least} % is asked of every part: ${passed ? 'passed' : 'not passed'}`);
}
