// The tests that judge mutants: all but those that look at published files, sizes or other processes, with few random inputs.
import { defineConfig } from 'vitest/config';

process.env['DIFFERENTIAL_INPUTS'] = '1500';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/size.test.ts', 'test/hostile-patterns.test.ts'],
    testNamePattern: /^(?!.*(in the time zone|when the clock|every small document|1,000,000|200,000 levels))/,
  },
});
