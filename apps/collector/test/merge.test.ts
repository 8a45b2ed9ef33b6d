// Settled months of a lake in a bucket: the files that a merge in a folder makes, whatever crash, withdrawal or fault of the store comes between.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchive, type ReadWindow } from '@vehicle-data/archive';
import { type BlobStore, settleArchive, writeWindow } from '@vehicle-data/archive/store';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startLeases } from '../src/collect/leases.ts';
import { mergeLake } from '../src/collect/merge.ts';
import { ledgerState } from '../src/lake/ledger-state.ts';
import { s3Blobs } from '../src/lake/s3-blobs.ts';
import { S3Error } from '../src/lake/s3-client.ts';
import { addAccount } from '../src/ledger/accounts.ts';
import type { Database } from '../src/ledger/database.ts';
import { migrate } from '../src/ledger/migrations.ts';
import {
  addVehicle,
  addWindows,
  claimVehicle,
  dueWindows,
  releaseVehicle,
  type VehicleName,
} from '../src/ledger/windows.ts';
import { beginPurge, claimPurge, continuePurge } from '../src/ledger/withdrawal.ts';
import { verifyLake } from '../src/operate/verify.ts';
import { collectWindow } from '../src/window/collect-window.ts';
import { openDatabase } from './support/databases.ts';
import { startFakeS3 } from './support/fake-s3.ts';

const key = '5a'.repeat(32);
const source = 'http://127.0.0.1:1';
const days = { from: '2026-03-01', to: '2026-04-08' };
const windows = [
  ...[1, 9, 17, 25].map((day) => [
    `2026-03-${`${day}`.padStart(2, '0')}`,
    `2026-03-${day === 25 ? 31 : `${day + 7}`.padStart(2, '0')}`,
  ]),
  ['2026-04-01', '2026-04-08'],
].map(([from = '', to = '']) => ({ series: 'driving', from, to }));
const vinOf = (number: number) => `TESTVEHICLE${`${number}`.padStart(6, '0')}`;
const { settings: context, pseudonymOf } = settleArchive(key, undefined, { source, format: 'parquet' });
const { signal } = new AbortController();
/** One trip a window, on its first day. */
const readWindow: ReadWindow = async ({ vin, startDate }) => {
  const day = `${startDate.slice(0, 4)}-${startDate.slice(4, 6)}-${startDate.slice(6)}`;
  return [
    { triggerStartTime: `${day}T07:00:00.000Z`, tripLength: 60_000, odometer: { value: [Number(vin.slice(11))] } },
  ];
};

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, close } = await openDatabase());
  await migrate(database);
  await addAccount(database, { name: 'owner', brand: 'brand_a', tokenFile: null });
});
afterAll(() => close());

let vehicles = 0;
/** A vehicle whose windows are due. */
async function newVehicle(): Promise<VehicleName & { readonly vin: string }> {
  vehicles += 1;
  const vin = vinOf(vehicles);
  const name = { brand: 'brand_a', vehicle: pseudonymOf(vin), vin };
  await addVehicle(database, name, 'owner');
  await addWindows(database, name, windows, days);
  return name;
}

/** Collects every due window of a vehicle into a bucket. */
async function collect(blobs: BlobStore, name: VehicleName): Promise<void> {
  const claim = await claimVehicle(database, 60_000, name);
  if (!claim) throw new Error('nothing is due');
  const state = ledgerState(database, blobs);
  const lease = { scope: 'x', check: async () => undefined, release: async () => undefined };
  for (const task of await dueWindows(database, claim, 8)) {
    const lake = {
      ...{ database, context, readWindow, everyMs: 60_000 },
      write: async (window: typeof task, file: Parameters<typeof writeWindow>[2]) => {
        const entry = await writeWindow({ blobs, state, lease }, window, file);
        return { settled: entry.settled, entry: { ...entry, isNew: true } };
      },
    };
    expect(await collectWindow(lake, claim, task, signal)).toBe('stored');
  }
  await releaseVehicle(database, claim);
}

async function merge(blobs: BlobStore, { on = database, begun = false } = {}) {
  const leases = startLeases(on, 60_000);
  try {
    return await mergeLake({ database: on, blobs, settings: context, leases }, Date.now(), begun);
  } finally {
    leases.stop();
  }
}

/** The files of trips of some vehicles, by path, as a merge in a folder makes them. */
async function mergedInFolder(vins: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-merge-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'archive.key'), `${key}\n`, { mode: 0o600 });
  await using archive = await createArchive({ folder, source, format: 'parquet' });
  await archive.export({ ...days, vehicles: vins.map((vin) => ({ brand: 'brand_a', vin })), readWindow });
  const names = (all: readonly string[]) => all.filter((name) => name.endsWith('.parquet') && name.includes('driving'));
  await archive.mergeMonths();
  const files = new Map<string, Buffer>();
  for (const name of names(await readdir(folder, { recursive: true })))
    files.set(name, await readFile(join(folder, name)));
  return files;
}

/** The files of trips that a bucket has. */
async function filesIn(blobs: BlobStore): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  let cursor: string | undefined;
  do {
    const page = await blobs.list('brand=', cursor);
    for (const { key: path } of page.blobs)
      if (path.endsWith('.parquet')) files.set(path, Buffer.from((await blobs.get(path)) ?? []));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return files;
}
const problemsOf = async (blobs: BlobStore, repair = false) =>
  (await verifyLake(database, blobs, { sample: undefined, isBucket: true, repair })).problems.map(({ code }) => code);
/** Forgets every vehicle. */
async function forgetAll(): Promise<void> {
  await database.query('delete from vds.windows');
  await database.query('delete from vds.vehicles');
}

test('a settled month in a bucket that fails now and then is the file that a merge in a folder makes; one that is damaged is fetched again as windows', async () => {
  const store = await startFakeS3({ hasVersions: true });
  onTestFinished(store.close);
  onTestFinished(forgetAll);
  const blobs = s3Blobs(store.place, { retryMs: 1 });
  const name = await newVehicle();
  await collect(blobs, name);
  expect((await filesIn(blobs)).size).toBe(5);
  const faults = ['unavailable', 'reset-before', 'reset-after', 'lose'] as const;
  let requests = 0;
  store.failWith(() => (++requests % 7 === 0 ? faults[requests % faults.length] : undefined));
  // A store that acknowledges and loses fails a merge; a later one has it.
  for (let tried = 1, isDone = false; !isDone; tried += 1) {
    isDone = await merge(blobs).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof S3Error) || tried === 20) throw error;
        return false;
      },
    );
  }
  store.failWith(() => undefined);
  const expected = await mergedInFolder([name.vin]);
  expect(expected.size).toBe(2);
  expect(await filesIn(blobs)).toEqual(expected);
  expect(await problemsOf(blobs)).toEqual([]);
  expect(await merge(blobs)).toEqual({ months: 0, filesRemoved: 0, busy: 0 });

  const [month = ''] = [...expected.keys()].sort();
  await blobs.remove(month);
  expect(await problemsOf(blobs, true)).toEqual(['missing-file']);
  await collect(blobs, name);
  expect((await filesIn(blobs)).size).toBe(5);
  await merge(blobs);
  expect(await filesIn(blobs)).toEqual(expected);
  expect(await problemsOf(blobs)).toEqual([]);
});

/** Rejects at one step and at all after it, as in a process that is killed there. */
function killedAt(step: number, blobs: BlobStore) {
  let count = 0;
  const next = async () => {
    count += 1;
    if (count >= step) throw new Error('the process is gone');
  };
  const dyingBlobs: BlobStore = {
    put: (...given) => next().then(() => blobs.put(...given)),
    get: (...given) => next().then(() => blobs.get(...given)),
    head: (...given) => next().then(() => blobs.head(...given)),
    list: (...given) => next().then(() => blobs.list(...given)),
    remove: (...given) => next().then(() => blobs.remove(...given)),
    removeAll: (...given) => next().then(() => blobs.removeAll(...given)),
  };
  const on: Database = {
    query: (...given) => next().then(() => database.query(...given)),
    transaction: (steps) => next().then(() => database.transaction(steps)),
  };
  return { blobs: dyingBlobs, on, isOver: () => count < step };
}

test('a merge that is killed at any step loses nothing, and is finished by the next one, or by a collector', async () => {
  const store = await startFakeS3({ pageSize: 1000 });
  onTestFinished(store.close);
  onTestFinished(forgetAll);
  const blobs = s3Blobs(store.place, { retryMs: 1 });
  const vins: string[] = [];
  // Each run has a tenth of the steps; the weekly one, test:long, has them all.
  const every = process.env['LONG'] === '1' ? 1 : 10;
  for (let step = 1 + Math.floor(Math.random() * every), isOver = false; !isOver; step += every) {
    const name = await newVehicle();
    vins.push(name.vin);
    await collect(blobs, name);
    const killed = killedAt(step, blobs);
    await merge(killed.blobs, { on: killed.on }).catch(() => undefined);
    isOver = killed.isOver();
    await database.query('update vds.vehicles set lease_until = clock_timestamp()');
    // A collector finishes what was begun, and begins nothing.
    await merge(blobs, { begun: true });
    const behind = await database.query('select from vds.vehicles where merge_begun is not null');
    expect(behind.length, `after a kill at step ${step}`).toBe(0);
    const wrong = async () =>
      (await verifyLake(database, blobs, { sample: undefined, isBucket: true, repair: false })).problems.filter(
        ({ path, code }) => path.includes(name.vehicle) && code !== 'old-manifest',
      );
    expect(await wrong(), `after a kill at step ${step}`).toEqual([]);
    await merge(blobs);
    expect(await wrong(), `after a merge that follows a kill at step ${step}`).toEqual([]);
    const files = [...store.objects().keys()].filter(
      (path) => path.includes(name.vehicle) && path.endsWith('.parquet'),
    );
    expect(files).toHaveLength(2);
    await forgetAll();
  }
  expect(vins.length).toBeGreaterThan(2);
  const some = [0, vins.length >> 1, vins.length - 1].map((at) => vins[at] ?? '');
  const files = await filesIn(blobs);
  for (const [path, content] of await mergedInFolder(some)) expect(files.get(path)).toEqual(content);
});

test.for(['put', 'remove'] as const)(
  'a withdrawal before the first %s of a merge leaves nothing, and the merge stores nothing',
  async (step) => {
    const store = await startFakeS3({ hasVersions: true, pageSize: 1000 });
    onTestFinished(store.close);
    onTestFinished(forgetAll);
    const blobs = s3Blobs(store.place, { retryMs: 1 });
    const [name, other] = [await newVehicle(), await newVehicle()];
    await collect(blobs, name);
    await merge(blobs);
    await collect(blobs, other);
    const withdrawn: VehicleName[] = [];
    const withdraws = async (path: string) => {
      if (withdrawn.length > 0 || !path.includes(other.vehicle) || !path.endsWith('.parquet')) return;
      withdrawn.push(other);
      expect(await beginPurge(database, other)).toBe(true);
    };
    const disturbed: BlobStore = {
      ...blobs,
      async put(path, bytes, options) {
        if (step === 'put') await withdraws(path);
        await blobs.put(path, bytes, options);
      },
      async remove(path) {
        if (step === 'remove') await withdraws(path);
        await blobs.remove(path);
      },
    };
    const { months } = await merge(disturbed);
    expect([withdrawn, months]).toEqual([[other], step === 'put' ? 0 : 1]);
    const claim = await claimPurge(database, 60_000);
    expect(claim).toMatchObject({ vehicle: other.vehicle });
    if (claim) expect(await continuePurge(database, blobs, claim)).toMatchObject({ done: true });
    expect(store.everything().filter((path) => path.includes(other.vehicle))).toEqual([]);
    expect(await filesIn(blobs)).toEqual(await mergedInFolder([name.vin]));
    expect(await merge(blobs)).toEqual({ months: 0, filesRemoved: 0, busy: 0 });
  },
);
