import { expect, test } from 'vitest';
import { licenseProblems, runtimeLicenses } from '../src/licenses.ts';

test('a dependency without a permissive license is named', async () => {
  const licenses = await runtimeLicenses();
  expect(licenses['MIT']).toContainEqual(expect.objectContaining({ name: 'hono' }));
  expect(licenseProblems({ ...licenses, Unknown: [{ name: 'left' }], 'AGPL-3.0-only': [{ name: 'right' }] })).toEqual([
    'left has the license Unknown: take another',
    'right has the license AGPL-3.0-only: take another',
  ]);
});
