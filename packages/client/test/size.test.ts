import { operations } from '@vehicle-data/openapi';
import { expect, test } from 'vitest';
import { allEntry, sizeOf } from '../bench/core-size.ts';

test('every export of the main entry, openapi-fetch included, is at most 15 kB minified and gzipped', async () => {
  const { gzipped } = await sizeOf(allEntry);
  // A contract that grows takes its room: an operation is an entry of the table and a few error codes.
  const further = Math.max(0, Object.keys(operations).length - 6);
  expect(gzipped).toBeGreaterThan(1_000);
  expect(gzipped).toBeLessThanOrEqual(15_000 + 80 * further);
});
