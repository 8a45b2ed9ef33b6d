// The tests that judge the mutants of one part; test/mutation/run.ts says which part.
import { defineConfig } from 'vitest/config';
import { parts } from './test/mutation/parts.ts';

export default defineConfig({
  test: { testTimeout: 60_000, include: [...(parts[process.env['MUTATION_PART'] ?? 'checks']?.tests ?? [])] },
});
