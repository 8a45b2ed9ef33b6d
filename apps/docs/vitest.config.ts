import { defineConfig } from 'vitest/config';

// Browser tests wait for pages on a busy machine.
// Real servers on a shared machine: CI runs a failed test once more and prints that it did.
const retry = process.env['CI'] ? 1 : 0;
export default defineConfig({ test: { retry, testTimeout: 60_000, hookTimeout: 60_000 } });
