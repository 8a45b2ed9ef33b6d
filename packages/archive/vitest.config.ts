import { defineConfig } from 'vitest/config';

// Nothing here is about speed: the limits are wide, so that a busy machine fails no test.
// Real servers on a shared machine: CI runs a failed test once more and prints that it did.
const retry = process.env['CI'] ? 1 : 0;
// Files of a worker share the modules that they load: loading them anew takes longer than most tests.
export default defineConfig({
  test: { retry, isolate: false, include: ['test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
