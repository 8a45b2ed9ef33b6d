import { defineConfig } from 'vitest/config';
import { patience } from '../../scripts/patience.ts';
import { reporters, wholeTitles } from '../../scripts/test-report.ts';

// This file replaces a module of the checker. All others share the modules that a worker loads: loading them anew takes longer than most tests.
const alone = ['test/stream/limits.test.ts'];
export default defineConfig({
  test: {
    reporters,
    ...wholeTitles,
    ...patience,
    projects: [
      {
        extends: true,
        test: { name: 'shared', isolate: false, exclude: ['**/node_modules/**', 'coverage/**', ...alone] },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
