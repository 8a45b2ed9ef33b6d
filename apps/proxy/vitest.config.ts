import { defineConfig } from 'vitest/config';

// A bound against hanging, far above what a test takes on a busy machine; no test is judged by its time.
// Real servers on a shared machine: CI runs a failed test once more and prints that it did.
const retry = process.env['CI'] ? 1 : 0;
export default defineConfig({ test: { retry, testTimeout: 60_000, hookTimeout: 60_000 } });
