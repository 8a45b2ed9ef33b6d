// prove:limits: processes share one limit. No second has more calls than rate and burst, and after a 429 no process calls too early.
import { setTimeout as wait } from 'node:timers/promises';
import { startFakeS3 } from '../support/fake-s3.ts';
import { startPostgres } from '../support/postgres.ts';
import { startFleetService } from './fleet-service.ts';
import { endWithChildren, isMain, numbersOf, printRow, runCollector } from './processes.ts';

/** What was seen of a shared limit. */
export interface LimitsReport {
  readonly calls: number;
  /** Calls for which there was no token yet, counted from the first list on, before which nobody has taken one. */
  readonly withoutToken: number;
  /** Most calls in any second, and what is allowed where no process of the machine stalls. */
  readonly mostInASecond: number;
  readonly allowed: number;
  /** Calls after the first response that asked to wait, while the service had. */
  readonly whileHeld: number;
  /** Those of them that cannot have begun before a process knew of the wait: more than one each worker and wait. */
  readonly early: number;
}

const holdSeconds = 1;

/** Runs processes on one bucket until the service has had so many calls; it asks to wait in between. */
export async function runLimits(options: {
  /** Address of an empty database. */
  database: string;
  processes: number;
  /** Workers of each. */
  concurrency: number;
  rate: number;
  calls: number;
  waits: number;
}): Promise<LimitsReport> {
  const { database, processes, concurrency, rate, calls, waits } = options;
  const [store, service] = [await startFakeS3({ pageSize: 1000 }), await startFleetService(calls)];
  const running = Array.from({ length: processes }, () =>
    runCollector(['start'], {
      ...{
        VDS_LAKE: 's3://lake/fleet',
        VDS_S3_ENDPOINT: store.endpoint,
        VDS_BASE_URL: service.url,
        VDS_BRAND: 'brand_a',
      },
      ...{ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', VDS_DATABASE_URL: database },
      ...{ VDS_MAX_RATE: `${rate}`, VDS_CONCURRENCY: `${concurrency}`, VDS_API_KEY: 'key' },
      VDS_SINCE: new Date().toISOString().slice(0, 10),
    }),
  );
  const { arrivals } = service;
  const arrived = async (count: number) => {
    while (arrivals.length < count) await wait(5);
  };
  const held: (readonly [from: number, to: number])[] = [];
  try {
    for (let at = 1; at <= waits; at += 1) {
      await arrived((calls * at) / (waits + 1));
      const before = arrivals.length;
      const until = service.hold(holdSeconds);
      await arrived(before + 1);
      // From the first response on that asks to wait.
      held.push([arrivals[before] ?? until, until]);
    }
    await arrived(calls);
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await Promise.all([store.close(), service.close()]);
  }
  let mostInASecond = 0;
  let first = 0;
  for (const [at, time] of arrivals.entries()) {
    while ((arrivals[first] ?? time) < time - 1000) first += 1;
    mostInASecond = Math.max(mostInASecond, at - first + 1);
  }
  const from = service.listedAt() ?? Number.POSITIVE_INFINITY;
  const withoutToken = arrivals.filter((time, at) => at + 1 > concurrency + (rate * (time - from)) / 1000).length;
  // Retry-After is in whole seconds from the response on: nobody may come before the service ends it.
  const counts = held.map(([first, to]) => arrivals.filter((time) => time > first && time < to).length);
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  return {
    ...{ calls: arrivals.length, withoutToken, mostInASecond, allowed: rate + concurrency },
    whileHeld: sum(counts),
    early: sum(counts.map((count) => Math.max(0, count - processes * concurrency + 1))),
  };
}

if (isMain(import.meta.url)) {
  endWithChildren();
  const options = numbersOf({ processes: 4, concurrency: 4, rate: 20, calls: 12_000, waits: 20 });
  const postgres = await startPostgres();
  const report = await runLimits({ ...options, database: postgres.url }).finally(postgres.stop);
  console.log(JSON.stringify({ ...options, ...report }, null, 2));
  const { calls, withoutToken, mostInASecond, allowed, early } = report;
  printRow(
    'limits',
    options,
    `${calls} calls, ${withoutToken} without a token, at most ${mostInASecond} of ${allowed} in any second, ${early} too early`,
  );
  if (withoutToken > 0 || mostInASecond > allowed || early > 0) throw new Error('the proof failed');
}
