import { defineConfig } from 'vitest/config';
import { patience } from '../../scripts/patience.ts';
import { reporters, wholeTitles } from '../../scripts/test-report.ts';

export default defineConfig({
  test: { reporters, ...wholeTitles, ...patience, include: ['test/**/*.test.ts'], isolate: false },
});
