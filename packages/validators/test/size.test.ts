import { operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { bundledSize } from './bundle-size.ts';

const kilobyte = 1000;

describe('minified and compressed', () => {
  test.each(Object.keys(operations))('the validators of %s take at most 2.3 kB each', async (operationId) => {
    for (const name of [`${operationId}Request`, `${operationId}Response`]) {
      const { bytes } = await bundledSize(`export { ${name} } from './index.js'`, { withTimeZones: false });
      expect(bytes, name).toBeLessThanOrEqual(2.3 * kilobyte);
    }
  });

  test('everything but the list of time zones takes at most 6 kB', async () => {
    const { bytes } = await bundledSize(`export * from './index.js'`, { withTimeZones: false });
    expect(bytes).toBeLessThanOrEqual(6 * kilobyte);
  });

  test('the list of time zones takes at most 4 kB', async () => {
    const source = `export * from './index.js'`;
    const [all, rest] = await Promise.all([
      bundledSize(source, { withTimeZones: true }),
      bundledSize(source, { withTimeZones: false }),
    ]);
    expect(all.bytes - rest.bytes).toBeLessThanOrEqual(4 * kilobyte);
  });
});

describe('a bundle with one validator', () => {
  test.each(['src', 'dist'] as const)('from %s holds nothing of the others and no list of time zones', async (form) => {
    const { text, bytes } = await bundledSize(`export { isVin } from './index.js'`, { withTimeZones: true, form });
    expect(bytes).toBeLessThan(kilobyte);
    expect(text).not.toContain('trips');
    expect(text).not.toContain('Berlin');
    expect(text).not.toContain('odometer');
  });
});
