import { expect, it } from 'vitest';
import { runKillDrill } from '../drills/refresh-kills.ts';

it('no refresh token is lost when processes are killed while they refresh', { timeout: 40_000 }, async () => {
  const result = await runKillDrill(24);
  expect(result).toMatchObject({ kills: 24, lost: 0, torn: 0, recovered: true });
  expect(result.refreshes).toBeGreaterThan(24);
});
