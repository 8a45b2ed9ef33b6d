import { defineConfig } from 'vitest/config';

// Browser tests wait for pages on a busy machine.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } });
