import { defineConfig } from 'vitest/config';
import { patience } from '../../scripts/patience.ts';
import { reporters, wholeTitles } from '../../scripts/test-report.ts';

// Limits are wide, so that a busy machine fails no test. Files of a worker share the modules that they load: loading them anew for each
// took an eighth of the time.
export default defineConfig({
  test: { reporters, ...wholeTitles, ...patience, isolate: false, include: ['test/**/*.test.ts'] },
});
