import { defineConfig } from 'vitest/config';
import { patience } from '../../scripts/patience.ts';
import { reporters, wholeTitles } from '../../scripts/test-report.ts';

// Files of a worker share the modules that they load: loading them anew takes longer than most tests.
export default defineConfig({ test: { reporters, ...wholeTitles, ...patience, isolate: false } });
