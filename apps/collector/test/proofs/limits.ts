// prove:limits: processes share one limit. No second has more calls than rate and burst, and after a 429 no process calls too early.
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../support/databases.ts';
import { startFakeS3 } from '../support/fake-s3.ts';
import { startFleetService } from './fleet-service.ts';
import { endWithChildren, isMain, numbersOf, printRow, runCollector } from './processes.ts';

/** What was seen of a shared limit. */
export interface LimitsReport {
  readonly calls: number;
  /** Most calls in any second, and what is allowed. */
  readonly mostInASecond: number;
  readonly allowed: number;
  /** Calls that began while the service had asked to wait, more than 100 ms after it did. */
  readonly early: number;
  readonly waits: number;
}

const concurrency = 4;
/** So long calls may still come that began before a 429 was known to every process. */
const knownAfterMs = 100;

/** Runs processes on one bucket for some seconds; the service asks to wait in between. */
export async function runLimits(options: {
  processes: number;
  rate: number;
  seconds: number;
  waits: number;
  /** How much later than another a call may arrive that was allowed at the same moment: processes of a busy machine stall. Default: 0. */
  lateMs?: number;
}): Promise<LimitsReport> {
  const { processes, rate, seconds, waits, lateMs = 0 } = options;
  const [postgres, store, service] = [
    await startPostgres(),
    await startFakeS3({ pageSize: 1000 }),
    await startFleetService(rate * seconds),
  ];
  const running = Array.from({ length: processes }, () =>
    runCollector(['start'], {
      ...{
        VDS_LAKE: 's3://lake/fleet',
        VDS_S3_ENDPOINT: store.endpoint,
        VDS_BASE_URL: service.url,
        VDS_BRAND: 'brand_a',
      },
      ...{ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', VDS_DATABASE_URL: postgres.url },
      ...{ VDS_MAX_RATE: `${rate}`, VDS_CONCURRENCY: `${concurrency}`, VDS_API_KEY: 'key' },
      VDS_SINCE: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    }),
  );
  const held: (readonly [from: number, to: number])[] = [];
  try {
    while (service.arrivals.length === 0) await wait(50);
    for (let at = 0; at < waits; at += 1) {
      await wait((seconds * 1000) / (waits + 1));
      const until = service.hold(2);
      const before = service.arrivals.length;
      while (service.arrivals.length === before && performance.now() < until) await wait(5);
      // From the first response on that asks to wait.
      held.push([service.arrivals[before] ?? until, until]);
    }
    await wait((seconds * 1000) / (waits + 1));
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await Promise.all([store.close(), service.close(), postgres.stop()]);
  }
  const { arrivals } = service;
  let mostInASecond = 0;
  let first = 0;
  for (const [at, time] of arrivals.entries()) {
    while ((arrivals[first] ?? time) < time - 1000) first += 1;
    mostInASecond = Math.max(mostInASecond, at - first + 1);
  }
  // Retry-After is in whole seconds from the response on: nobody may come before the service ends it.
  const early = held.reduce(
    (sum, [from, to]) => sum + arrivals.filter((time) => time > from + knownAfterMs && time < to - 50).length,
    0,
  );
  const allowed = rate * (1 + lateMs / 1000) + concurrency;
  return { calls: arrivals.length, mostInASecond, allowed, early, waits: held.length };
}

if (isMain(import.meta.url)) {
  endWithChildren();
  const options = numbersOf({ processes: 4, rate: 20, seconds: 600, waits: 20 });
  const report = await runLimits(options);
  console.log(JSON.stringify({ ...options, ...report }, null, 2));
  const { calls, mostInASecond, allowed, early } = report;
  printRow(
    'limits',
    options,
    `${calls} calls, at most ${mostInASecond} of ${allowed} in any second, ${early} too early`,
  );
  if (report.mostInASecond > report.allowed || report.early > 0) throw new Error('the proof failed');
}
