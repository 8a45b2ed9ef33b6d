import fc from 'fast-check';

/** How many inputs are compared: 20,000 by default. */
export const inputs = Number(process.env['DIFFERENTIAL_INPUTS'] ?? 20_000);

const { DIFFERENTIAL_SEED: seed } = process.env;

/** Compares so many inputs. `judge` throws where somebody disagrees, and says whether the input is valid; returns how many are. */
export function compareMany<Input>(
  arbitrary: fc.Arbitrary<Input>,
  numRuns: number,
  judge: (input: Input) => boolean,
): number {
  let valid = 0;
  const property = fc.property(arbitrary, (input) => {
    if (judge(input)) valid++;
  });
  fc.assert(property, { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) });
  return valid;
}
