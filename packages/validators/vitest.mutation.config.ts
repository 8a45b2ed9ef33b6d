// The tests that judge mutants: all but those that look at published files, sizes or other processes, with few random inputs.
import { defineConfig } from 'vitest/config';

process.env['DIFFERENTIAL_INPUTS'] = '400';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/size.test.ts', 'test/readme.test.ts'],
    testNamePattern:
      /^(?!.*(in the time zone|when the clock|small documents in two|random texts|levels|no UTF-8|20 million|looks like a date|every distance near))/,
  },
});
