import { defineConfig } from 'vitest/config';

// Limits are wide, so that a busy machine fails no test.
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
