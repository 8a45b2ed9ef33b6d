import { defineConfig } from 'vitest/config';

// A bound against hanging, far above what a test takes on a busy machine; no test is judged by its time.
export default defineConfig({
  test: { testTimeout: 60_000, hookTimeout: 60_000, exclude: ['**/node_modules/**', 'coverage/**'] },
});
