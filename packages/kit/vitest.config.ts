import { defineConfig } from 'vitest/config';
import { patience } from '../../scripts/patience.ts';
import { reporters } from '../../scripts/test-report.ts';

export default defineConfig({ test: { reporters, ...patience, include: ['test/**/*.test.ts'] } });
