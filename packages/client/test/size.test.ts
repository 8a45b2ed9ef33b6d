import { expect, test } from 'vitest';
import { coreEntry, sizeOf } from '../bench/core-size.ts';

test('the core, openapi-fetch included, is at most 7 kB minified and gzipped', async () => {
  const { gzipped } = await sizeOf(coreEntry);
  expect(gzipped).toBeGreaterThan(1_000);
  expect(gzipped).toBeLessThanOrEqual(7_000);
});
