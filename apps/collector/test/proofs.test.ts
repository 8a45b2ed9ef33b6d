import { expect, test } from 'vitest';
import { drill, faultsOf } from './proofs/drill.ts';
import { interleavings } from './proofs/interleavings.ts';
import { runLimits } from './proofs/limits.ts';
import { hasPostgres } from './support/databases.ts';

// Short forms of prove:chaos, prove:forget, prove:interleavings and prove:limits.
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

test.skipIf(!hasPostgres)(
  'in whatever order workers, a withdrawal, a sweep and a return take their steps, the lake is as a model says',
  async () => {
    const report = await interleavings({ runs: 100, seed: Math.floor(Math.random() * 1e9) });
    // What is wrong names the seed that repeats it.
    expect(report.wrong).toEqual([]);
    expect(report.stored).toBeGreaterThan(50);
    expect(report.gone).toBeGreaterThan(10);
  },
);
