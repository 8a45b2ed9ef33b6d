import { defineConfig } from 'vitest/config';
import { patience } from '../../scripts/patience.ts';
import { reporters, wholeTitles } from '../../scripts/test-report.ts';

const projects = [
  { extends: true, test: { name: 'together', include: ['test/*.test.ts'], exclude: ['test/*-interleavings.test.ts'] } },
  // They play time, chance and hashes of a whole process: nothing else runs in theirs.
  { extends: true, test: { name: 'interleavings', include: ['test/*-interleavings.test.ts'], isolate: true } },
] as const;
// Most tests wait for processes and timers, so five files run at a time on two cores. Files of a worker share the modules that they
// load: loading them anew takes longer than most tests.
export default defineConfig({
  test: {
    reporters,
    ...wholeTitles,
    ...patience,
    projects: [...projects],
    globalSetup: ['test/support/temporary-folder.ts', 'test/support/bundled-program.ts'],
    isolate: false,
    maxWorkers: 5,
  },
});
