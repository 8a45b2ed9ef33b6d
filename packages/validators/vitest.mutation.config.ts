// The tests that judge the mutants of one part; test/mutation/run.ts says which part.
import { defineConfig } from 'vitest/config';
import { parts } from './test/mutation/parts.ts';

const tests = parts[process.env['MUTATION_PART'] ?? 'checks']?.tests ?? [];

export default defineConfig({
  test: {
    include: tests.filter((pattern) => !pattern.startsWith('!')),
    exclude: tests.flatMap((pattern) => (pattern.startsWith('!') ? [pattern.slice(1)] : [])),
  },
});
