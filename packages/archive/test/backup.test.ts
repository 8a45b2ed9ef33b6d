import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeIdentity } from '../src/backup/sealing.js';
import { createBackupKey, openArchive, restoreArchive } from '../src/index.js';
import { runCopies } from './copies/run.ts';
import { archiveIn, newFolder } from './folders.ts';
import { dataFiles, now, syntheticWindow, vehiclesOf, vin } from './synthetic-source.ts';

const hasAge = spawnSync('age', ['--version']).status === 0;
const exported = { vehicles: vehiclesOf(1, 2, 3), from: '2026-01-01', to: '2026-01-16', readWindow: syntheticWindow };
const identity = await makeIdentity();
const { recipient } = await createBackupKey(identity);
const msPerDay = 86_400_000;

/** An archive of three vehicles with a backup. Its clock is `clock.now`. */
async function backedUp() {
  const root = await newFolder();
  const clock = { now };
  const [folder, to] = [join(root, 'archive'), join(root, 'backup')];
  // Files are sealed whatever is in them. Parquet takes several times as long to write.
  const archive = await archiveIn(folder, { format: 'ndjson', now: () => clock.now });
  await archive.export(exported);
  const backup = (more = {}) => archive.backup({ to, recipient, ...more });
  const restore = async (more = {}) => {
    const restored = join(root, `restored-${randomUUID()}`);
    const report = await restoreArchive({ from: to, folder: restored, identity, ...more });
    return { report, folder: restored, files: await dataFiles(restored) };
  };
  return { root, archive, clock, to, backup, restore };
}

test.runIf(hasAge)('a withdrawn vehicle is noise in every copy, and the others are restored byte by byte', async () => {
  const { recoveredBefore, recovered, triedFiles, foldersLeft, restoredFiles } = await runCopies({
    vehicles: 8,
    generations: 11,
    withdrawn: 3,
  });
  expect(recoveredBefore).toBeGreaterThan(500);
  expect(triedFiles).toBeGreaterThan(15);
  expect([recovered, foldersLeft, restoredFiles]).toEqual([0, 5, 10]);
});
if (!hasAge) console.warn('Not run without the program age: copies of withdrawn vehicles.');

test('a second backup seals only what changed, and a restored archive goes on as the first', async () => {
  const { archive, backup, restore } = await backedUp();
  await using _ = archive;
  const first = await backup();
  expect(first).toMatchObject({ vehicles: 3, sealed: 18, unchanged: 0, damaged: [], missing: 0 });
  expect(await backup()).toMatchObject({ sealed: 0, unchanged: 18, bytes: 0 });
  await archive.export({ ...exported, vehicles: vehiclesOf(2), to: '2026-01-20' });
  expect(await backup()).toMatchObject({ sealed: 4, unchanged: 16 });
  const { folder, files, report } = await restore();
  expect(report).toMatchObject({ vehicles: 3, problems: [], purged: 0 });
  expect(files).toEqual(await dataFiles(archive.folder));
  await using restored = await openArchive({ folder, now: () => now });
  expect(await restored.verify()).toMatchObject({ ok: true, problems: [] });
  expect(await restored.vehicles()).toEqual(await archive.vehicles());
  expect(await restored.export({ ...exported, vehicles: vehiclesOf(2), to: '2026-01-20' })).toMatchObject({
    windowsFetched: 0,
  });
  // As it was before.
  const earlier = await restore({ generation: first.generation });
  expect(Object.keys(earlier.files)).toHaveLength(12);
  // Its keys are the same: nothing is sealed twice.
  expect(await restored.backup({ to: join(folder, '..', 'backup'), recipient })).toMatchObject({ sealed: 0 });
});

test('each export and copy of a vehicle is written down, and goes with the vehicle', async () => {
  const { archive, backup, clock } = await backedUp();
  await using _ = archive;
  clock.now += msPerDay;
  const more = { ...exported, vehicles: vehiclesOf(2), to: '2026-01-20', by: 'night job' };
  await archive.export(more);
  // Nothing was read.
  await archive.export({ ...more, by: 'nobody' });
  await backup({ by: 'operator' });
  // A crash left half of a line.
  const name = join(archive.folder, `brand=brand_a/vehicle=${archive.pseudonymOf(vin(2))}/_exports.ndjson`);
  await appendFile(name, '{"what":"exp');
  await archive.export({ ...more, to: '2026-01-28' });
  const read = await archive.accesses({ vin: vin(2) });
  const days = { series: ['powertrain', 'driving'], from: '2026-01-01', to: archive.folder };
  const known = { brand: 'brand_a', at: new Date(clock.now).toISOString() };
  expect(read).toEqual([
    { ...days, ...known, what: 'export', at: new Date(now).toISOString(), by: 'a program', until: '2026-01-16' },
    { ...days, ...known, what: 'export', by: 'night job', until: '2026-01-20' },
    { ...days, ...known, what: 'export', by: 'night job', until: '2026-01-28' },
    { ...known, what: 'backup', by: 'operator', to: expect.stringMatching(/backup$/) },
  ]);
  expect(await archive.accesses({ vin: vin(1) })).toMatchObject([{ what: 'export' }, { what: 'backup' }]);
  expect(await archive.verify()).toMatchObject({ ok: true });
  await archive.purge({ vin: vin(2) });
  expect(await archive.accesses({ vin: vin(2) })).toEqual([]);
});

test('names and bytes of a backup say nothing of a vehicle, and only its recipient restores it', async () => {
  const { archive, backup, restore, to } = await backedUp();
  await using _ = archive;
  await backup();
  const texts = [];
  for (const path of await readdir(to, { recursive: true }))
    texts.push(path, path.includes('.') ? await readFile(join(to, path), 'latin1') : '');
  for (const secret of [archive.pseudonymOf(vin(1)), vin(1), 'AGE-SECRET-KEY', 'brand_a', '2026-01'])
    expect(texts.join()).not.toContain(secret);
  await expect(restore({ identity: await makeIdentity() })).rejects.toMatchObject({ code: 'backup-sealed' });
  await expect(restore({ from: archive.folder })).rejects.toMatchObject({ code: 'backup-missing' });
  await expect(backup({ recipient: 'age1typo' })).rejects.toMatchObject({ code: 'invalid-argument' });
  await expect(backup({ to: join(archive.folder, 'backup') })).rejects.toMatchObject({ code: 'invalid-argument' });
  await using other = await archiveIn(join(to, '..', 'other'));
  await expect(other.backup({ to, recipient })).rejects.toMatchObject({ code: 'backup-differs' });
});

test('a purged vehicle is not restored, its keys expire with the days, and then its folder goes', async () => {
  const { archive, backup, restore, clock, to } = await backedUp();
  await using _ = archive;
  const before = await backup();
  await archive.purge({ vin: vin(1) });
  const files = await dataFiles(archive.folder);
  // A generation that still has its key: the receipt says that it must not come back.
  clock.now += msPerDay;
  expect(await backup()).toMatchObject({ vehicles: 2, generationsExpired: 0, foldersRemoved: 0, missing: 0 });
  const earlier = await restore({ generation: before.generation });
  expect([earlier.report.purged, earlier.files]).toEqual([1, files]);
  await using restored = await openArchive({ folder: earlier.folder, now: () => clock.now });
  const again = await restored.export({ ...exported, vehicles: vehiclesOf(1) });
  expect(again.vehicles).toMatchObject([{ outcome: 'erased' }]);
  expect(await restored.receipts()).toHaveLength(1);
  clock.now += 7 * msPerDay;
  expect(await backup()).toMatchObject({ generationsExpired: 2, foldersRemoved: 1 });
  expect(await readdir(join(to, 'vehicles'))).toHaveLength(2);
  expect((await restore()).files).toEqual(files);
});

test('a folder that was lost without a purge can be restored, however old its keys are', async () => {
  const { archive, backup, restore, clock, to } = await backedUp();
  await using _ = archive;
  const { generation } = await backup();
  const files = await dataFiles(archive.folder);
  await rm(join(archive.folder, `brand=brand_a/vehicle=${archive.pseudonymOf(vin(1))}`), { recursive: true });
  clock.now += 100 * msPerDay;
  expect(await backup()).toMatchObject({ missing: 1, generationsExpired: 0, foldersRemoved: 0 });
  expect((await restore({ generation })).files).toEqual(files);
  expect(await backup({ forgetMissing: true })).toMatchObject({ generationsExpired: 1, foldersRemoved: 1 });
  expect(await readdir(join(to, 'vehicles'))).toHaveLength(2);
});

test('a damaged file never replaces what the backup has of it, and a damaged backup says which files it lost', async () => {
  const { archive, backup, restore, to } = await backedUp();
  await using _ = archive;
  await backup();
  const files = await dataFiles(archive.folder);
  const [path = ''] = Object.keys(files);
  const bytes = await readFile(join(archive.folder, path));
  await writeFile(join(archive.folder, path), bytes.fill(0, 100, 120));
  expect(await backup()).toMatchObject({ sealed: 0, damaged: [] });
  expect((await restore()).files).toEqual(files);
  const [sealed = ''] = (await readdir(to, { recursive: true })).filter((name) => /\/[0-9a-f]{32}\.age$/.test(name));
  const noise = await readFile(join(to, sealed));
  await writeFile(join(to, sealed), noise.fill(0, noise.length - 8));
  const { report } = await restore();
  expect(report.problems).toHaveLength(1);
});

test('a backup that is killed at any moment is whole after the next one', async () => {
  const { archive, restore, to, root } = await backedUp();
  await archive.export({ ...exported, to: '2026-01-31' });
  await archive.close();
  const files = await dataFiles(archive.folder);
  const program = fileURLToPath(new URL('copies/backing-up.ts', import.meta.url));
  for (const killedAt of [2, 20]) {
    const target = join(root, `backup-${killedAt}`);
    const child = spawn(process.execPath, [program, archive.folder, target, recipient, String(killedAt)]);
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    await using opened = await openArchive({ folder: archive.folder, now: () => now });
    expect((await opened.backup({ to: target, recipient })).sealed).toBeGreaterThan(0);
    expect((await readdir(target, { recursive: true })).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await cp(target, to, { recursive: true, force: true });
    const { report, files: restored } = await restore();
    expect([report.problems, restored]).toEqual([[], files]);
    await rm(to, { recursive: true });
  }
});
