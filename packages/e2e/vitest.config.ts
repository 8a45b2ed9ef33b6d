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

const sequence = { sequencer: BuildFirst };
// Files of a worker share the modules that they load: loading them anew takes longer than most tests.
export default defineConfig({
  test: { sequence, isolate: false, maxWorkers: 3, testTimeout: 60_000, hookTimeout: 180_000 },
});
