import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Starts the file that builds a copy of the repository first, since it takes as long as many others together. */
class BuildFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isBuild = ({ moduleId }: TestSpecification) => moduleId.endsWith('one-source.test.ts');
    const others = files.filter((file) => !isBuild(file));
    return [...files.filter(isBuild), ...(await super.sort(others))];
  }
}

// Real servers on a shared machine: CI runs a failed test once more and prints that it did.
const retry = process.env['CI'] ? 1 : 0;
const sequence = { sequencer: BuildFirst };
// Files of a worker share the modules that they load: loading them anew takes longer than most tests.
export default defineConfig({
  test: { retry, sequence, isolate: false, maxWorkers: 3, testTimeout: 60_000, hookTimeout: 180_000 },
});
