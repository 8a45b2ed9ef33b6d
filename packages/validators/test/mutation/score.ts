import type { Stryker } from '@stryker-mutator/core';

export type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

export interface Score {
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

export function scoreOf(name: string, results: readonly MutantResult[]): Score {
  const count = (...statuses: readonly MutantResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const [killed, timeouts] = [count('Killed'), count('Timeout')];
  const [survived, uncovered] = [count('Survived'), count('NoCoverage')];
  const mutants = killed + timeouts + survived + uncovered;
  const leftOut = results.length - mutants;
  return {
    name,
    mutants,
    killed,
    timeouts,
    survived,
    uncovered,
    leftOut,
    score: percentage(killed + timeouts, mutants),
  };
}

/** The score of several files as one. */
export function scoreOfAll(name: string, files: readonly Score[]): Score {
  const sum = (of: (score: Score) => number) => files.reduce((total, file) => total + of(file), 0);
  const [killed, timeouts, mutants] = [
    sum((file) => file.killed),
    sum((file) => file.timeouts),
    sum((file) => file.mutants),
  ];
  return {
    name,
    mutants,
    killed,
    timeouts,
    survived: sum((file) => file.survived),
    uncovered: sum((file) => file.uncovered),
    leftOut: sum((file) => file.leftOut),
    score: percentage(killed + timeouts, mutants),
  };
}

function percentage(noticed: number, mutants: number): number {
  return Number((mutants === 0 ? 0 : (100 * noticed) / mutants).toFixed(1));
}

export function print({ name, score, mutants, survived, uncovered, timeouts, leftOut }: Score): void {
  const percent = `${score.toFixed(1).padStart(5)} %`;
  console.log(
    `${name.padEnd(36)} ${percent} of ${mutants} (${survived} survived, ${uncovered} not run, ${timeouts} timed out, ${leftOut} left out)`,
  );
}
