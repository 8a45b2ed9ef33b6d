import { defineConfig } from 'vitest/config';
import { reporters } from '../../scripts/test-report.ts';

// Nothing here is about speed: the limits are wide, so that a busy machine fails no test.
// Files of a worker share the modules that they load: loading them anew takes longer than most tests.
export default defineConfig({
  test: {
    reporters,
    isolate: false,
    include: ['test/**/*.test.ts'],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 90_000,
  },
});
