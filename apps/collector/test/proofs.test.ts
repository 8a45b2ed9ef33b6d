import { expect, test } from 'vitest';
import { drill, faultsOf } from './proofs/drill.ts';
import { interleavings } from './proofs/interleavings.ts';
import { runLimits } from './proofs/limits.ts';
import { hasPostgres } from './support/postgres.ts';
import { newDatabase } from './support/shared-postgres.ts';

// Short forms of prove:chaos, prove:forget, prove:interleavings and prove:limits; with LONG=1, as every week, longer ones.
const isLong = process.env['LONG'] === '1';

test.skipIf(!hasPostgres)(
  'while processes are killed, the store fails and the database restarts, nothing is lost, and of owners who withdraw only receipts are left',
  async () => {
    const [vehicles, kills, withdrawals] = isLong ? [200, 20, 20] : [12, 1, 3];
    const report = await drill({
      vehicles,
      kills,
      withdrawals,
      processes: 2,
      restarts: 1,
      faultEvery: 30,
      everyMs: 300,
    });
    expect(faultsOf(report)).toEqual([]);
    // Two series of each that is left have a window or more.
    expect(report.windows).toBeGreaterThanOrEqual(2 * (vehicles - withdrawals));
    expect(report.receipts).toBeGreaterThan(0);
  },
);

test.skipIf(!hasPostgres)('processes share a limit, and none calls while the service asks to wait', async () => {
  const database = await newDatabase();
  // So slow that a busy machine reaches more as well, where they do not share it.
  const report = await runLimits({ database, processes: 2, concurrency: 1, rate: 3, calls: 20, waits: 1 });
  expect(report).toMatchObject({ withoutToken: 0, early: 0 });
});

test.skipIf(!hasPostgres)(
  'in whatever order workers, a withdrawal, a sweep and a return take their steps, the lake is as a model says',
  async () => {
    const runs = isLong ? 1_000 : 20;
    const report = await interleavings({ database: await newDatabase(), runs, seed: Math.floor(Math.random() * 1e9) });
    // What is wrong names the seed that repeats it.
    expect(report.wrong).toEqual([]);
    // Of so few orders the seed decides how much happens.
    expect(report.stored).toBeGreaterThan(isLong ? runs / 2 : 0);
    expect(report.gone).toBeGreaterThan(isLong ? runs / 10 : 0);
  },
);
