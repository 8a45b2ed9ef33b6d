import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addVehicle,
  addWindow,
  beginPurge,
  type Claim,
  claimWindow,
  collectWindow,
  continuePurge,
  type Database,
  holdBucket,
  type Lake,
  migrate,
  setBucket,
  sweep,
  takeToken,
} from '../src/index.ts';
import { databases } from './databases.ts';
import { MemoryStore } from './memory-store.ts';

const minute = 60_000;
const { signal } = new AbortController();

describe.for(databases)('on %s', ([name, open]) => {
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
    await addVehicle(database, vehicleOf, 'owner');
    await addWindow(database, { ...key, to: '2026-02-08' });
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
  const claimed = async (key: Parameters<typeof claimWindow>[1], ms = minute): Promise<Claim> => {
    const claim = await claimWindow(database, key, ms);
    if (!claim) throw new Error('not claimed');
    return claim;
  };
  const expire = (vehicle: string) =>
    database.query(`update vds.windows set lease_until = clock_timestamp() where vehicle = $1`, [vehicle]);
  const pathOf = async (vehicle: string) =>
    (await database.query<{ path: string | null }>('select path from vds.windows where vehicle = $1', [vehicle]))[0]
      ?.path;

  test('a database of a newer program is left alone', async () => {
    await database.query('update vds.version set step = step + 1');
    await expect(migrate(database)).rejects.toThrow('start a newer program');
    await database.query('update vds.version set step = step - 1');
    await migrate(database);
  });

  // PGlite has no connections.
  if (name === 'PostgreSQL')
    test('a database that ends every connection costs a statement, not the process', async () => {
      const end =
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null';
      const { key, lake } = await start();
      const cut = database.transaction(async (open) => {
        await open.query("update vds.vehicles set account = 'other' where vehicle = $1", [key.vehicle]);
        await database.query(end);
        await open.query('select 1');
      });
      await expect(cut).rejects.toThrow();
      expect(await database.query('select account from vds.vehicles where vehicle = $1', [key.vehicle])).toEqual([
        { account: 'owner' },
      ]);
      expect(await collectWindow(lake, await claimed(key), signal)).toBe('stored');
    });

  test('of several workers one gets a window, and it is collected once', async () => {
    const { key, lake, blobs } = await start();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimWindow(database, key, minute)));
    const [claim, ...others] = claims.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(claim && (await collectWindow(lake, claim, signal))).toBe('stored');
    expect([...blobs.objects.keys()]).toEqual([await pathOf(key.vehicle)]);
    expect(await claimWindow(database, key, minute)).toBeUndefined();
  });

  test('a window whose put fails, before or after the bytes arrived, is due again', async () => {
    for (const moment of ['beforePut', 'afterPut'] as const) {
      const { key, lake, blobs } = await start();
      blobs[moment] = async () => Promise.reject(new Error('reset'));
      await expect(collectWindow(lake, await claimed(key), signal)).rejects.toThrow('reset');
      expect(await pathOf(key.vehicle)).toBeNull();
      blobs[moment] = async () => {};
      expect(await collectWindow(lake, await claimed(key), signal)).toBe('stored');
    }
  });

  test('the window of a worker that died goes to another, and the dead one stores nothing', async () => {
    const { key, lake } = await start();
    const dead = await claimed(key);
    await expire(key.vehicle);
    const next = await claimed(key);
    expect(await collectWindow(lake, dead, signal)).toBe('lost');
    expect(await pathOf(key.vehicle)).toBeNull();
    expect(await collectWindow(lake, next, signal)).toBe('stored');
  });

  test('a vehicle that is withdrawn while its file is put is gone only when the worker ended', async () => {
    for (const moment of ['beforePut', 'afterPut'] as const) {
      const { key, vehicleOf, lake, blobs } = await start();
      blobs[moment] = async () => {
        expect(await beginPurge(database, key)).toBe(true);
        expect(await continuePurge(database, blobs, key)).toEqual({ done: false, waitsFor: 1 });
      };
      expect(await collectWindow(lake, await claimed(key), signal)).toBe('lost');
      expect(await continuePurge(database, blobs, key)).toEqual({ done: true, generation: 2, windows: 1, bytes: 0 });
      expect(blobs.objects.size).toBe(0);
      expect(await pathOf(key.vehicle)).toBeUndefined();
      expect(JSON.stringify(await database.query('select * from vds.vehicles'))).not.toContain(vehicleOf.vin);
      await addWindow(database, { ...key, to: '2026-02-08' });
      expect(await claimWindow(database, key, minute)).toBeUndefined();
    }
  });

  test('a purge that fails in the middle is continued, and says what there was', async () => {
    const { key, lake, blobs } = await start();
    await collectWindow(lake, await claimed(key), signal);
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

  test('a file that a sleeping worker put after the end of a purge is swept, and the vehicle may come back', async () => {
    const { key, vehicleOf, lake, blobs } = await start();
    blobs.beforePut = async () => {
      await expire(key.vehicle);
      await beginPurge(database, key);
      expect((await continuePurge(database, blobs, key)).done).toBe(true);
    };
    expect(await collectWindow(lake, await claimed(key), signal)).toBe('lost');
    expect(blobs.objects.size).toBe(1);
    expect(await sweep(database, blobs)).toBe(1);
    expect(blobs.objects.size).toBe(0);
    blobs.beforePut = async () => {};
    await addVehicle(database, vehicleOf, 'owner');
    await addWindow(database, { ...key, to: '2026-02-08' });
    const claim = await claimed(key);
    expect(claim.generation).toBe(3);
    expect(await collectWindow(lake, claim, signal)).toBe('stored');
    expect(await sweep(database, blobs)).toBe(0);
  });

  test('a bucket gives its burst to all who ask at once, and nothing while it is held', async () => {
    // So slow that no token comes back meanwhile.
    await setBucket(database, 'key', 0.0001, 5);
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeToken(database, 'key')));
    expect(taken.filter(Boolean)).toHaveLength(5);
    await setBucket(database, 'fast', 1_000_000, 5);
    await holdBucket(database, 'fast', 3_600_000);
    await holdBucket(database, 'fast', 1);
    expect(await takeToken(database, 'fast')).toBe(false);
    await database.query(`update vds.buckets set not_before = clock_timestamp() where name = 'fast'`);
    expect(await takeToken(database, 'fast')).toBe(true);
  });
});
