import { defineConfig } from 'vitest/config';
import { patience } from '../../scripts/patience.ts';
import { reporters, wholeTitles } from '../../scripts/test-report.ts';

// Files of a worker share the modules that they load: loading them anew takes longer than most tests.
// Several processes and databases a test, which are waited for most of the time: so two files at a time.
export default defineConfig({
  test: {
    reporters,
    ...wholeTitles,
    ...patience,
    testTimeout: 600_000,
    isolate: false,
    maxWorkers: 2,
    // The embedded database is WebAssembly: what optimizing it costs, tests do not live to gain.
    execArgv: ['--liftoff-only'],
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/shared-postgres.ts',
  },
});
