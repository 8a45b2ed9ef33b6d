import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createVehicleDataClient } from '@vehicle-data/client';
import { createSandbox, demoAccessToken } from '@vehicle-data/sandbox';
import { expect, test } from 'vitest';
import { disk } from '../src/file-layer.js';
import type { FileLayer, ReadWindow } from '../src/index.js';
import { archiveIn, everyByte, exportInto, newFolder } from './folders.ts';
import { runKills } from './kills/run.ts';
import { dataFiles, now, syntheticWindow, vin } from './synthetic-source.ts';

const request = {
  vehicles: [{ brand: 'brand_a', vin: vin(1) }],
  series: ['driving' as const],
  from: '2026-01-01',
  to: '2026-01-16',
  concurrency: 2,
  readWindow: syntheticWindow,
};

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

test.each(['crash', 'ENOSPC'] as const)(
  'after a %s at any step of the file layer the same call resumes to identical files',
  async (fault) => {
    const undisturbed = await newFolder();
    const counted = faultyFiles(0, fault);
    await exportInto(undisturbed, request, counted);
    const expected = await dataFiles(undisturbed);
    const windows = Object.keys(expected).length;
    const steps = counted.steps();
    expect(steps).toBeGreaterThan(30);
    for (let at = 1; at <= steps; at += 1) {
      const folder = await newFolder();
      await expect(exportInto(folder, request, faultyFiles(at, fault)), `step ${at}`).rejects.toThrow();
      // Readable at any moment: what carries the name of a data file is whole.
      for (const [path, hash] of Object.entries(await dataFiles(folder)))
        expect(hash, `step ${at}`).toBe(expected[path]);
      const done = Object.keys(await dataFiles(folder)).length;
      const { windowsFetched } = await exportInto(folder, request);
      expect(windowsFetched, `step ${at}`).toBeLessThanOrEqual(windows - done + request.concurrency);
      expect(await dataFiles(folder), `step ${at}`).toEqual(expected);
      await using archive = await archiveIn(folder);
      expect(await archive.verify(), `step ${at}`).toMatchObject({ ok: true, problems: [] });
    }
  },
);

test('a response that breaks leaves no wrong file, and the same call resumes to identical files', async () => {
  const { fetch, faults } = createSandbox({ now: new Date(now), frozen: true });
  const server = { baseUrl: 'http://sandbox', brand: 'brand_a', accessToken: demoAccessToken, fetch } as const;
  const client = createVehicleDataClient({ ...server, maxRetries: 0 });
  const vehicles = [{ brand: 'brand_a', vin: 'SANDB0XA000000001' }];
  /** Exports window after window. Gives those that failed. */
  const exportCalls = async (folder: string, timeoutMs?: number) => {
    await using archive = await archiveIn(folder);
    const readWindow: ReadWindow = async ({ brand: _, series: __, signal, ...call }) =>
      (await client.getDrivingData(call, { signal, timeoutMs })).trips;
    const { vehicles: outcomes } = await archive.export({ ...request, vehicles, readWindow, concurrency: 1 });
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
    const make = async (folder: string, faulty?: { files: FileLayer }) => (await archiveIn(folder, faulty)).close();
    const root = await newFolder();
    const counted = faultyFiles(0, fault);
    await make(join(root, 'undisturbed'), counted);
    for (let at = 1; at <= counted.steps(); at += 1) {
      const folder = join(root, `${at}`);
      await make(folder, faultyFiles(at, fault)).catch(() => undefined);
      await make(folder);
      expect(await readdir(folder), `step ${at}`).toEqual(await readdir(join(root, 'undisturbed')));
    }
  },
);

test('a purge that crashes at any step is finished by the next program that opens the archive', async () => {
  for (let at = 1, isDone = false; !isDone; at += 1) {
    const folder = await newFolder();
    await exportInto(folder, request);
    const faulty = faultyFiles(at, 'crash');
    const purge = async () => {
      await using archive = await archiveIn(folder, faulty);
      await archive.purge({ vin: vin(1) });
    };
    await purge().catch(() => undefined);
    isDone = faulty.steps() < at;
    await using archive = await archiveIn(folder);
    const left = Object.keys(await dataFiles(folder)).length;
    // Before the intent is written nothing happens; after it, nothing is left.
    expect([0, 2], `step ${at}`).toContain(left);
    if (left === 0) expect(await everyByte(folder)).not.toContain(archive.pseudonymOf(vin(1)));
    expect(await archive.verify(), `step ${at}`).toMatchObject({ ok: true });
    expect(at).toBeLessThan(200);
  }
});

test('an export that is killed again and again ends with the files of an undisturbed one', async () => {
  expect((await runKills(3)).repeatedAtMost).toBeLessThanOrEqual(2);
});

const vehicles = [1, 2, 3].map((digit) => ({ brand: 'brand_a', vin: vin(digit) }));
const threeVehicles = { ...request, vehicles, series: undefined };

async function archiveOfThree() {
  const archive = await archiveIn(await newFolder());
  await archive.export(threeVehicles);
  return archive;
}

test('a purge leaves nothing of the vehicle, not even its pseudonym, and everything of the others', async () => {
  await using archive = await archiveOfThree();
  const { folder } = archive;
  const before = await dataFiles(folder);
  const gone = archive.pseudonymOf(vin(2));
  // What a crash between the rename and the manifest line leaves.
  await writeFile(join(folder, `brand=brand_a/vehicle=${gone}/orphan.parquet`), 'x');
  expect(await archive.purge({ vin: vin(2) })).toEqual({ vehicles: [gone], files: 5 });
  expect(await everyByte(folder)).not.toContain(gone);
  expect(await readdir(join(folder, 'brand=brand_a'))).toHaveLength(2);
  const left = Object.fromEntries(Object.entries(before).filter(([path]) => !path.includes(gone)));
  expect(await dataFiles(folder)).toEqual(left);
  expect(await archive.verify()).toMatchObject({ ok: true, files: 8 });
});

test('a purge of a vehicle whose windows became empty leaves no folder with its pseudonym', async () => {
  await using archive = await archiveIn(await newFolder());
  const march = { ...request, from: '2026-03-09', to: '2026-03-12' };
  for (const readWindow of [syntheticWindow, async () => []]) await archive.export({ ...march, readWindow });
  await archive.purge({ vin: vin(1) });
  expect(await everyByte(archive.folder)).not.toContain(archive.pseudonymOf(vin(1)));
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
  expect(archive.vehicles().map(({ vehicle }) => vehicle)).toEqual(Array(2).fill(archive.pseudonymOf(vin(1))));
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

test('vehicles that no longer share data are purged; most of them only when their number is confirmed', async () => {
  await using archive = await archiveOfThree();
  const { folder } = archive;
  const list = { brand: 'brand_a', vins: [vin(1), vin(3)] };
  expect(await archive.reconcile({ ...list, brand: 'brand_b', vins: [] })).toEqual({ vehicles: [], files: 0 });
  expect(await archive.reconcile(list)).toEqual({ vehicles: [archive.pseudonymOf(vin(2))], files: 4 });
  // What a crash before the first line of the manifest leaves of a vehicle, here and in another brand.
  const unlisted = archive.pseudonymOf(vin(4));
  for (const brand of ['brand_a', 'brand_b']) {
    const path = join(folder, `brand=${brand}/vehicle=${unlisted}/series=driving/month=2026-01`);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'x.parquet'), 'x');
  }
  expect(await archive.reconcile({ ...list, vins: [...list.vins, vin(4)] })).toEqual({ vehicles: [], files: 0 });
  expect(await archive.reconcile(list)).toEqual({ vehicles: [unlisted], files: 1 });
  expect(await readdir(join(folder, 'brand=brand_a'))).toHaveLength(2);
  expect(await archive.purge({ vin: vin(4) })).toEqual({ vehicles: [unlisted], files: 1 });
  // An empty list by mistake.
  await expect(archive.reconcile({ brand: 'brand_a', vins: [] })).rejects.toMatchObject({
    code: 'purge-not-confirmed',
    count: 2,
  });
  await expect(archive.reconcile({ brand: 'brand_a', vins: [], confirmPurge: 1 })).rejects.toMatchObject({ count: 2 });
  expect(archive.vehicles()).toHaveLength(4);
  expect((await archive.reconcile({ brand: 'brand_a', vins: [], confirmPurge: 2 })).vehicles).toHaveLength(2);
  expect(Object.keys(await dataFiles(folder))).toEqual([]);
});

test('a purge of a brand takes the vehicles that were asked about, only where the list is plausible, and no other brand', async () => {
  const folder = await newFolder();
  const list = { brand: 'brand_a', vins: [vin(1)] };
  {
    await using archive = await archiveIn(folder);
    await archive.export(threeVehicles);
    await archive.export({ ...threeVehicles, vehicles: [{ brand: 'brand_b', vin: vin(2) }] });
    const both = { ...list, vins: [vin(1), vin(3)] };
    expect(await archive.reconcile({ ...both, among: [vin(3)] })).toMatchObject({ vehicles: [] });
    // Two of three are not in the list: it may be that of another owner, even if only one is asked about.
    await expect(archive.reconcile({ ...list, among: [vin(2)] })).rejects.toMatchObject({ count: 2 });
    expect(await archive.reconcile({ ...list, among: [vin(9)] })).toMatchObject({ vehicles: [] });
    const gone = archive.pseudonymOf(vin(2));
    const brands = () => archive.vehicles().flatMap(({ brand, vehicle }) => (vehicle === gone ? brand : []));
    expect((await archive.reconcile({ ...both, among: [vin(2)] })).vehicles).toEqual([gone]);
    expect(brands()).toEqual(['brand_b', 'brand_b']);
    expect(await archive.verify()).toMatchObject({ ok: true, files: 12 });
    await archive.purge({ vin: vin(2) });
    expect(brands()).toEqual([]);
    // A crash right after the intent to purge one brand.
    await archive.export({
      ...threeVehicles,
      vehicles: ['brand_a', 'brand_b'].map((brand) => ({ brand, vin: vin(2) })),
    });
    const intent = { kind: 'purge', brand: 'brand_b', vehicle: gone };
    await appendFile(join(folder, 'manifest.ndjson'), `${JSON.stringify(intent)}\n`);
  }
  await using archive = await archiveIn(folder);
  expect(archive.vehicles().map(({ brand }) => brand)).toEqual(Array(6).fill('brand_a'));
  expect(await archive.verify()).toMatchObject({ ok: true, files: 12 });
});

test('verify finds what is missing, unknown or changed, and the next export fetches what is missing', async () => {
  await using archive = await archiveOfThree();
  const { folder } = archive;
  const [first = '', second = '', third = ''] = Object.keys(await dataFiles(folder));
  await rm(join(folder, first));
  const bytes = await readFile(join(folder, second));
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(join(folder, second), bytes);
  const unknown = `${third}.bak`;
  await writeFile(join(folder, unknown), 'x');
  const { ok, problems } = await archive.verify();
  expect(ok).toBe(false);
  expect(problems.map(({ code, path }) => [code, path])).toEqual(
    [
      ['missing-file', first],
      ['wrong-hash', second],
      ['unknown-file', unknown],
    ].sort(([, one = ''], [, other = '']) => (one < other ? -1 : 1)),
  );
  await rm(join(folder, second));
  await rm(join(folder, unknown));
  expect(await archive.export(threeVehicles)).toMatchObject({ windowsFetched: 2 });
  expect(await archive.verify()).toMatchObject({ ok: true, problems: [] });
});

test('verify finds a file with other rows, of another contract, or that cannot be read, whatever its hash', async () => {
  const folder = await newFolder();
  await exportInto(folder, request);
  const manifest = join(folder, 'manifest.ndjson');
  const written = (await readFile(manifest, 'utf8')).trim().split('\n').sort();
  const [first, second] = written.map((line) => JSON.parse(line));
  await writeFile(join(folder, second.path), 'x');
  Object.assign(first, { rows: first.rows + 1, contract: 'another' });
  Object.assign(second, { sha256: createHash('sha256').update('x').digest('hex') });
  await writeFile(manifest, `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`);
  await using archive = await archiveIn(folder);
  expect((await archive.verify()).problems.map(({ code, path }) => [code, path])).toEqual([
    ['wrong-rows', first.path],
    ['wrong-contract', first.path],
    ['unreadable', second.path],
  ]);
});
