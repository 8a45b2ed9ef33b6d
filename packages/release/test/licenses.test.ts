import { expect, test } from 'vitest';
import { licenseProblems } from '../src/licenses.ts';

test('a dependency without a permissive license is named', () => {
  const MIT = [{ name: 'hono' }];
  expect(licenseProblems({ MIT, Unknown: [{ name: 'left' }], 'AGPL-3.0-only': [{ name: 'right' }] })).toEqual([
    'left has the license Unknown: take another',
    'right has the license AGPL-3.0-only: take another',
  ]);
});
