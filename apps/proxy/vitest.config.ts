import { defineConfig } from 'vitest/config';

// A bound against hanging, far above what a test takes on a busy machine; no test is judged by its time.
// Most tests wait for processes and timers, so one file for each core of a small machine runs at a time.
// Real servers on a shared machine: CI runs a failed test once more and prints that it did.
const retry = process.env['CI'] ? 1 : 0;
const hanging = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000, interval: 20 } } };
export default defineConfig({ test: { include: ['test/**/*.test.ts'], retry, maxWorkers: 2, ...hanging } });
