import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import type { TestContext } from 'vitest';

/** What a comparison looked at. */
export interface Compared {
  inputs: number;
  /** Inputs about which all that were asked agree. */
  agreements: number;
  /** Inputs that were found valid. */
  valid: number;
  seconds: number;
}

declare module 'vitest' {
  interface TaskMeta {
    compared?: Compared;
  }
}

/** How many inputs are compared: 20,000 by default. */
export const inputs = Number(process.env['DIFFERENTIAL_INPUTS'] ?? 20_000);

const { DIFFERENTIAL_SEED: seed } = process.env;

/** Compares many inputs; `judge` throws where somebody disagrees, and says whether the input was found valid. */
export function compareMany<Input>(
  { task }: TestContext,
  arbitrary: fc.Arbitrary<Input>,
  numRuns: number,
  judge: (input: Input) => boolean,
): Compared {
  const compared: Compared = { inputs: 0, agreements: 0, valid: 0, seconds: 0 };
  task.meta.compared = compared;
  const start = performance.now();
  const property = fc.property(arbitrary, (input) => {
    compared.inputs++;
    if (judge(input)) compared.valid++;
    compared.agreements++;
  });
  try {
    fc.assert(property, { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) });
  } finally {
    compared.seconds = (performance.now() - start) / 1000;
  }
  return compared;
}
