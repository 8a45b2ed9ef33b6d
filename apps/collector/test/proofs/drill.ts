// A fleet is collected while processes are killed, owners withdraw, the store fails and the database restarts. Then everything is counted.
import { setTimeout as wait } from 'node:timers/promises';
import { readReceipt, verifyReceipt } from '@vehicle-data/archive/receipts';
import { settleArchive } from '@vehicle-data/archive/store';
import { Pool } from 'pg';
import { randomFrom, shuffled, withSeed } from '../../../../scripts/seeded-random.ts';
import { s3Blobs } from '../../dist/lake/s3-blobs.js';
import { onPostgres } from '../../dist/ledger/database.js';
import { receiptKeys, storedReceipts } from '../../dist/ledger/receipts.js';
import { verifyLake } from '../../dist/operate/verify.js';
import { startFakeS3 } from '../support/fake-s3.ts';
import { startPostgres } from '../support/postgres.ts';
import { startFleetService, vinOf } from './fleet-service.ts';
import { type Running, runCollector } from './processes.ts';

/** What happens to a fleet. */
export interface Drill {
  readonly vehicles: number;
  readonly processes: number;
  readonly kills: number;
  readonly withdrawals: number;
  readonly restarts: number;
  /** One in so many requests to the store fails; 0 for none. */
  readonly faultEvery: number;
  /** Milliseconds between two of these, on average. */
  readonly everyMs: number;
}

/** What was left. Every number but the first ones must be 0. */
export interface DrillReport {
  readonly seconds: number;
  readonly windows: number;
  readonly receipts: number;
  /** Calls for windows beyond one each. */
  readonly repeatedCalls: number;
  /** Most of them that kills, failures of the store and of the database explain. */
  readonly explainedCalls: number;
  readonly lost: number;
  readonly lakeProblems: number;
  readonly objectsOfWithdrawn: number;
  readonly rowsOfWithdrawn: number;
  readonly wrongReceipts: number;
  readonly vinsInLogs: number;
  /** Last words of processes that ended by themselves, but for those whose database was away when they were started. */
  readonly endings: readonly string[];
}

const key = '5a'.repeat(32);
const concurrency = 4;
/** Without any progress. */
const deadlineMs = 300_000;

/** Runs a drill. `SEED` makes the choices of an earlier one. */
export function drill(options: Drill): Promise<DrillReport> {
  return withSeed((seed) => runDrill(options, randomFrom(seed)));
}

async function runDrill(options: Drill, random: () => number): Promise<DrillReport> {
  const from = performance.now();
  const [postgres, store, service] = [
    await startPostgres(),
    await startFakeS3({ hasVersions: true, pageSize: 1000 }),
    await startFleetService(options.vehicles),
  ];
  const pool = new Pool({ connectionString: postgres.url, max: 2 });
  const database = onPostgres(pool);
  let requests = 0;
  let faults = 0;
  const kinds = ['unavailable', 'reset-before', 'reset-after', 'lose'] as const;
  store.failWith(() => {
    requests += 1;
    if (options.faultEvery === 0 || requests % options.faultEvery !== 0) return undefined;
    faults += 1;
    return kinds[faults % kinds.length];
  });
  const env = {
    ...{
      VDS_LAKE: 's3://lake/fleet',
      VDS_S3_ENDPOINT: store.endpoint,
      VDS_PSEUDONYM_KEY: key,
      VDS_BASE_URL: service.url,
    },
    ...{
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      VDS_DATABASE_URL: postgres.url,
      VDS_MAX_RATE: '1000',
    },
    ...{ VDS_LEASE_S: '2', VDS_CONCURRENCY: `${concurrency}`, VDS_PORT: '0', VDS_EVERY: '1440', VDS_BRAND: 'brand_a' },
    VDS_SINCE: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
  };
  const logs: (() => string)[] = [];
  const running: Running[] = [];
  const endings: string[] = [];
  let isOver = false;
  /** Starts a process, and as a supervisor does, another in its place when it ends by itself. */
  const start = (at: number): void => {
    const one = runCollector(['start'], env);
    logs.push(one.printed);
    running[at] = one;
    void one.ended.then((code) => {
      if (isOver || code === null) return;
      const [printed, words = ''] = [one.printed(), one.printed().trim().split('\n').at(-1)];
      // A program whose database fails before it has begun says so and ends: whatever started it starts it again.
      if (printed.includes('Health and metrics are at') || !words.includes('the database')) endings.push(words);
      start(at);
    });
  };
  try {
    for (let at = 0; at < options.processes; at += 1) start(at);
    const query = async <Row>(sql: string): Promise<readonly Row[]> => {
      for (;;)
        try {
          return await database.query<Row>(sql);
        } catch {
          await wait(100);
        }
    };
    const count = async (sql: string) =>
      (await query<{ count: number }>(`select count(*)::int as count from ${sql}`))[0]?.count ?? 0;
    const lookNow = () => query('update vds.accounts set list_at = clock_timestamp()');
    while ((await count(`pg_tables where schemaname = 'vds' and tablename = 'receipts'`)) === 0) await wait(50);
    while ((await count('vds.vehicles')) === 0) await wait(50);

    const kindsOfEvents = [
      ...Array<'kill'>(options.kills).fill('kill'),
      ...Array<'withdraw'>(options.withdrawals).fill('withdraw'),
      ...Array<'restart'>(options.restarts).fill('restart'),
    ];
    const withdrawn: string[] = [];
    for (const event of shuffled(kindsOfEvents, random)) {
      await wait(random() * 2 * options.everyMs);
      if (event === 'kill') {
        const at = Math.floor(random() * running.length);
        running[at]?.child.kill('SIGKILL');
        start(at);
      } else if (event === 'restart') await postgres.restart();
      else {
        // Every other one is known to the ledger, so that there are files to forget; the rest may be in a list that is under way.
        const listed =
          withdrawn.length % 2 === 0
            ? await query<{ vin: string }>(`select vin from vds.vehicles where state = 'active'`)
            : [];
        const known = listed.map(({ vin }) => vin).filter((vin) => service.sharing.has(vin));
        const [vin = vinOf(0)] = shuffled(known.length > 0 ? known.sort() : service.sharing, random);
        service.sharing.delete(vin);
        withdrawn.push(vin);
        await lookNow();
      }
    }
    await lookNow();
    const rest = async () =>
      (
        await query<{ active: number; missing: number; unfinished: number; due: number }>(
          `select (select count(*)::int from vds.vehicles where state = 'active') as active,
             (select count(*)::int from vds.vehicles where state = 'active' and missing_since is not null) as missing,
             (select count(*)::int from vds.vehicles where state = 'purging' or manifest_due is not null) +
             (select count(*)::int from vds.accounts where list_lease is not null or list_at <= clock_timestamp()) as unfinished,
             (select count(*)::int from vds.windows where fetched_at is null or due_at <= clock_timestamp()) as due`,
        )
      )[0];
    let [left, quietFrom] = [-1, performance.now()];
    for (let now = await rest(); ; now = await rest()) {
      if (now?.active === service.sharing.size && now.unfinished === 0 && now.due === 0) break;
      if (now && now.due !== left) [left, quietFrom] = [now.due, performance.now()];
      // A list that was cut off knows few vehicles. Where the next one misses most of them, the one after it decides; here it would come in a day.
      if (now && now.unfinished === 0 && now.missing > 0) await lookNow();
      if (performance.now() - quietFrom > deadlineMs)
        throw new Error(
          `the drill did not come to rest: ${JSON.stringify({ ...now, sharing: service.sharing.size, endings })}`,
        );
      await wait(200);
    }
    store.failWith(() => undefined);
    isOver = true;
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all(running.map(({ ended }) => ended));

    const { pseudonymOf } = settleArchive(key, undefined, {});
    const names = withdrawn.map(pseudonymOf);
    const isGone = new Set(names);
    const blobs = s3Blobs({ ...store.place, prefix: 'fleet/' });
    const lake = await verifyLake(database, blobs, { sample: undefined, isBucket: true, repair: false });
    for (const { code, path } of lake.problems.slice(0, 5)) console.error(`${code} ${path}`);
    const keys = await receiptKeys(database);
    const receipts = new Map<string, number>();
    let wrong = 0;
    for await (const text of storedReceipts(database)) {
      if (!(await verifyReceipt(text, keys)).ok) wrong += 1;
      const name = readReceipt(text)?.pii_principal_id ?? '';
      receipts.set(name, (receipts.get(name) ?? 0) + 1);
    }
    const known = new Set(
      (await query<{ vehicle: string }>('select vehicle from vds.vehicles')).map(({ vehicle }) => vehicle),
    );
    // A vehicle that withdrew before it was listed was never held.
    wrong += names.filter((name) => (receipts.get(name) ?? 0) !== (known.has(name) ? 1 : 0)).length;
    const windows = await count('vds.windows');
    const everyWindow = new Set([...service.calls.keys()].map((name) => name.replace(/^\w+ /, '')));
    const printed = logs.map((log) => log()).join('');
    const stillFetched = [...service.calls].filter(([name]) => service.sharing.has(name.slice(0, 17)));
    return {
      seconds: (performance.now() - from) / 1000,
      windows,
      receipts: [...receipts.values()].reduce((sum, one) => sum + one, 0),
      repeatedCalls: stillFetched.reduce((sum, [, calls]) => sum + calls - 1, 0),
      explainedCalls: options.kills * concurrency + faults + options.restarts * concurrency * options.processes,
      lost: service.sharing.size * everyWindow.size - windows,
      lakeProblems: lake.problems.length,
      objectsOfWithdrawn: store.everything().filter((path) => isGone.has(/vehicle=(\w+)/.exec(path)?.[1] ?? '')).length,
      rowsOfWithdrawn:
        (await query<{ vehicle: string }>('select vehicle from vds.windows')).filter(({ vehicle }) =>
          isGone.has(vehicle),
        ).length +
        (await query<{ vin: string }>('select vin from vds.vehicles where vin is not null')).filter(({ vin }) =>
          withdrawn.includes(vin),
        ).length,
      wrongReceipts: wrong,
      vinsInLogs: Array.from({ length: options.vehicles }, (_, at) => vinOf(at)).filter((vin) => printed.includes(vin))
        .length,
      endings,
    };
  } finally {
    isOver = true;
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await pool.end();
    await Promise.all([store.close(), service.close(), postgres.stop()]);
  }
}

/** A report in a line. */
export function outcomeOf(report: DrillReport): string {
  const { seconds, windows, receipts, repeatedCalls, explainedCalls } = report;
  const wrong = faultsOf(report);
  return `${Math.round(seconds)} s, ${windows} windows, ${receipts} receipts, ${repeatedCalls} of at most ${explainedCalls} calls repeated, ${wrong.length === 0 ? 'nothing wrong' : wrong.join(', ')}`;
}

/** What a report must not have. */
export function faultsOf(report: DrillReport): readonly string[] {
  const zero = [
    'lost',
    'lakeProblems',
    'objectsOfWithdrawn',
    'rowsOfWithdrawn',
    'wrongReceipts',
    'vinsInLogs',
  ] as const;
  return [
    ...zero.filter((name) => report[name] !== 0).map((name) => `${name}: ${report[name]}`),
    ...report.endings.map((words) => `a process ended: ${words}`),
    ...(report.repeatedCalls > report.explainedCalls ? [`repeatedCalls: ${report.repeatedCalls}`] : []),
  ];
}
