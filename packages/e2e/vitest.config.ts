import { defineConfig } from 'vitest/config';

// Tests here start processes and wait for builds: one long file leaves room for the others.
// Real servers on a shared machine: CI runs a failed test once more and prints that it did.
const retry = process.env['CI'] ? 1 : 0;
export default defineConfig({ test: { retry, maxWorkers: 2, testTimeout: 60_000, hookTimeout: 180_000 } });
