import { defineConfig } from 'vitest/config';
import { reporters } from '../../scripts/test-report.ts';

// Browser tests wait for pages on a busy machine. Files of a worker share the modules that they load.
export default defineConfig({ test: { reporters, isolate: false, testTimeout: 60_000, hookTimeout: 60_000 } });
