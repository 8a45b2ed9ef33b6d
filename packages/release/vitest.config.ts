import { defineConfig } from 'vitest/config';
import { reporters } from '../../scripts/test-report.ts';

// A bound against hanging, far above what a test takes on a busy machine; no test is judged by its time.
export default defineConfig({ test: { reporters, isolate: false, testTimeout: 60_000, hookTimeout: 60_000 } });
