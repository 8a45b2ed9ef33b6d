import { windowPathOf } from '@vehicle-data/archive/format';
import { type ReceiptSigner, readReceipt, verifyReceipt } from '@vehicle-data/archive/receipts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../src/collect/failures.ts';
import { startLeases } from '../src/collect/leases.ts';
import { finishPurges } from '../src/collect/purge.ts';
import { ledgerState } from '../src/lake/ledger-state.ts';
import { addAccount, parkAccount, setAccountState } from '../src/ledger/accounts.ts';
import type { Database, Queries } from '../src/ledger/database.ts';
import { holdBucket, noteAlive, noteOutage, takeToken } from '../src/ledger/limits.ts';
import { migrate } from '../src/ledger/migrations.ts';
import { openSigner, receiptKeys, storedReceipts } from '../src/ledger/receipts.ts';
import { sweep } from '../src/ledger/sweep.ts';
import {
  addVehicle,
  addWindows,
  type Claim,
  claimVehicle,
  dueWindows,
  releaseVehicle,
  type VehicleName,
} from '../src/ledger/windows.ts';
import { beginPurge, claimPurge, continuePurge, type PurgeClaim } from '../src/ledger/withdrawal.ts';
import { collectWindow, type Lake } from '../src/window/collect-window.ts';
import { databases } from './support/databases.ts';
import { MemoryStore } from './support/memory-store.ts';

const minute = 60_000;
const days = { from: '2026-02-01', to: '2026-02-08' };
const { signal } = new AbortController();

/** Ends every connection to the ledger but the one that says so, as a failover does. */
const endConnections = (database: Database) =>
  database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  );
/** The ledger, and what happens before each statement of it. */
function failingOver(database: Database, before: () => Promise<void>): Database {
  const on = (queries: Queries): Queries => ({
    async query(text, parameters) {
      await before();
      return queries.query(text, parameters);
    },
  });
  return {
    ...on(database),
    async transaction(steps) {
      await before();
      return database.transaction((open) => steps(on(open)));
    },
  };
}
/** Purges every vehicle that is fenced off and that no worker has. */
async function purgeAll(database: Database, blobs: MemoryStore, signer: ReceiptSigner): Promise<void> {
  for (let claim = await claimPurge(database, minute); claim; claim = await claimPurge(database, minute))
    await continuePurge(database, blobs, claim, signer);
}

describe.for(databases)('the ledger on $name', ({ name, open }) => {
  let database: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ database, close } = await open());
    await Promise.all([migrate(database), migrate(database)]);
  });
  afterAll(() => close());

  let count = 0;
  /** A vehicle with one due window, and an empty lake. */
  async function start() {
    count += 1;
    const vehicle = count.toString(16).padStart(32, '0');
    const key = { brand: 'brand_a', vehicle, series: 'driving', from: '2026-02-01' } as const;
    const vehicleOf = { ...key, vin: `TESTVEHICLE${`${count}`.padStart(6, '0')}` };
    await addAccount(database, { name: 'owner', brand: 'brand_a', tokenFile: null });
    await addVehicle(database, vehicleOf, 'owner');
    await addWindows(database, key, [{ ...key, to: '2026-02-08' }], days);
    const blobs = new MemoryStore();
    const trip = { triggerStartTime: '2026-02-03T07:00:00.000Z', tripLength: 1_000, odometer: { value: [1, 2] } };
    const lake: Lake = {
      database,
      everyMs: minute,
      write: async (_, { path, content, sha256 }) => {
        if (path && content && sha256) await blobs.put(path, content);
        return { settled: true };
      },
      context: { format: 'ndjson', shape: 'trips', codec: 'SNAPPY', zoneId: 'UTC' },
      readWindow: async () => [trip],
    };
    return { key, vehicleOf, blobs, lake };
  }
  const claimed = async (name: VehicleName): Promise<Claim> => {
    const claim = await claimVehicle(database, minute, name);
    if (!claim) throw new Error('not claimed');
    return claim;
  };
  /** What a worker does with a vehicle. */
  const collect = async (lake: Lake, claim: Claim) => {
    const [task] = await dueWindows(database, claim, 1);
    if (!task) throw new Error('no window is due');
    try {
      return await collectWindow(lake, claim, task, signal);
    } finally {
      await releaseVehicle(database, claim);
    }
  };
  const receiptsOf = async (vehicle: string) => {
    const receipts: string[] = [];
    for await (const receipt of storedReceipts(database, vehicle)) receipts.push(receipt);
    return receipts;
  };
  const expire = (vehicle: string) =>
    database.query(`update vds.vehicles set lease_until = clock_timestamp() where vehicle = $1`, [vehicle]);
  const pathOf = async (vehicle: string) =>
    (await database.query<{ path: string | null }>('select path from vds.windows where vehicle = $1', [vehicle]))[0]
      ?.path;

  test('a database of a newer program is left alone', async () => {
    await database.query('update vds.version set step = step + 1');
    await expect(migrate(database)).rejects.toThrow('start a newer program');
    await database.query('update vds.version set step = step - 1');
    await migrate(database);
  });

  test('a ledger of every earlier version comes to this one with what it has, and works', async () => {
    const now = await migrate(database);
    // From the first version on, a ledger takes every step: once is enough in the slower database.
    for (const version of name === 'PGlite' ? [1] : [1, 2, 3]) {
      await database.query('drop schema vds cascade');
      expect(await migrate(database, version)).toEqual({ from: 0, to: version });
      const vehicle = `${version}`.repeat(32);
      await database.query(
        `insert into vds.vehicles (brand, vehicle, account, vin) values ('brand_a', $1, 'owner', 'TESTVEHICLE000000')`,
        [vehicle],
      );
      if (version > 1) await database.query(`insert into vds.accounts (name, brand) values ('owner', 'brand_a')`);
      await database.query(
        `insert into vds.windows (brand, vehicle, series, from_day, to_day, sha256, due_at)
         values ('brand_a', $1, 'driving', '2026-02-01', '2026-02-08', $2, now())`,
        [vehicle, 'c0ffee'],
      );
      expect(await migrate(database)).toEqual({ from: version, to: now.to });
      expect(await migrate(database)).toEqual({ from: now.to, to: now.to });
      const hash = `select encode(sha256, 'hex') as hash from vds.windows where vehicle = $1`;
      expect(await database.query(hash, [vehicle])).toEqual([{ hash: 'c0ffee' }]);
      const { lake } = await start();
      expect(await collect(lake, await claimed({ brand: 'brand_a', vehicle }))).toBe('stored');
    }
  });

  // PGlite has no connections.
  if (name === 'PostgreSQL')
    test('a database that ends every connection costs a statement, not the process', async () => {
      const { key, lake } = await start();
      const cut = database.transaction(async (open) => {
        await open.query("update vds.vehicles set account = 'other' where vehicle = $1", [key.vehicle]);
        await endConnections(database);
        await open.query('select 1');
      });
      await expect(cut).rejects.toThrow();
      expect(await database.query('select account from vds.vehicles where vehicle = $1', [key.vehicle])).toEqual([
        { account: 'owner' },
      ]);
      expect(await collect(lake, await claimed(key))).toBe('stored');
    });

  if (name === 'PostgreSQL')
    test('a window that is added while its vehicle is given back is due', async () => {
      const { key } = await start();
      const claim = await claimed(key);
      let released: Promise<void> | undefined;
      const isWaiting = async () =>
        (
          await database.query(
            "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          )
        ).length > 0;
      await database.query('update vds.windows set due_at = null where vehicle = $1', [key.vehicle]);
      await database.transaction(async (open) => {
        await open.query('select from vds.vehicles where vehicle = $1 for update', [key.vehicle]);
        released = releaseVehicle(database, claim);
        while (!(await isWaiting())) await open.query('select pg_sleep(0.01)');
        await open.query('update vds.windows set due_at = clock_timestamp() where vehicle = $1', [key.vehicle]);
      });
      await released;
      expect((await claimVehicle(database, minute, key))?.vehicle).toBe(key.vehicle);
    });

  test('of several workers one gets a vehicle, and its window is collected once', async () => {
    const { key, lake, blobs } = await start();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimVehicle(database, minute, key)));
    const [claim, ...others] = claims.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(claim && (await collect(lake, claim))).toBe('stored');
    expect([...blobs.objects.keys()]).toEqual([await pathOf(key.vehicle)]);
    expect(await claimVehicle(database, minute, key)).toBeUndefined();
  });

  test('a window whose put fails, before or after the bytes arrived, is due again', async () => {
    for (const moment of ['beforePut', 'afterPut'] as const) {
      const { key, lake, blobs } = await start();
      blobs[moment] = async () => Promise.reject(new Error('reset'));
      await expect(collect(lake, await claimed(key))).rejects.toThrow('reset');
      expect(await pathOf(key.vehicle)).toBeNull();
      blobs[moment] = async () => {};
      expect(await collect(lake, await claimed(key))).toBe('stored');
    }
  });

  test('the vehicle of a worker that died goes to another, and the dead one stores nothing', async () => {
    const { key, lake } = await start();
    const dead = await claimed(key);
    await expire(key.vehicle);
    const next = await claimed(key);
    expect(await collect(lake, dead)).toBe('lost');
    expect(await pathOf(key.vehicle)).toBeNull();
    expect(await collect(lake, next)).toBe('stored');
  });

  test('a vehicle that is withdrawn while its file is put is gone only when the worker ended', async () => {
    for (const moment of ['beforePut', 'afterPut'] as const) {
      const { key, vehicleOf, lake, blobs } = await start();
      blobs[moment] = async () => {
        expect(await beginPurge(database, key)).toBe(true);
        expect(await continuePurge(database, blobs, key)).toEqual({ done: false, waitsFor: 1 });
      };
      expect(await collect(lake, await claimed(key))).toBe('lost');
      expect(await continuePurge(database, blobs, key)).toEqual({ done: true, generation: 2, windows: 1, bytes: 0 });
      expect(blobs.objects.size).toBe(0);
      expect(await pathOf(key.vehicle)).toBeUndefined();
      expect(JSON.stringify(await database.query('select * from vds.vehicles'))).not.toContain(vehicleOf.vin);
      await addWindows(database, key, [{ ...key, to: '2026-02-08' }], days);
      expect(await claimVehicle(database, minute, key)).toBeUndefined();
    }
  });

  test('a purge that fails in the middle is continued, and says what there was', async () => {
    const { key, lake, blobs } = await start();
    await collect(lake, await claimed(key));
    const bytes = [...blobs.objects.values()][0]?.byteLength;
    await expect(continuePurge(database, blobs, key)).rejects.toThrow('not being purged');
    expect(blobs.objects.size).toBe(1);
    await beginPurge(database, key);
    const removeAll = blobs.removeAll.bind(blobs);
    blobs.removeAll = async () => Promise.reject(new Error('down'));
    await expect(continuePurge(database, blobs, key)).rejects.toThrow('down');
    blobs.removeAll = removeAll;
    expect(await continuePurge(database, blobs, key)).toEqual({ done: true, generation: 2, windows: 1, bytes });
    expect(blobs.objects.size).toBe(0);
  });

  test('a purge that a crash interrupts after the files issues one receipt of what there was, and every change of a byte is found', async () => {
    const { key, vehicleOf, lake, blobs } = await start();
    const file = { brand: 'brand_a', vehicle: key.vehicle, series: 'driving', from: '2026-02-01', to: '2026-02-08' };
    await blobs.put(windowPathOf(file, 'parquet'), new Uint8Array(7));
    await collect(lake, await claimed(key));
    const signer = await openSigner(database, undefined);
    expect((await openSigner(database, undefined)).key).toBe(signer.key);
    await beginPurge(database, key, false, 'error');
    const { list } = blobs;
    let lists = 0;
    blobs.list = (prefix) => (++lists === 3 ? Promise.reject(new Error('killed')) : list.call(blobs, prefix));
    await expect(continuePurge(database, blobs, key, signer)).rejects.toThrow('killed');
    expect(blobs.objects.size).toBe(0);
    await continuePurge(database, blobs, key, signer);
    const receipts = await receiptsOf(key.vehicle);
    expect(receipts.map((one) => readReceipt(one))).toEqual([
      expect.objectContaining({
        ...{ account: 'owner', brand: 'brand_a', pii_principal_id: key.vehicle, generation: 1, storage_complete: true },
        signal: expect.objectContaining({ event_type: 'error', event_state: 'dpv:ConsentWithdrawn' }),
        storage: [
          { series: 'driving', first_day: '2026-02-01', last_day: '2026-02-08', files: 2, bytes: expect.any(Number) },
        ],
      }),
    ]);
    const [receipt = ''] = receipts;
    expect(receipt).not.toContain(vehicleOf.vin);
    const keys = await receiptKeys(database);
    expect((await verifyReceipt(receipt, keys)).ok).toBe(true);
    const bytes = Buffer.from(receipt);
    // Whatever the database is.
    for (let at = 0; at < bytes.length && name === 'PGlite'; at += 1) {
      const edited = Buffer.from(bytes);
      edited[at] = (edited[at] ?? 0) ^ 1;
      expect((await verifyReceipt(edited, keys)).ok).toBe(false);
    }
    // It comes back and is asked to be deleted.
    await addVehicle(database, vehicleOf, 'owner');
    await beginPurge(database, key, true);
    await continuePurge(database, blobs, key, signer);
    const [, second] = await receiptsOf(key.vehicle);
    expect(readReceipt(second ?? '')).toMatchObject({
      generation: 2,
      storage: [],
      signal: { event_type: 'request', event_state: null },
    });
  });

  if (name === 'PostgreSQL')
    test('a database that fails over at any step of a purge that took the lease of a worker leaves one receipt and nothing else', async () => {
      const signer = await openSigner(database, undefined);
      for (let step = 1, count = step; count >= step; step += 1) {
        const { key, lake, blobs } = await start();
        const claim = await claimed(key);
        const { put } = blobs;
        // The worker sleeps with its file on the way, past its lease.
        blobs.put = async (path, bytes) => {
          await expire(key.vehicle);
          await beginPurge(database, key);
          count = 0;
          const fails = async () => {
            count += 1;
            if (count === step) await endConnections(database);
          };
          await purgeAll(failingOver(database, fails), blobs, signer).catch(() => undefined);
          await put.call(blobs, path, bytes);
        };
        expect(await collect(lake, claim), `a failover at step ${step}`).toBe('lost');
        await expire(key.vehicle);
        await purgeAll(database, blobs, signer);
        await sweep(database, blobs, ledgerState(database, blobs));
        expect([...blobs.objects.keys()], `a failover at step ${step}`).toEqual([]);
        expect(await database.query('select from vds.windows where vehicle = $1', [key.vehicle])).toEqual([]);
        expect(await receiptsOf(key.vehicle), `a failover at step ${step}`).toHaveLength(1);
      }
    });

  /** A withdrawn vehicle with a file, and what purges it as a collector does. */
  async function startPurge() {
    const { key, vehicleOf, lake, blobs } = await start();
    const signer = await openSigner(database, undefined);
    await purgeAll(database, blobs, signer);
    await collect(lake, await claimed(key));
    await beginPurge(database, key);
    const leases = startLeases(database, minute);
    onTestFinished(() => leases.stop());
    const state = ledgerState(database, blobs);
    const purge = () => finishPurges({ database, blobs, readState: () => state, signer }, leases, signal);
    const removeAll = blobs.removeAll.bind(blobs);
    /** Stops the next purge in its middle, once. */
    const sleep = (meanwhile: () => Promise<void>) => {
      blobs.removeAll = async (prefix, mayRemove) => {
        blobs.removeAll = removeAll;
        await expire(key.vehicle);
        await meanwhile();
        return removeAll(prefix, mayRemove);
      };
    };
    return { key, vehicleOf, lake, blobs, signer, purge, sleep };
  }

  test('a process that slept past its lease in a purge continues, where another has ended the purge meanwhile', async () => {
    const { key, blobs, purge, sleep } = await startPurge();
    let byAnother = 0;
    sleep(async () => {
      byAnother = await purge();
    });
    expect(await purge()).toBe(0);
    expect(byAnother).toBe(1);
    expect(blobs.objects.size).toBe(0);
    expect(await receiptsOf(key.vehicle)).toHaveLength(1);
  });

  test('so does one where another is in the middle of it', async () => {
    const { key, blobs, signer, purge, sleep } = await startPurge();
    let other: PurgeClaim | undefined;
    sleep(async () => {
      other = await claimPurge(database, minute);
    });
    const purged = purge();
    await expect.poll(() => other).toBeDefined();
    if (other) await continuePurge(database, blobs, other, signer);
    expect(await purged).toBe(0);
    expect(await receiptsOf(key.vehicle)).toHaveLength(1);
  });

  test('and so does one whose vehicle is back with a new file, of which it removes nothing', async () => {
    const { key, vehicleOf, lake, blobs, purge, sleep } = await startPurge();
    sleep(async () => {
      expect(await purge()).toBe(1);
      await addVehicle(database, vehicleOf, 'owner');
      await addWindows(database, key, [{ ...key, to: '2026-02-08' }], days);
      expect(await collect(lake, await claimed(key))).toBe('stored');
    });
    expect(await purge()).toBe(0);
    expect([...blobs.objects.keys()]).toEqual([await pathOf(key.vehicle)]);
  });

  test('a file that comes in between is no end of a process: the purge is tried again', async () => {
    const { key, blobs, purge, sleep } = await startPurge();
    sleep(async () => {
      const { list } = blobs;
      blobs.list = async () => {
        blobs.list = list;
        return { blobs: [{ key: windowPathOf({ ...key, to: '2026-02-08' }, 'parquet'), bytes: 1 }] };
      };
    });
    const failure: unknown = await purge().catch((error: unknown) => error);
    expect(failureOf(failure)).toMatchObject({ of: 'surroundings', code: 'store' });
    expect(await receiptsOf(key.vehicle)).toEqual([]);
    await expire(key.vehicle);
    expect(await purge()).toBe(1);
    expect(await receiptsOf(key.vehicle)).toHaveLength(1);
  });

  test('a file that a sleeping worker put after the end of a purge is swept, and the vehicle may come back', async () => {
    const { key, vehicleOf, lake, blobs } = await start();
    blobs.beforePut = async () => {
      await expire(key.vehicle);
      await beginPurge(database, key);
      expect((await continuePurge(database, blobs, key)).done).toBe(true);
    };
    expect(await collect(lake, await claimed(key))).toBe('lost');
    expect(blobs.objects.size).toBe(1);
    expect(await sweep(database, blobs, ledgerState(database, blobs))).toBe(1);
    expect(blobs.objects.size).toBe(0);
    blobs.beforePut = async () => {};
    await addVehicle(database, vehicleOf, 'owner');
    await addWindows(database, key, [{ ...key, to: '2026-02-08' }], days);
    const claim = await claimed(key);
    expect(claim.generation).toBe(3);
    expect(await collect(lake, claim)).toBe('stored');
    expect(await sweep(database, blobs, ledgerState(database, blobs))).toBe(0);
  });

  if (name === 'PostgreSQL')
    test('a sweep whose connection has ended removes nothing of a vehicle that is back with a new file', async () => {
      const { key, vehicleOf, lake, blobs } = await start();
      await beginPurge(database, key);
      expect((await continuePurge(database, blobs, key)).done).toBe(true);
      const removeAll = blobs.removeAll.bind(blobs);
      blobs.removeAll = async (prefix, mayRemove) => {
        if (!prefix.includes(key.vehicle)) return removeAll(prefix, mayRemove);
        await endConnections(database);
        await addVehicle(database, vehicleOf, 'owner');
        await addWindows(database, key, [{ ...key, to: '2026-02-08' }], days);
        expect(await collect(lake, await claimed(key))).toBe('stored');
        return removeAll(prefix, mayRemove);
      };
      await expect(sweep(database, blobs, ledgerState(database, blobs))).rejects.toThrow();
      expect([...blobs.objects.keys()]).toEqual([await pathOf(key.vehicle)]);
    });

  const limitOf = (bucket: string, rate: number) => ({ bucket, rate, burst: 5, upstream: `upstream of ${bucket}` });

  test('a bucket gives its burst to all who ask at once, and nothing while it is held', async () => {
    // So slow that no token comes back meanwhile.
    const slow = limitOf('key', 0.0001);
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeToken(database, slow)));
    expect(taken.filter(({ ok }) => ok)).toHaveLength(5);
    const fast = limitOf('fast', 1_000_000);
    await holdBucket(database, 'fast', 3_600_000);
    await holdBucket(database, 'fast', 1);
    const held = await takeToken(database, fast);
    expect(held.ok).toBe(false);
    expect(held.heldMs).toBeGreaterThan(3_500_000);
    await database.query(`update vds.buckets set not_before = clock_timestamp(), tokens = 5 where name = 'fast'`);
    expect((await takeToken(database, fast)).ok).toBe(true);
  });

  test('a bucket fills on when the clock of the database has jumped back', async () => {
    const limit = limitOf('ahead', 10);
    await takeToken(database, limit);
    await database.query(
      `update vds.buckets set tokens = 0, filled_at = clock_timestamp() + interval '1 hour' where name = 'ahead'`,
    );
    expect((await takeToken(database, limit)).ok).toBe(false);
    await expect.poll(async () => (await takeToken(database, limit)).ok).toBe(true);
  });

  test('of all who would call a dead upstream one does, and all do when it works again', async () => {
    const limit = { ...limitOf('dead', 1_000_000), burst: 1_000 };
    const ask = async () => {
      const asked = await Promise.all(Array.from({ length: 12 }, () => takeToken(database, limit)));
      return asked.filter(({ ok }) => ok).length;
    };
    expect(await ask()).toBe(12);
    for (let failure = 0; failure < 5; failure += 1) await noteOutage(database, limit.upstream);
    expect(await ask()).toBe(0);
    await database.query('update vds.breakers set open_until = clock_timestamp()');
    expect(await ask()).toBe(1);
    await noteAlive(database, limit.upstream);
    expect(await ask()).toBe(12);
  });

  /** Accounts with so many vehicles each, every vehicle with two windows of the day. */
  async function fleetOf(sizes: Readonly<Record<string, number>>, to: string) {
    await database.query('delete from vds.windows');
    await database.query('delete from vds.vehicles');
    await database.query('delete from vds.accounts');
    for (const [name, size] of Object.entries(sizes)) {
      await addAccount(database, { name, brand: 'brand_a', tokenFile: null });
      for (let one = 0; one < size; one += 1) {
        count += 1;
        const vehicle = { brand: 'brand_a', vehicle: count.toString(16).padStart(32, '0'), vin: `V${count}` };
        await addVehicle(database, vehicle, name);
        await addWindows(database, vehicle, [{ series: 'driving', from: to, to }], { from: to, to });
      }
    }
  }
  const takeTurns = async (most: number) => {
    const accounts: string[] = [];
    for (let turn = 0; turn < most; turn += 1) {
      const claim = await claimVehicle(database, minute);
      if (!claim) break;
      accounts.push(claim.account);
    }
    return accounts;
  };

  test('accounts take turns however many vehicles they have, and one that comes later waits for nobody', async () => {
    await fleetOf({ huge: 12 }, '2026-02-08');
    expect(await takeTurns(6)).toEqual(Array(6).fill('huge'));
    await addAccount(database, { name: 'small', brand: 'brand_a', tokenFile: null });
    for (const vehicle of ['e', 'f']) {
      const name = { brand: 'brand_a', vehicle: vehicle.repeat(32), vin: vehicle };
      await addVehicle(database, name, 'small');
      await addWindows(database, name, [{ series: 'driving', from: '2026-02-08', to: '2026-02-08' }], days);
    }
    expect((await takeTurns(4)).filter((name) => name === 'small')).toHaveLength(2);
  });

  test('fresh days come before backfill', async () => {
    await fleetOf({ old: 3 }, '2020-02-08');
    const today = new Date().toISOString().slice(0, 10);
    const name = { brand: 'brand_a', vehicle: 'd'.repeat(32), vin: 'd' };
    await addVehicle(database, name, 'old');
    await addWindows(database, name, [{ series: 'driving', from: today, to: today }], { from: today, to: today });
    expect((await claimVehicle(database, minute))?.vehicle).toBe(name.vehicle);
  });

  test('an account that is parked or paused is passed over, and the others go on', async () => {
    await fleetOf({ one: 2, two: 2, three: 2 }, '2026-02-08');
    expect(await parkAccount(database, 'one', '401')).toBe(minute);
    expect(await parkAccount(database, 'one', '401')).toBe(2 * minute);
    await setAccountState(database, 'two', 'paused');
    expect(await takeTurns(9)).toEqual(['three', 'three']);
    await setAccountState(database, 'two', 'active');
    await setAccountState(database, 'one', 'active');
    expect((await takeTurns(9)).sort()).toEqual(['one', 'one', 'two', 'two']);
  });
});
