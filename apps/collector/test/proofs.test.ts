import { expect, test } from 'vitest';
import { drill, faultsOf } from './proofs/drill.ts';
import { runLimits } from './proofs/limits.ts';
import { hasPostgres } from './support/databases.ts';

// Short forms of prove:chaos, prove:forget and prove:limits.
test.skipIf(!hasPostgres)(
  'while processes are killed, the store fails and the database restarts, nothing is lost, and of owners who withdraw only receipts are left',
  async () => {
    const report = await drill({
      ...{ vehicles: 40, processes: 2, kills: 4, withdrawals: 6, restarts: 1, faultEvery: 40, everyMs: 300 },
    });
    expect(faultsOf(report)).toEqual([]);
    expect(report.windows).toBeGreaterThan(60);
    expect(report.receipts).toBeGreaterThan(0);
  },
);

test.skipIf(!hasPostgres)('processes share a limit, and none calls while the service asks to wait', async () => {
  // Two processes that do not share it make at least 40 calls in a second.
  const report = await runLimits({ processes: 2, rate: 20, seconds: 4, waits: 1, lateMs: 500 });
  expect(report.calls).toBeGreaterThan(20);
  expect(report.mostInASecond).toBeLessThanOrEqual(report.allowed);
  expect(report.early).toBe(0);
});
