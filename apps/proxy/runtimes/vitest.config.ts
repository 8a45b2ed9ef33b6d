import { defineConfig } from 'vitest/config';

// One after the other: two runtimes at once would be too much for a small machine.
export default defineConfig({
  test: {
    include: ['runtimes/*.check.ts'],
    globalSetup: ['test/support/temporary-folder.ts', 'runtimes/bundle.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
  },
});
