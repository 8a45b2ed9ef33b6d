import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createVehicleDataClient } from '@vehicle-data/client';
import { expect, test } from 'vitest';
import { disk } from '../src/file-layer.js';
import type { ConsentList, FileLayer, ReadWindow } from '../src/index.js';
import { verifyReceipt } from '../src/receipts/index.js';
import { archiveIn, everyByte, exportInto, manifestOf, manifestsIn, newFolder } from './folders.ts';
import { runKills } from './kills/run.ts';
import { runStepKills } from './kills/run-steps.ts';
import { createSandbox, demoAccessToken } from './sandbox.ts';
import { dataFiles, now, syntheticWindow, vehiclesOf, vin } from './synthetic-source.ts';

const request = {
  vehicles: vehiclesOf(1),
  series: ['driving' as const],
  from: '2026-01-01',
  to: '2026-01-16',
  concurrency: 2,
  readWindow: syntheticWindow,
};

/** Of archives that are made again for each step: what is proved is the order of steps, which is the same in each format. Parquet takes five times as long. */
const quick = { format: 'ndjson' } as const;

/** The disk, with a fault at one step. After a crash every further step fails, and what was being written is cut. */
function faultyFiles(at: number, fault: 'crash' | 'ENOSPC') {
  let step = 0;
  let isDown = false;
  const files: FileLayer = new Proxy(disk, {
    get: (target, name) => {
      const run = Reflect.get(target, name);
      return async (path: string, content: Uint8Array | string, ...more: readonly unknown[]) => {
        if (isDown) throw new Error('the process is gone');
        step += 1;
        if (step !== at) return run(path, content, ...more);
        isDown = fault === 'crash';
        if (name === 'append' || String(name).startsWith('write')) {
          await run(path, content.slice(0, content.length >> 1), ...more);
          // That was a while ago.
          await utimes(path, 0, 0);
        }
        throw Object.assign(new Error(fault), { code: fault, syscall: 'write' });
      };
    },
  });
  return { files, steps: () => step };
}

/**
 * Runs something in a new folder with a fault at one of its steps, once for each step, and checks what is left.
 *
 * @returns how many steps there are
 */
async function atEveryStep(
  fault: Parameters<typeof faultyFiles>[1],
  run: (folder: string, faulty: { readonly files: FileLayer }) => Promise<unknown>,
  check: (folder: string, outcome: PromiseSettledResult<unknown> | undefined) => Promise<void>,
): Promise<number> {
  for (let step = 1; ; step += 1) {
    const folder = await newFolder();
    const faulty = faultyFiles(step, fault);
    const [outcome] = await Promise.allSettled([run(folder, faulty)]);
    if (faulty.steps() < step) return step - 1;
    await check(folder, outcome).catch((cause: unknown) => {
      throw new Error(`after a ${fault} at step ${step}`, { cause });
    });
  }
}

test.each(['crash', 'ENOSPC'] as const)(
  'after a %s at any step of the file layer the same call resumes to identical files',
  async (fault) => {
    const undisturbed = await newFolder();
    await exportInto(undisturbed, request, quick);
    const expected = await dataFiles(undisturbed);
    const windows = Object.keys(expected).length;
    const faulty = (folder: string, options: { readonly files: FileLayer }) =>
      exportInto(folder, request, { ...quick, ...options });
    const steps = await atEveryStep(fault, faulty, async (folder, outcome) => {
      // Only what needs no room on the disk goes on without any: the lock, and views that are written again later.
      if (fault === 'crash') expect(outcome?.status).toBe('rejected');
      else if (outcome?.status === 'fulfilled') expect(await dataFiles(folder)).toEqual(expected);
      // Readable at any moment: what carries the name of a data file is whole.
      const left = await dataFiles(folder);
      expect(expected).toMatchObject(left);
      const { windowsFetched } = await exportInto(folder, request, quick);
      expect(windowsFetched).toBeLessThanOrEqual(windows - Object.keys(left).length + request.concurrency);
      expect(await dataFiles(folder)).toEqual(expected);
      await using archive = await archiveIn(folder);
      expect(await archive.verify()).toMatchObject({ ok: true, problems: [] });
    });
    expect(steps).toBeGreaterThan(30);
  },
);

test('a response that breaks leaves no wrong file, and the same call resumes to identical files', async () => {
  const { fetch, faults } = createSandbox({ now: new Date(now), frozen: true });
  const server = { baseUrl: 'http://sandbox', brand: 'brand_a', accessToken: demoAccessToken, fetch } as const;
  const client = createVehicleDataClient({ ...server, maxRetries: 0 });
  const vehicles = [{ brand: 'brand_a', vin: 'SANDB0XA000000001' }];
  // Of two windows.
  const twoDays = { ...request, from: '2026-01-08', to: '2026-01-09', exactDays: true };
  /** Exports window after window. Gives those that failed. */
  const exportCalls = async (folder: string, timeoutMs?: number) => {
    await using archive = await archiveIn(folder, quick);
    const readWindow: ReadWindow = async ({ brand: _, series: __, signal, ...call }) =>
      (await client.getDrivingData(call, { signal, timeoutMs })).trips;
    const { vehicles: outcomes } = await archive.export({ ...twoDays, vehicles, readWindow, concurrency: 1 });
    expect(await archive.verify()).toMatchObject({ ok: true, problems: [] });
    return outcomes.flatMap(({ failures }) => failures.map(({ from }) => from));
  };
  const undisturbed = await newFolder();
  expect(await exportCalls(undisturbed)).toEqual([]);
  const whole = await dataFiles(undisturbed);
  const kinds = ['cut-body', 'stalled-body', 'malformed-json', 'wrong-content-type'] as const;
  const statuses = [200, 204, 302, 404, 503].map((status) => ({ kind: 'status' as const, status }));
  for (const fault of [...kinds.map((kind) => ({ kind })), ...statuses]) {
    const folder = await newFolder();
    faults.add(fault);
    const failed = await exportCalls(folder, fault.kind === 'stalled-body' ? 50 : undefined);
    // The media type alone breaks nothing.
    expect(failed, inspect(fault)).toHaveLength(fault.kind === 'wrong-content-type' ? 0 : 2);
    expect(Object.keys(await dataFiles(folder)), inspect(fault)).toHaveLength(2 - failed.length);
    faults.clear();
    expect(await exportCalls(folder)).toEqual([]);
    expect(await dataFiles(folder), inspect(fault)).toEqual(whole);
  }
});

test.each(['crash', 'ENOSPC'] as const)(
  'a %s while an archive and its key are made leaves neither unusable',
  async (fault) => {
    // Without a key yet.
    const make = async (folder: string, faulty?: { readonly files: FileLayer }) =>
      (await archiveIn(join(folder, 'new'), faulty)).close();
    const undisturbed = await newFolder();
    await make(undisturbed);
    const steps = await atEveryStep(fault, make, async (folder) => {
      await make(folder);
      expect(await readdir(join(folder, 'new'))).toEqual(await readdir(join(undisturbed, 'new')));
    });
    expect(steps).toBeGreaterThan(10);
  },
);

test('a purge that crashes at any step is finished by the next program that opens the archive', async () => {
  const made = await newFolder();
  await exportInto(made, request, quick);
  const purge = async (folder: string, faulty: { readonly files: FileLayer }) => {
    cpSync(made, folder, { recursive: true });
    await using archive = await archiveIn(folder, faulty);
    await archive.purge({ vin: vin(1) });
  };
  const steps = await atEveryStep('crash', purge, async (folder) => {
    await using archive = await archiveIn(folder);
    const left = Object.keys(await dataFiles(folder)).length;
    // Before the intent is written nothing happens; after it, nothing is left.
    expect([0, 2]).toContain(left);
    if (left === 0) expect(await everyByte(folder)).not.toContain(archive.pseudonymOf(vin(1)));
    // No receipt without a purge that is finished, and no purge without one.
    const receipts = await archive.receipts();
    expect(receipts).toHaveLength(left === 0 ? 1 : 0);
    for (const { text } of receipts) {
      const check = await verifyReceipt(text, await archive.receiptKeys());
      expect(check).toMatchObject({ ok: true, receipt: { generation: 1, storage: [{ files: 2 }] } });
    }
    expect(await archive.verify()).toMatchObject({ ok: true });
  });
  expect(steps).toBeGreaterThan(20);
});

test('withdrawals of one call that crash at any step leave each vehicle whole, or gone with one receipt', async () => {
  const made = await newFolder();
  await exportInto(made, { ...request, vehicles: vehiclesOf(1, 2, 3), to: '2026-01-08' }, quick);
  const names: string[] = [];
  const withdraw = async (folder: string, faulty: { readonly files: FileLayer }) => {
    cpSync(made, folder, { recursive: true });
    // Opening has its own test.
    let at: FileLayer = disk;
    const files: FileLayer = new Proxy(disk, { get: (_, name) => Reflect.get(at, name) });
    await using archive = await archiveIn(folder, { files });
    at = faulty.files;
    names.push(...[1, 2].map((digit) => archive.pseudonymOf(vin(digit))));
    await archive.reconcile({ brand: 'brand_a', vins: [vin(3)], confirmPurge: 2 });
  };
  const steps = await atEveryStep('crash', withdraw, async (folder) => {
    await using archive = await archiveIn(folder);
    const receipts = await archive.receipts();
    const keys = await archive.receiptKeys();
    const bytes = await everyByte(folder);
    for (const name of names.slice(0, 2)) {
      const isHeld = bytes.includes(name);
      const own = receipts.filter(({ path }) => path.includes(name));
      expect(own).toHaveLength(isHeld ? 0 : 1);
      for (const { text } of own)
        expect(await verifyReceipt(text, keys)).toMatchObject({ ok: true, receipt: { storage: [{ files: 1 }] } });
    }
    expect(await archive.verify()).toMatchObject({ ok: true });
  });
  expect(steps).toBeGreaterThan(60);
});

test('withdrawals of one call are forced to the disk together, each step before what depends on it', async () => {
  const stepsOf = async (withdrawn: readonly number[]) => {
    await using archive = await archiveOf(withdrawn.length + 1);
    const { folder } = archive;
    await archive.close();
    const steps: string[] = [];
    const files: FileLayer = new Proxy(disk, {
      get:
        (target, name) =>
        async (path: string, ...more: readonly unknown[]) => {
          const result = await Reflect.get(target, name)(path, ...more);
          const at = name === 'rename' ? String(more[0]) : path;
          steps.push(`${String(name)} ${at.slice(folder.length + 1).replaceAll(/[0-9a-f]{32}/g, 'V')}`);
          return result;
        },
    });
    await using again = await archiveIn(folder, { files });
    const vins = [vin(withdrawn.length + 1)];
    steps.length = 0;
    await again.reconcile({ brand: 'brand_a', vins, confirmPurge: withdrawn.length });
    return steps;
  };
  const [two, five] = [await stepsOf([1, 2]), await stepsOf([1, 2, 3, 4, 5])];
  const syncs = (steps: readonly string[]) => steps.filter((step) => step.startsWith('syncFolder')).length;
  expect(syncs(five)).toBe(syncs(two));
  const last = (pattern: RegExp) => five.findLastIndex((step) => pattern.test(step));
  const first = (pattern: RegExp) => five.findIndex((step) => pattern.test(step));
  const isForced = (folder: string, after: RegExp, before: RegExp) => {
    const at = five.indexOf(`syncFolder ${folder}`, last(after));
    expect([last(after), at]).not.toContain(-1);
    expect(at, `${after} is forced before ${before}`).toBeLessThan(first(before));
  };
  isForced('', /^rename \.purge-/, /^remove \.purge-.*parquet/);
  isForced('brand=brand_a', /^rename \.purge-/, /^remove \.purge-.*parquet/);
  isForced('', /^rename \.receipt-/, /^remove \.purge-.*parquet/);
  isForced('', /^removeFolder \.purge-/, /^rename receipts\//);
  isForced('receipts', /^rename receipts\/brand_a/, /^remove \.receipt-/);
});

test('an export that is killed again and again ends with the files of an undisturbed one', async () => {
  expect((await runKills(2)).repeatedAtMost).toBeLessThanOrEqual(2);
});

test('a merge and a purge that are killed end as undisturbed ones when they run again', async () => {
  // Migration and repair as well: pnpm prove:kills.
  const { merge, purge } = await runStepKills(2, ['merge', 'purge']);
  expect(merge + purge).toBe(2);
});

const threeVehicles = { ...request, vehicles: vehiclesOf(1, 2, 3), series: undefined };

async function archiveOfThree() {
  const archive = await archiveIn(await newFolder());
  await archive.export(threeVehicles);
  return archive;
}

async function archiveOf(vehicles: number) {
  const archive = await archiveIn(await newFolder());
  const digits = Array.from({ length: vehicles }, (_, index) => index + 1);
  await archive.export({ ...request, vehicles: vehiclesOf(...digits), to: '2026-01-08' });
  return archive;
}

test('a purge leaves nothing of the vehicle, not even its pseudonym, and everything of the others', async () => {
  await using archive = await archiveOfThree();
  const { folder } = archive;
  const before = await dataFiles(folder);
  const gone = archive.pseudonymOf(vin(2));
  // What a crash between the rename and the manifest line leaves, and the folder of a window that became empty.
  await writeFile(join(folder, `brand=brand_a/vehicle=${gone}/orphan.parquet`), 'x');
  await mkdir(join(folder, `brand=brand_a/vehicle=${gone}/series=driving/month=2026-03`));
  expect(await archive.purge({ vin: vin(2) })).toMatchObject({ vehicles: [gone], files: 5 });
  expect(await everyByte(folder)).not.toContain(gone);
  expect(await readdir(join(folder, 'brand=brand_a'))).toHaveLength(2);
  const left = Object.fromEntries(Object.entries(before).filter(([path]) => !path.includes(gone)));
  expect(await dataFiles(folder)).toEqual(left);
  expect(await archive.verify()).toMatchObject({ ok: true, files: 8 });
});

test('while an export runs, a purge and another export are rejected; afterwards they work', async () => {
  await using archive = await archiveOfThree();
  const changes = [
    () => archive.export(threeVehicles),
    () => archive.purge({ vin: vin(2) }),
    () => archive.reconcile({ brand: 'brand_a', vins: [vin(1), vin(2)] }),
  ];
  const readWindow: ReadWindow = async (window) => {
    for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'archive-locked' });
    return syntheticWindow(window);
  };
  expect(await archive.export({ ...request, to: '2026-01-20', readWindow })).toMatchObject({ windowsFetched: 1 });
  const [, ...second] = await Promise.allSettled([changes[1]?.(), changes[1]?.()]);
  expect(second).toMatchObject([{ status: 'rejected', reason: { code: 'archive-locked' } }]);
  for (const change of changes) await change();
  expect((await archive.vehicles()).map(({ vehicle }) => vehicle)).toEqual(Array(2).fill(archive.pseudonymOf(vin(1))));
});

test('an archive that is closed while an export runs keeps others out until it has ended, and changes nothing after that', async () => {
  const archive = await archiveIn(await newFolder());
  let closing: Promise<void> | undefined;
  const readWindow: ReadWindow = async (window) => {
    closing ??= archive.close();
    await expect(archiveIn(archive.folder)).rejects.toMatchObject({ code: 'archive-locked' });
    return syntheticWindow(window);
  };
  expect(await archive.export({ ...request, readWindow })).toMatchObject({ windowsFetched: 2 });
  await closing;
  await (await archiveIn(archive.folder)).close();
  await expect(archive.purge({ vin: vin(1) })).rejects.toMatchObject({ code: 'invalid-argument' });
});

test('vehicles of a brand that no longer share data are purged; most of them only when their number is confirmed', async () => {
  await using archive = await archiveOfThree();
  const { folder } = archive;
  await archive.export({ ...threeVehicles, vehicles: [{ brand: 'brand_b', vin: vin(2) }] });
  const [first, second, third, fourth = ''] = [1, 2, 3, 4].map((digit) => archive.pseudonymOf(vin(digit)));
  const reconcile = (shared: readonly number[], more: Partial<ConsentList> = {}) =>
    archive.reconcile({ brand: 'brand_a', vins: shared.map(vin), ...more });
  const notConfirmed = { code: 'purge-not-confirmed', count: 2 };
  expect(await reconcile([], { brand: 'brand_c' })).toMatchObject({ vehicles: [], files: 0 });
  // Only those that are asked about. Two of three are not in the list: it may be that of another owner, even if one is asked about.
  expect(await reconcile([1, 3], { among: [vin(3)] })).toMatchObject({ vehicles: [], files: 0 });
  expect(await reconcile([1], { among: [vin(9)] })).toMatchObject({ vehicles: [], files: 0 });
  await expect(reconcile([1], { among: [vin(2)] })).rejects.toMatchObject(notConfirmed);
  expect(await reconcile([1, 3], { among: [vin(2)] })).toMatchObject({ vehicles: [second], files: 4 });
  // What a crash before the first line of the manifest leaves of a vehicle, here and in another brand.
  for (const brand of ['brand_a', 'brand_b']) {
    const path = join(folder, `brand=${brand}/vehicle=${fourth}/series=driving/month=2026-01`);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'x.parquet'), 'x');
  }
  expect(await reconcile([1, 3, 4])).toMatchObject({ vehicles: [], files: 0 });
  expect(await reconcile([1, 3])).toMatchObject({ vehicles: [fourth], files: 1 });
  expect(await readdir(join(folder, 'brand=brand_a'))).toHaveLength(2);
  // A purge takes the vehicle of every brand.
  expect(await archive.purge({ vin: vin(4) })).toMatchObject({ vehicles: [fourth], files: 1 });
  // An empty list by mistake.
  await expect(reconcile([])).rejects.toMatchObject(notConfirmed);
  await expect(reconcile([], { confirmPurge: 1 })).rejects.toMatchObject(notConfirmed);
  expect((await reconcile([], { confirmPurge: 2 })).vehicles.toSorted()).toEqual([first, third].toSorted());
  const held = Array(2).fill({ brand: 'brand_b', vehicle: second });
  expect(await archive.vehicles()).toMatchObject(held);
  expect(await archive.verify()).toMatchObject({ ok: true, files: 4 });
  await archive.purge({ vin: vin(2) });
  expect(Object.keys(await dataFiles(folder))).toEqual([]);
});

test('verify finds every file that is not what the manifest says, and the next export fetches what is missing', async () => {
  await using exported = await archiveOfThree();
  const { folder } = exported;
  await exported.close();
  const lines = (await manifestOf(folder)).sort((one, other) => (one.path < other.path ? -1 : 1));
  const [missing, changed, known, other, unreadable] = lines;
  await rm(join(folder, missing.path));
  const bytes = await readFile(join(folder, changed.path));
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(join(folder, changed.path), bytes);
  const unknown = `${known.path}.bak`;
  await writeFile(join(folder, unknown), 'x');
  Object.assign(other, { rows: other.rows + 1, contract: 'another' });
  await writeFile(join(folder, unreadable.path), 'x');
  Object.assign(unreadable, { bytes: 1, sha256: createHash('sha256').update('x').digest('hex') });
  for (const path of await manifestsIn(folder)) {
    const [prefix] = path.split('_manifest');
    const own = lines.filter((line) => line.path.startsWith(prefix));
    const text = own.map((line) => `${JSON.stringify({ ...line, path: line.path.slice(prefix?.length) })}\n`);
    await writeFile(join(folder, path), text.join(''));
  }
  await using archive = await archiveIn(folder);
  const { ok, problems } = await archive.verify();
  expect([ok, ...problems.map(({ code, path }) => [code, path])]).toEqual([
    false,
    ['missing-file', missing.path],
    ['wrong-hash', changed.path],
    ['unknown-file', unknown],
    ['wrong-rows', other.path],
    ['wrong-contract', other.path],
    ['unreadable', unreadable.path],
  ]);
  for (const path of [changed.path, unknown, other.path, unreadable.path]) await rm(join(folder, path));
  expect(await archive.export(threeVehicles)).toMatchObject({ windowsFetched: 4 });
  expect(await archive.verify()).toMatchObject({ ok: true, problems: [] });
});
