import { defineConfig } from 'vitest/config';
import { reporters } from '../../scripts/test-report.ts';

// Limits are wide, so that a busy machine fails no test.
export default defineConfig({
  test: { reporters, include: ['test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
