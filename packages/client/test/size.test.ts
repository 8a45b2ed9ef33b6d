import { operations } from '@vehicle-data/openapi';
import { expect, test } from 'vitest';
import { coreEntry, sizeOf } from '../bench/core-size.ts';

test('the core, openapi-fetch included, is at most 7 kB minified and gzipped', async () => {
  const { gzipped } = await sizeOf(coreEntry);
  // A contract that grows takes its room: an operation is a line of the table and a few error codes.
  const further = Math.max(0, Object.keys(operations).length - 6);
  expect(gzipped).toBeGreaterThan(1_000);
  expect(gzipped).toBeLessThanOrEqual(7_000 + 80 * further);
});
