import { defineConfig } from 'vitest/config';

// Tests here start processes and wait for builds.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 180_000 } });
