// Two events at once that broke a collector where neither did alone: lists, purges, restarts and lost connections.
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vehiclePrefix } from '@vehicle-data/archive/format';
import { Pool } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCollector } from '../src/collect/collector.ts';
import { type Failure, failureOf, reasonOf } from '../src/collect/failures.ts';
import { startLeases } from '../src/collect/leases.ts';
import { openLake } from '../src/collect/open.ts';
import { finishPurges } from '../src/collect/purge.ts';
import type { Counts, Run } from '../src/collect/run.ts';
import { createServices } from '../src/collect/service.ts';
import { applyList } from '../src/collect/vehicles.ts';
import { workOnce } from '../src/collect/work.ts';
import { readGiven } from '../src/config/options.ts';
import { readSettings } from '../src/config/settings.ts';
import { addAccount, claimLook, confirmPurge, finishLook, type LookClaim, lookNow } from '../src/ledger/accounts.ts';
import { type Database, onPostgres, openPool, type Queries } from '../src/ledger/database.ts';
import { sweep } from '../src/ledger/sweep.ts';
import { beginPurge, claimPurge } from '../src/ledger/withdrawal.ts';
import { startFleetService } from './proofs/fleet-service.ts';
import { hasPostgres } from './support/postgres.ts';
import { newDatabase } from './support/shared-postgres.ts';

const hour = 3_600_000;
const { signal } = new AbortController();

/** A service, a lake in a folder, and the ledger of an account whose vehicles are listed. */
async function start(vehicles: number) {
  const service = await startFleetService(vehicles);
  const folder = await mkdtemp(join(tmpdir(), 'vds-pairs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  onTestFinished(service.close);
  const flags = ['--lake', join(folder, 'lake'), '--base-url', service.url, '--max-rate', '1000'];
  const environment = { VDS_DATABASE_URL: await newDatabase() };
  const settings = readSettings(readGiven(['start', ...flags], environment), Date.now());
  const lake = await openLake(settings);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await lake.close();
    isOpen = false;
  };
  onTestFinished(close);
  const { database, pseudonymOf } = lake;
  await addAccount(database, { name: 'fleet', brand: 'brand_a', tokenFile: null });
  const leases = startLeases(database, settings.leaseMs);
  onTestFinished(() => leases.stop());
  const counts: Counts = { collected: 0, failed: 0, inARow: 0, throttledMs: 0, purged: 0, failures: new Map() };
  const run: Run = {
    ...{ lake, settings, leases, counts, end: signal, broken: signal, isOnce: false, mostFailures: 10 },
    note: () => undefined,
    serviceOf: createServices(settings),
    accountOf: async (name) => ({ name, brand: 'brand_a', tokenFile: null }),
    bucketOf: ({ account }) => account,
    upstreamOf: (brand) => brand,
    fails: () => undefined,
    pause: async () => 0,
  };
  const fleet = { pseudonymOf, since: settings.since };
  const claimList = async () => {
    const claim = await claimLook(database);
    if (!claim) throw new Error('no list is due');
    return claim;
  };
  const apply = (claim: LookClaim, vins: Iterable<string> = service.sharing, on = database) =>
    applyList({ ...fleet, database: on, state: lake.readState() }, claim, [...vins], Date.now());
  const first = await claimList();
  await apply(first);
  await finishLook(database, first, hour, true);
  return { ...{ service, folder: settings.lake, settings, lake, database, run, leases, close, apply, claimList } };
}
/** Collects all that is due. */
async function collect(run: Run): Promise<void> {
  while (await workOnce(run));
}
const stateOf = async (database: Database, vehicle: string) =>
  (await database.query<{ state: string }>('select state from vds.vehicles where vehicle = $1', [vehicle]))[0]?.state;
const purgedIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('.purge-'));

test('a database that restarts, fails over or cannot be reached is waited for, and is no mistake of the program', async () => {
  const error = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
  const ofDatabase = [
    error('57P01', { severity: 'FATAL' }),
    error('25006', { severity: 'ERROR' }),
    error('ENETUNREACH', { syscall: 'read' }),
    new AggregateError([error('EADDRNOTAVAIL'), error('ECONNREFUSED')]),
    new Error('There was an error establishing an SSL connection'),
  ];
  const pool = new Pool({ host: join(tmpdir(), 'vds-no-such-folder'), user: 'vds' });
  onTestFinished(() => pool.end());
  const absent: unknown = await onPostgres(pool)
    .query('select')
    .catch((failure: unknown) => failure);
  for (const failure of [...ofDatabase, absent])
    expect(failureOf(failure), String(failure)).toEqual({ of: 'surroundings', code: 'database' });
  // The file of its socket is away while it restarts.
  expect(reasonOf(absent)).toBe('the database cannot be reached; check --database-url');
  expect(failureOf(error('ENOENT', { syscall: 'rename' }))).toEqual({ of: 'surroundings', code: 'store' });
  expect(failureOf(error('23505', { severity: 'ERROR' }))).toBeUndefined();
});

test.skipIf(!hasPostgres)(
  'a list under way is not taken over for a vehicle that is denied meanwhile: it withdraws it, and another follows',
  async () => {
    const { service, database, lake, run, apply, claimList } = await start(3);
    const [gone = ''] = service.sharing;
    service.sharing.delete(gone);
    await lookNow(database);
    const list = await claimList();
    await collect(run);
    expect(service.calls.size).toBeGreaterThan(2);
    expect(await claimLook(database)).toBeUndefined();
    expect((await apply(list)).withdrawn).toBe(1);
    expect(await stateOf(database, lake.pseudonymOf(gone))).toBe('purging');
    await finishLook(database, list, hour, true);
    await expect.poll(() => claimLook(database)).toMatchObject({ name: 'fleet' });
  },
);

test.skipIf(!hasPostgres)(
  'a list that is brought in too slowly brings no vehicle back that another list purged meanwhile',
  async () => {
    const { service, database, lake, leases, apply, claimList } = await start(3);
    const before = [...service.sharing];
    const [gone = ''] = before;
    await lookNow(database);
    const late = await claimList();
    let meanwhile: (() => Promise<void>) | undefined = async () => {
      await lookNow(database);
      expect((await apply(await claimList(), before.slice(1))).withdrawn).toBe(1);
      expect(await finishPurges(lake, leases)).toBe(1);
    };
    const slowly: Database = {
      ...database,
      async query(text, parameters) {
        const step = text.startsWith('insert into vds.vehicles') ? meanwhile : undefined;
        if (step) meanwhile = undefined;
        await step?.();
        return database.query(text, parameters);
      },
    };
    await apply(late, before, slowly);
    expect(meanwhile).toBeUndefined();
    expect(await stateOf(database, lake.pseudonymOf(gone))).toBe('gone');
  },
);

test.skipIf(!hasPostgres)('what a person confirms while a list is fetched is of the next list', async () => {
  const { database, claimList } = await start(1);
  await lookNow(database);
  const list = await claimList();
  await confirmPurge(database, 'fleet', 5);
  await finishLook(database, list, hour, true);
  const next = await claimList();
  expect(next.confirmPurge).toBe(5);
  await finishLook(database, next, hour, true);
  await lookNow(database);
  expect((await claimList()).confirmPurge).toBeNull();
});

test.skipIf(!hasPostgres)(
  'lists are fetched while the purge of a vehicle waits for a process that was killed',
  async () => {
    const { service, database, lake, settings } = await start(3);
    const [one = ''] = service.sharing;
    await beginPurge(database, { brand: 'brand_a', vehicle: lake.pseudonymOf(one) });
    await claimPurge(database, hour);
    await addAccount(database, { name: 'second', brand: 'brand_a', tokenFile: null });
    await lookNow(database);
    const listed = new Set<string>();
    const stop = new AbortController();
    const serviceOf = ({ name }: { readonly name: string }) => ({
      async listVins() {
        listed.add(name);
        return name === 'fleet' ? [...service.sharing] : [];
      },
      readWindow: async () => [],
    });
    const control = { stop: stop.signal, abort: signal, note: () => undefined };
    const running = createCollector(lake, serviceOf, settings, control).run();
    await expect.poll(() => [...listed].sort()).toEqual(['fleet', 'second']);
    stop.abort();
    await running;
  },
);

test.skipIf(!hasPostgres)(
  'views are written once while the files of a forgotten vehicle cannot be removed',
  async () => {
    const { service, database, lake, leases, settings } = await start(2);
    const [one = ''] = service.sharing;
    await beginPurge(database, { brand: 'brand_a', vehicle: lake.pseudonymOf(one) });
    expect(await finishPurges(lake, leases)).toBe(1);
    let [views, sweeps] = [0, 0];
    const failing = {
      ...lake,
      async refresh(withViews: boolean) {
        if (withViews) views += 1;
      },
      blobs: {
        ...lake.blobs,
        async removeAll() {
          sweeps += 1;
          throw Object.assign(new Error('EIO'), { code: 'EIO' });
        },
      },
    };
    const stop = new AbortController();
    const serviceOf = () => ({ listVins: async () => [...service.sharing].slice(1), readWindow: async () => [] });
    const control = { stop: stop.signal, abort: signal, note: () => undefined };
    const running = createCollector(failing, serviceOf, settings, control).run();
    await expect.poll(() => sweeps).toBeGreaterThan(2);
    stop.abort();
    await running;
    expect(views).toBe(1);
  },
);

test.skipIf(!hasPostgres)('after a failover, no connection is kept to a server that only reads', async () => {
  const address = await newDatabase();
  const admin = new Pool({ connectionString: address, max: 1 });
  const pool = new Pool({ connectionString: address, max: 1 });
  onTestFinished(async () => {
    await Promise.all([admin.end(), pool.end()]);
  });
  const database = onPostgres(pool);
  const make = (name: string) => `create table ${name} ()`;
  const setTo = (value: string) =>
    admin.query(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`,
    );
  await setTo('on');
  const steps = [() => database.query(make('one')), () => database.transaction((open) => open.query(make('two')))];
  for (const step of steps) {
    const failure: unknown = await step().catch((error: unknown) => error);
    expect(failureOf(failure)).toEqual({ of: 'surroundings', code: 'database' });
    await setTo('off');
    await step();
    await setTo('on');
    // The next step begins with a connection that only reads, too.
    await database.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
  }
});

test.skipIf(!hasPostgres)(
  'a database that falls silent behind a proxy that hangs is asked over another connection',
  async () => {
    const address = new URL(await newDatabase());
    const folder = await mkdtemp(join(tmpdir(), 'vds-silent-'));
    const file = '.s.PGSQL.5432';
    const path = join(address.searchParams.get('host') ?? '', file);
    /** Of each, whether it is silent, and what it has swallowed since. */
    const connections: { isSilent: boolean; swallowed: number }[] = [];
    const open = new Set<Socket>();
    const proxy = createServer((client) => {
      const connection = { isSilent: false, swallowed: 0 };
      connections.push(connection);
      const server = connect(path);
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        open.add(from);
        from.on('data', (bytes) => {
          if (connection.isSilent) connection.swallowed += bytes.length;
          else to.write(bytes);
        });
        from.on('error', () => undefined);
        from.on('close', () => to.destroy());
      }
    });
    await once(proxy.listen(join(folder, file)), 'listening');
    address.searchParams.set('host', folder);
    const pool = openPool(address.href);
    onTestFinished(async () => {
      for (const socket of open) socket.destroy();
      await Promise.all([pool.end(), new Promise((resolve) => proxy.close(resolve))]);
      await rm(folder, { recursive: true });
    });
    const database = onPostgres(pool);
    const select = async (on: Queries) => expect(await on.query('select 1 as one')).toEqual([{ one: 1 }]);
    await Promise.all([select(database), select(database)]);
    expect(connections).toHaveLength(2);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const failures: (Failure | undefined)[] = [];
    const fails = (step: Promise<unknown>) => step.catch((error: unknown) => void failures.push(failureOf(error)));
    const both = fails(
      database.transaction(async (within) => {
        await select(within);
        for (const connection of connections) connection.isSilent = true;
        await Promise.all([fails(select(database)), select(within)]);
      }),
    );
    await expect.poll(() => connections.every(({ swallowed }) => swallowed > 0)).toBe(true);
    let minutes = 0;
    await expect
      .poll(() => {
        minutes += 1;
        vi.advanceTimersByTime(60_000);
        return failures;
      })
      .toEqual(Array(2).fill({ of: 'surroundings', code: 'database' }));
    await both;
    // A rollback over the silent connection would be waited for as long again.
    expect(minutes).toBeLessThan(15);
    vi.useRealTimers();
    await select(database);
    expect(connections).toHaveLength(3);
  },
);

test('a heartbeat whose connection is dead keeps no later one waiting', async () => {
  let beats = 0;
  const query = () => {
    beats += 1;
    return new Promise<never>(() => undefined);
  };
  const leases = startLeases({ query }, 50);
  onTestFinished(() => leases.stop());
  const work = new AbortController();
  const held = leases.hold('11111111-1111-4111-8111-111111111111', () => once(work.signal, 'abort'));
  await expect.poll(() => beats).toBeGreaterThan(2);
  work.abort();
  await held;
});

/** A ledger whose connection ends when a purge is committed, before the response. */
function endingAfterCommit(database: Database): Database {
  return {
    ...database,
    async transaction(steps) {
      await database.transaction(steps);
      throw new Error('Connection terminated unexpectedly');
    },
  };
}

test.skipIf(!hasPostgres)(
  'of a purge whose last word was lost, a sweep removes the rest, and a vehicle that is back keeps its files',
  async () => {
    const { service, folder, database, lake, run, leases, close, apply, claimList } = await start(3);
    await collect(run);
    const [one = '', two = ''] = service.sharing;
    for (const vin of [one, two]) {
      await beginPurge(database, { brand: 'brand_a', vehicle: lake.pseudonymOf(vin) });
      const places = { ...lake, database: endingAfterCommit(database) };
      await expect(finishPurges(places, leases)).rejects.toThrow('terminated');
      expect(await stateOf(database, lake.pseudonymOf(vin))).toBe('gone');
    }
    expect(await purgedIn(folder)).toHaveLength(2);
    // One is back before anybody tidied up.
    const left = service.sharing.delete(two);
    expect(left).toBe(true);
    await lookNow(database);
    await apply(await claimList());
    expect(await purgedIn(folder)).toHaveLength(1);
    await collect(run);
    await sweep(database, lake.blobs, lake.readState());
    expect(await purgedIn(folder)).toEqual([]);
    const prefix = vehiclePrefix({ brand: 'brand_a', vehicle: lake.pseudonymOf(one) });
    const { blobs } = await lake.blobs.list(prefix);
    expect(blobs.length).toBeGreaterThan(0);
    // Whoever opens the archive finishes purges that it finds.
    await close();
    expect((await lake.blobs.list(prefix)).blobs).toEqual(blobs);
  },
);
