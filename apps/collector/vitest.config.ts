import { defineConfig } from 'vitest/config';
import { patience } from '../../scripts/patience.ts';
import { reporters, wholeTitles } from '../../scripts/test-report.ts';

// Files of a worker share the modules that they load: loading them anew takes longer than most tests.
// Several processes and databases a test.
export default defineConfig({
  test: {
    reporters,
    ...wholeTitles,
    ...patience,
    testTimeout: 600_000,
    isolate: false,
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/prepared.ts',
  },
});
