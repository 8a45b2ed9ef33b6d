import { expect, it } from 'vitest';
import { killRefreshes } from './support/kill-refreshes.ts';

it('no refresh token is lost when processes are killed while they refresh', async () => {
  const result = await killRefreshes(12);
  expect(result).toMatchObject({ lost: 0, torn: 0, recovered: true });
  expect(result.refreshes).toBeGreaterThan(12);
});
