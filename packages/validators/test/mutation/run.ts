// Mutates the parts one after the other (all, or those named on the command line), prints the score of every file, writes
// the scores to bench/results/mutation.json, and fails where a part scores less than 90 %. Mutants of code that runs while a
// file is loaded count too. Takes two cores unless MUTATION_WORKERS says otherwise. A part whose files are mutated apart keeps
// the score of each in coverage/mutation: a run that was interrupted goes on from there, unless code or tests have changed.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { type Part, parts } from './parts.ts';
import { type MutantResult, print, type Score, scoreOf, scoreOfAll } from './score.ts';

const least = 90;

interface PartScore extends Score {
  readonly date: string;
  readonly node: string;
  readonly seconds: number;
  readonly files: readonly Score[];
}

interface Results {
  readonly command: string;
  /** Percentage that is asked of every part. */
  readonly least: number;
  readonly passed: boolean;
  readonly mutants: number;
  readonly noticed: number;
  readonly score: number;
  readonly parts: readonly PartScore[];
}

/** What a run has finished of a part whose files are mutated apart. */
interface Finished {
  /** Hash of the code and of the tests that the scores are about. */
  readonly of: string;
  readonly seconds: number;
  readonly files: readonly Score[];
}

const folder = fileURLToPath(new URL('../../', import.meta.url));
process.chdir(folder);
const named = process.argv.slice(2);
const names = named.length > 0 ? named : Object.keys(parts);
const scores: PartScore[] = [];
for (const name of names) {
  const part = parts[name];
  if (part === undefined) throw new Error(`there is no part ${name}; there are ${Object.keys(parts).join(', ')}`);
  const start = performance.now();
  const { files, seconds: earlier } = part.apart ? await mutateApart(name, part) : await mutateTogether(name, part);
  const seconds = Math.round(earlier + (performance.now() - start) / 1000);
  const whole = scoreOfAll(name, files);
  print(whole);
  scores.push({ ...whole, date: new Date().toISOString().slice(0, 10), node: process.version, seconds, files });
  await record(scores);
  await rm(finishedFile(name), { force: true });
}
process.exitCode = scores.every(({ score }) => score >= least) ? 0 : 1;

async function mutate(part: string, files: readonly string[], report: string): Promise<readonly MutantResult[]> {
  process.env['MUTATION_PART'] = part;
  return await new Stryker({
    configFile: 'stryker.config.json',
    mutate: [...files],
    concurrency: Number(process.env['MUTATION_WORKERS'] ?? 2),
    jsonReporter: { fileName: `coverage/mutation/${report}.json` },
  }).runMutationTest();
}

async function mutateTogether(name: string, part: Part) {
  const results = await mutate(name, part.mutate, name);
  const files = [...new Set(results.map(({ fileName }) => fileName))].toSorted().map((file) =>
    scoreOf(
      file.slice(folder.length),
      results.filter(({ fileName }) => fileName === file),
    ),
  );
  for (const file of files) print(file);
  return { files, seconds: 0 };
}

async function mutateApart(name: string, part: Part) {
  const of = hashOfCode();
  const file = finishedFile(name);
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Finished) : undefined;
  const kept = earlier?.of === of ? earlier : { of, seconds: 0, files: [] };
  const start = performance.now();
  const files: Score[] = [];
  for (const path of globSync([...part.mutate]).toSorted()) {
    const known = kept.files.find((score) => score.name === path);
    const score = known ?? scoreOf(path, await mutate(name, [path], `${name}/${path.replaceAll('/', '-')}`));
    if (hashOfCode() !== of) throw new Error('the code or the tests have changed during the run');
    print(score);
    files.push(score);
    const seconds = kept.seconds + (performance.now() - start) / 1000;
    await writeFile(file, JSON.stringify({ of, seconds, files } satisfies Finished));
  }
  return { files, seconds: kept.seconds };
}

function finishedFile(name: string): string {
  return `coverage/mutation/${name}-finished.json`;
}

/** Of all that the scores of the streaming checker depend on in this package. */
function hashOfCode(): string {
  const hash = createHash('sha256');
  const paths = globSync(['src/**/*.ts', 'test/*.ts', 'test/{mutation,stream}/*.ts', '*.config.*']).toSorted();
  for (const path of paths) hash.update(`${path}\n${readFileSync(path, 'utf8')}\n`);
  return hash.digest('hex');
}

/** Puts the parts of this run in place of their earlier results. */
async function record(run: readonly PartScore[]): Promise<void> {
  const file = 'bench/results/mutation.json';
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results).parts : [];
  const all = Object.keys(parts).flatMap((name) => {
    const part = run.find((score) => score.name === name) ?? earlier.find((score) => score.name === name);
    return part ? [part] : [];
  });
  const { mutants, killed, timeouts, score } = scoreOfAll('all', all);
  const noticed = killed + timeouts;
  const passed = all.length === Object.keys(parts).length && all.every((part) => part.score >= least);
  const results: Results = { command: 'pnpm run test:mutation', least, passed, mutants, noticed, score, parts: all };
  await mkdir('bench/results', { recursive: true });
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  console.log(`${noticed} of ${mutants} mutants noticed in ${all.length} parts: ${score} %, written to ${file}`);
  console.log(`at least ${least} % is asked of every part: ${passed ? 'passed' : 'not passed'}`);
}
