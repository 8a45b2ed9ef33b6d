import { defineConfig } from 'vitest/config';
import { reporters } from '../../scripts/test-report.ts';

export default defineConfig({
  test: { reporters, include: ['test/**/*.test.ts'], testTimeout: 60_000, isolate: false },
});
