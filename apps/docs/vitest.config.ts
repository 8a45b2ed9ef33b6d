import { defineConfig } from 'vitest/config';
import { reporters } from '../../scripts/test-report.ts';

// Browser tests wait for pages on a busy machine.
export default defineConfig({ test: { reporters, testTimeout: 60_000, hookTimeout: 60_000 } });
