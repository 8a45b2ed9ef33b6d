// What an operator meets: old archives, killed holders, damaged manifests, lost keys, full disks, vehicles that must not come back.
import { cpSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { disk } from '../src/file-layer.js';
import { type FileLayer, openArchive, type ReadWindow, repairArchive, unlockArchive } from '../src/index.js';
import { archiveIn, everyByte, exportInto, heldTrips, manifestOf, manifestsIn, newFolder } from './folders.ts';
import { dataFiles, now, syntheticWindow, vehiclesOf, vin } from './synthetic-source.ts';

const request = {
  vehicles: vehiclesOf(1, 2),
  series: ['driving' as const],
  from: '2026-01-01',
  to: '2026-01-16',
  readWindow: syntheticWindow,
};

/** An archive that the program of version 1 wrote: three vehicles, one of them half purged, and the last line cut. Of all windows, or of some. */
async function firstVersion(part?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(fileURLToPath(new URL('fixtures/version-1', import.meta.url)), folder, { recursive: true });
  // Git keeps no such bits.
  await chmod(join(folder, 'archive.key'), 0o600);
  if (part === undefined) return folder;
  const isOther = (path: string) => /series=/.test(path) && !path.includes(part);
  for (const path of await readdir(folder, { recursive: true }))
    if (isOther(path)) await rm(join(folder, path), { recursive: true, force: true });
  const manifest = join(folder, 'manifest.ndjson');
  const lines = (await readFile(manifest, 'utf8')).split('\n');
  await writeFile(manifest, lines.filter((line) => !isOther(line)).join('\n'));
  return folder;
}

// The name of the brand when it was written, whatever the contract calls it today.
const written = await readdir(new URL('fixtures/version-1', import.meta.url));
const brand = written.find((name) => name.startsWith('brand='))?.slice('brand='.length) ?? 'no brand';
const vehicles = request.vehicles.map(({ vin }) => ({ brand, vin }));
const march = { ...request, vehicles, series: undefined, from: '2026-02-17', to: '2026-03-08' };

test('an archive of version 1 is migrated when it is opened: no file changes, no request is repeated, a purge is finished', async () => {
  const folder = await firstVersion();
  const before = await dataFiles(folder);
  await using archive = await archiveIn(folder);
  const third = archive.pseudonymOf(vin(3));
  expect(await everyByte(folder)).not.toContain(third);
  const left = Object.entries(before).filter(([path]) => !path.includes(third));
  expect(left).toHaveLength(12);
  expect(await dataFiles(folder)).toEqual(Object.fromEntries(left));
  expect(await readdir(folder)).not.toContain('manifest.ndjson');
  expect(JSON.parse(await readFile(join(folder, 'archive.json'), 'utf8'))).toMatchObject({ version: 2 });
  expect(await archive.verify()).toMatchObject({ ok: true, files: 12 });
  // A window of March is over, and waits until it is settled.
  expect(await archive.export(march)).toMatchObject({ windowsTotal: 12, windowsFetched: 0, windowsSkipped: 12 });
  await archive.close();
  // Then its file is written anew, with what is said of trips today. Settled ones stay.
  await using later = await archiveIn(folder, { now: () => now + 86_400_000 });
  expect(await later.export(march)).toMatchObject({ windowsTotal: 12, windowsFetched: 4, windowsSkipped: 8 });
  const after = await dataFiles(folder);
  expect(Object.keys(after)).toEqual(left.map(([path]) => path));
  // What was fetched again says of times what the SDK says today.
  for (const [path, hash] of left) if (!path.includes('month=2026-03')) expect(after[path]).toBe(hash);
});

test('an archive of version 1 that cannot be changed is read as it is', async () => {
  const folder = await firstVersion();
  const before = await everyByte(folder);
  await using archive = await openArchive({ folder, readOnly: true, now: () => now });
  expect(await archive.vehicles()).toHaveLength(6);
  expect(await archive.plan(march)).toHaveLength(12);
  expect(await everyByte(folder)).toBe(before);
});

test('a migration that crashes at any step is repeated and ends with the same archive', async () => {
  // One window of each vehicle: all three make 124 steps instead of 119.
  const source = await firstVersion('series=driving/month=2026-03');
  const copy = async () => {
    const folder = await newFolder();
    cpSync(source, folder, { recursive: true });
    return folder;
  };
  const expected = await copy();
  await (await archiveIn(expected)).close();
  const files = async (folder: string) => [await dataFiles(folder), await manifestOf(folder), await readdir(folder)];
  const wanted = await files(expected);
  let steps = 0;
  for (let step = 1, isHit = true; isHit; step += 1) {
    const folder = await copy();
    let [count, isDown] = [0, false];
    const faulty: FileLayer = new Proxy(disk, {
      get:
        (target, name) =>
        async (...given: readonly unknown[]) => {
          count += 1;
          isDown ||= count === step;
          if (isDown) throw new Error('the process is gone');
          return Reflect.get(target, name)(...given);
        },
    });
    await archiveIn(folder, { files: faulty })
      .then((archive) => archive.close())
      .catch(() => undefined);
    isHit = isDown;
    await (await archiveIn(folder)).close();
    expect(await files(folder), `after a crash at step ${step}`).toEqual(wanted);
    steps = step;
  }
  expect(steps).toBeGreaterThan(40);
});

test('a lease expires where its holder gives no sign of life, names its holder, and can be unlocked', async () => {
  const folder = await newFolder();
  await exportInto(folder, request);
  const path = join(folder, 'archive.lock');
  const lock = (pid: number) => writeFile(path, `pod-a pid:[4026532]\n${pid}\nx\n2026-03-11T22:00:00.000Z\n`);
  await lock(1);
  await expect(archiveIn(folder)).rejects.toMatchObject({
    code: 'archive-locked',
    message: expect.stringContaining('process 1 on pod-a, since 2026-03-11T22:00:00.000Z'),
    holder: { name: 'process 1 on pod-a' },
  });
  expect(await unlockArchive({ folder })).toMatchObject({ name: 'process 1 on pod-a' });
  expect(await unlockArchive({ folder })).toBeUndefined();
  // The container was killed, nobody unlocked it, and the next night comes.
  await lock(1);
  const long = new Date(Date.now() - 180_000);
  await utimes(path, long, long);
  const archive = await archiveIn(folder);
  // Another process takes it over while this one sleeps: nothing more is written.
  await unlockArchive({ folder });
  const other = await archiveIn(folder);
  const before = await everyByte(folder);
  const more = { ...request, to: '2026-01-31' };
  await expect(archive.export(more)).rejects.toMatchObject({ code: 'archive-locked' });
  await archive.close();
  expect(await everyByte(folder)).toBe(before);
  expect(await other.export(more)).toMatchObject({ windowsFetched: 4 });
  await other.close();
  expect(await readdir(folder)).not.toContain('archive.lock');
});

test.each([
  {
    story: 'cut in the middle',
    damage: (text: string) => `${text.slice(0, 200)}\n${text.split('\n').slice(1).join('\n')}`,
  },
  { story: 'gone', damage: () => undefined },
  { story: 'that of other files', damage: (text: string) => text.replaceAll(/"sha256":"\w{8}/g, '"sha256":"00000000') },
])(
  'a damaged manifest is repaired from the files, and blocks no other vehicle and no purge: $story',
  async ({ damage }) => {
    const folder = await newFolder();
    await exportInto(folder, request);
    const before = await dataFiles(folder);
    const [first = '', second = ''] = await manifestsIn(folder);
    const text = damage(await readFile(join(folder, first), 'utf8'));
    if (text === undefined) await rm(join(folder, first));
    else await writeFile(join(folder, first), text);
    {
      await using archive = await archiveIn(folder);
      expect((await archive.verify()).ok).toBe(false);
      const other = vehiclesOf(1, 2).filter((one) => second.includes(archive.pseudonymOf(one.vin)));
      expect(await archive.export({ ...request, vehicles: other })).toMatchObject({
        windowsFetched: 0,
        windowsSkipped: 2,
      });
      expect(await dataFiles(folder)).toEqual(before);
    }
    const report = await repairArchive({ folder, now: () => now });
    expect(report).toMatchObject({ vehicles: 2, unreadable: [] });
    expect(report.rebuilt).toBeGreaterThan(0);
    expect(report.kept + report.rebuilt).toBe(4);
    await using archive = await archiveIn(folder);
    expect(await archive.verify()).toMatchObject({ ok: true, files: 4 });
    expect(await dataFiles(folder)).toEqual(before);
    // What nobody vouches for is fetched once more.
    expect(await archive.export(request)).toMatchObject({ windowsFetched: report.rebuilt });
    expect(await archive.export(request)).toMatchObject({ windowsFetched: 0 });
    await writeFile(join(folder, first), 'x\n');
    const [, vehicle = ''] = /vehicle=(\w+)/.exec(first) ?? [];
    expect(await archive.purge({ vehicle })).toMatchObject({ files: 2 });
    expect(await everyByte(folder)).not.toContain(vehicle);
  },
);

test('without its key an archive is listed, verified and purged by pseudonyms, and nothing is fetched', async () => {
  const folder = await newFolder();
  await exportInto(folder, request);
  await rm(join(folder, 'archive.key'));
  await using archive = await openArchive({ folder });
  const [held] = await archive.vehicles();
  expect(await archive.verify()).toMatchObject({ ok: true, files: 4 });
  await expect(archive.export(request)).rejects.toMatchObject({ code: 'key-file-missing' });
  expect(await archive.purge({ vehicle: held?.vehicle ?? '' })).toMatchObject({ files: 2 });
  expect(await archive.vehicles()).toHaveLength(1);
});

test('a vehicle that was purged does not come back until it is readmitted; one whose consent ended may', async () => {
  const folder = await newFolder();
  await exportInto(folder, request);
  {
    await using archive = await archiveIn(folder);
    const first = archive.pseudonymOf(vin(1));
    expect(await archive.purge({ vin: vin(1) })).toMatchObject({ vehicles: [first], files: 2 });
    expect(await everyByte(folder)).not.toContain(first);
  }
  await using archive = await archiveIn(folder);
  const outcomes = async () => (await archive.export(request)).vehicles.map(({ outcome }) => outcome);
  expect(await outcomes()).toEqual(['erased', 'complete']);
  expect(await archive.readmit({ vin: vin(1) })).toBe(true);
  expect(await archive.readmit({ vin: vin(1) })).toBe(false);
  expect(await outcomes()).toEqual(['complete', 'complete']);
  await archive.reconcile({ brand: 'brand_a', vins: [vin(2)] });
  expect(await outcomes()).toEqual(['complete', 'complete']);
  await expect(archive.purge({ vehicle: 'abc' })).rejects.toMatchObject({ code: 'invalid-argument' });
});

test('on a disk without any room an archive is opened, read, verified and purged', async () => {
  const folder = await newFolder();
  await exportInto(folder, request);
  await rm(join(folder, 'views.duckdb.sql'));
  let isFull = true;
  const full = async (name: string, path: string) => {
    if (name === 'writeExclusively' && (await disk.stat(path))) return false;
    await writeFile(path, '', { flag: 'a' });
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  };
  const writing = ['write', 'writeExclusively', 'append'];
  const files: FileLayer = new Proxy(disk, {
    get: (target, name: string) => {
      const run = Reflect.get(target, name);
      return async (path: string, ...more: readonly unknown[]) => {
        // What is removed makes room.
        if (name === 'remove' && path.endsWith('.parquet')) isFull = false;
        return isFull && writing.includes(name) ? full(name, path) : run(path, ...more);
      };
    },
  });
  await using archive = await archiveIn(folder, { files });
  // It is locked although its holder could not write its name.
  await expect(archiveIn(folder, { files })).rejects.toMatchObject({ code: 'archive-locked' });
  expect(await archive.verify()).toMatchObject({ ok: true, files: 4 });
  const second = archive.pseudonymOf(vin(2));
  expect(await archive.purge({ vin: vin(2) })).toMatchObject({ files: 2 });
  expect(await everyByte(folder)).not.toContain(second);
  expect(await archive.verify()).toMatchObject({ ok: true, files: 2 });
});

test('opening, exporting and purging one vehicle touch nothing of the others', async () => {
  const folder = await newFolder();
  await exportInto(folder, { ...request, vehicles: vehiclesOf(1, 2, 3, 4) });
  const touched: string[] = [];
  const files: FileLayer = new Proxy(disk, {
    get:
      (target, name) =>
      (path: string, ...more: readonly unknown[]) => {
        touched.push(`${String(name)} ${path} ${more[1] ?? ''}`);
        return Reflect.get(target, name)(path, ...more);
      },
  });
  await using archive = await archiveIn(folder, { files });
  await archive.export({ ...request, vehicles: vehiclesOf(3), to: '2026-01-31' });
  await archive.purge({ vin: vin(3) });
  const [third, ...others] = [3, 1, 2, 4].map((digit) => archive.pseudonymOf(vin(digit)));
  expect(touched.filter((step) => step.includes(`${third}`)).length).toBeGreaterThan(20);
  // Views look for one vehicle with files.
  const read = others.filter((other) => touched.some((step) => step.startsWith('read ') && step.includes(other)));
  expect(read).toHaveLength(1);
  expect(
    touched.filter((step) =>
      others.some((other) => /^(write|append|remove|rename)/.test(step) && step.includes(other)),
    ),
  ).toEqual([]);
});

test('exact days ask for no other day, keep what is held, and a whole export fetches the rest', async () => {
  const folder = await newFolder();
  const ranges: string[] = [];
  const one = { vehicles: vehiclesOf(1), series: ['driving'] as const };
  const readWindow: ReadWindow = async (window) => {
    ranges.push(`${window.startDate.slice(4)}-${window.endDate.slice(4)}`);
    return syntheticWindow(window);
  };
  const exactly = async (from: string, to: string) =>
    await exportInto(folder, { ...one, from, to, readWindow, exactDays: true });
  const daysHeld = async () => {
    await using archive = await archiveIn(folder);
    const trips = (await heldTrips(archive, vin(1), 'driving')) as { triggerStartTime: string }[];
    const [{ from, to } = {}] = await archive.vehicles();
    return { from, to, days: [...new Set(trips.map(({ triggerStartTime }) => triggerStartTime.slice(8, 10)))].sort() };
  };
  await exactly('2026-01-11', '2026-01-12');
  expect(await daysHeld()).toEqual({ from: '2026-01-11', to: '2026-01-12', days: ['11', '12'] });
  await exactly('2026-01-14', '2026-01-14');
  await exactly('2026-01-11', '2026-01-12');
  expect(ranges.splice(0).sort()).toEqual(['0111-0112', '0114-0114']);
  expect((await daysHeld()).days).toEqual(['11', '12', '14']);
  // A window that lies inside the range is whole.
  await exactly('2026-01-15', '2026-01-25');
  expect(ranges.splice(0).sort()).toEqual(['0115-0116', '0117-0124', '0125-0125']);
  await exportInto(folder, { ...one, from: '2026-01-11', to: '2026-01-25', readWindow });
  expect(ranges.splice(0).sort()).toEqual(['0109-0110', '0113-0113', '0126-0131']);
  const whole = await newFolder();
  await exportInto(whole, { ...one, from: '2026-01-11', to: '2026-01-25', readWindow: syntheticWindow });
  expect(await dataFiles(folder)).toEqual(await dataFiles(whole));
  await using archive = await archiveIn(folder);
  expect((await archive.verify()).problems).toEqual([]);
  const months = (await archive.quality()).vehicles.flatMap(({ months }) => months);
  expect(months.flatMap(({ late }) => late)).toEqual([]);
});

test('a file of the same size that a disk changed is found by one of thirty nights, and fetched again', async () => {
  const folder = await newFolder();
  await exportInto(folder, request);
  const before = await dataFiles(folder);
  const [path = ''] = Object.keys(before);
  const bytes = await readFile(join(folder, path));
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(join(folder, path), bytes);
  let fetched = 0;
  for (let night = 0; night < 30; night += 1)
    fetched += (await exportInto(folder, request, { now: () => now + night * 86_400_000 })).windowsFetched;
  expect(fetched).toBe(1);
  expect(await dataFiles(folder)).toEqual(before);
});

test.each(['parquet', 'ndjson'] as const)(
  'settled months are put into one file of %s: the same trips, no request, whatever crash comes between',
  async (format) => {
    const options = { format };
    const range = { ...request, vehicles: vehiclesOf(1), to: '2026-02-08' };
    const tripsIn = async (folder: string) => {
      await using archive = await archiveIn(folder, options);
      return heldTrips(archive, vin(1), 'driving');
    };
    const merge = async (folder: string, more: { readonly files?: FileLayer } = {}) => {
      await using archive = await archiveIn(folder, { ...options, ...more });
      return await archive.mergeMonths();
    };
    const source = await newFolder();
    await exportInto(source, range, options);
    const before = await tripsIn(source);
    const expected = await newFolder();
    cpSync(source, expected, { recursive: true });
    expect(await merge(expected)).toEqual({ months: 1, filesRemoved: 4 });
    expect(await merge(expected)).toEqual({ months: 0, filesRemoved: 0 });
    const files = await dataFiles(expected);
    expect(Object.keys(files)).toHaveLength(2);
    expect(await tripsIn(expected)).toEqual(before);
    {
      await using archive = await archiveIn(expected, options);
      expect(await archive.verify()).toMatchObject({ ok: true, files: 2 });
      expect((await archive.plan(range)).filter(({ state }) => state === 'settled')).toHaveLength(5);
    }
    for (let step = 1, isHit = true; isHit; step += 1) {
      const folder = await newFolder();
      cpSync(source, folder, { recursive: true });
      let [count, isDown] = [0, false];
      const files: FileLayer = new Proxy(disk, {
        get:
          (target, name) =>
          async (...given: readonly unknown[]) => {
            const isChange = /^(write|append|rename|remove|truncate|sync)/.test(String(name));
            count += isChange ? 1 : 0;
            isDown ||= count === step;
            if (isDown) throw new Error('the process is gone');
            return Reflect.get(target, name)(...given);
          },
      });
      await merge(folder, { files }).catch(() => undefined);
      isHit = isDown;
      await merge(folder);
      expect(await dataFiles(folder), `after a crash at step ${step}`).toEqual(await dataFiles(expected));
    }
    // A month that a disk changed is fetched again, as windows.
    const [path = ''] = Object.keys(files);
    await writeFile(join(expected, path), 'x');
    expect(await exportInto(expected, range, options)).toMatchObject({ windowsFetched: 4 });
    expect(await tripsIn(expected)).toEqual(before);
    expect(await merge(expected)).toEqual({ months: 1, filesRemoved: 4 });
    expect(await dataFiles(expected)).toEqual(files);
  },
);

test('a folder that its file system does not make is an error, and no endless loop', async ({ skip }) => {
  skip(process.platform !== 'linux', 'not tried: this system has no /proc');
  await expect(archiveIn('/proc/vehicle-data')).rejects.toMatchObject({ code: 'ENOENT' });
});
