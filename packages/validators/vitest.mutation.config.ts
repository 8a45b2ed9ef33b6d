// The tests that judge the mutants of one part, in the order that the part gives; test/mutation/run.ts says which part.
import { matchesGlob, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { parts } from './test/mutation/parts.ts';

const tests = parts[process.env['MUTATION_PART'] ?? 'checks']?.tests ?? [];

class InTheOrderOfThePart extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      tests.findIndex((test) => matchesGlob(relative(this.ctx.config.root, moduleId), test));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: { testTimeout: 60_000, include: [...tests], sequence: { sequencer: InTheOrderOfThePart } },
});
