import { defineConfig } from 'vitest/config';
import { patience } from '../../../../scripts/patience.ts';

// For `npm run test:more`, which CI runs after the tests.
export default defineConfig({ test: { ...patience, include: ['test/engines/*.check.ts'] } });
