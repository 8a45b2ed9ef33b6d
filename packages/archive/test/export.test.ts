import { appendFile, chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { operations } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { disk } from '../src/file-layer.js';
import { openArchive, type ReadWindow, type WindowRequest } from '../src/index.js';
import { windowsOf } from '../src/windows.js';
import {
  archiveIn,
  everyByte,
  exportInto,
  heldTrips,
  manifestOf,
  manifestsIn,
  newFolder,
  readOnlyDisk,
} from './folders.ts';
import { dataFiles, now, syntheticWindow, vehiclesOf, vin } from './synthetic-source.ts';

const series = ['driving', 'powertrain'] as const;
const request = { vehicles: vehiclesOf(1), series, from: '2026-01-05', to: '2026-02-20', readWindow: syntheticWindow };

function counting(read: ReadWindow = syntheticWindow) {
  const calls: WindowRequest[] = [];
  const readWindow: ReadWindow = async (window) => {
    calls.push(window);
    return read(window);
  };
  return { calls, readWindow };
}

test('windows are calendar-aligned, legal by the contract, and the same for every range', async () => {
  await using archive = await archiveIn(await newFolder());
  const whole = await archive.plan({ ...request, from: '2024-01-01', to: '2024-12-31', series: ['driving'] });
  expect(whole).toHaveLength(48);
  const { maxDays } = operations.getDrivingData.dateRange;
  for (const { from, to } of whole) {
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBeLessThanOrEqual(maxDays);
    expect(to.slice(0, 7)).toBe(from.slice(0, 7));
  }
  expect(whole.slice(3, 6).map(({ from, to }) => `${from} ${to}`)).toEqual([
    '2024-01-25 2024-01-31',
    '2024-02-01 2024-02-08',
    '2024-02-09 2024-02-16',
  ]);
  const part = await archive.plan({ ...request, from: '2024-02-29', to: '2024-03-01', series: ['driving'] });
  expect(part).toEqual(whole.filter(({ from }) => from === '2024-02-25' || from === '2024-03-01'));
});

test('windows are as short as the contract wants them, and no longer than eight days', () => {
  const days = (from: string, to: string, maxDays: number) =>
    windowsOf(from, to, Date.UTC(2026, 5, 1), maxDays).map((window) => `${window.from}/${window.to.slice(8)}`);
  expect(days('2026-03-27', '2026-04-01', 3)).toEqual(['2026-03-25/28', '2026-03-29/31', '2026-04-01/04']);
  expect(days('2026-03-01', '2026-03-31', 14)).toEqual(days('2026-03-01', '2026-03-31', 7));
});

test('the layout is one vehicle a file, under a keyed hash, and the same call costs no request', async () => {
  // Without a key yet.
  const folder = join(await newFolder(), 'new');
  const archive = await archiveIn(folder);
  const { calls, readWindow } = counting();
  const report = await archive.export({ ...request, readWindow });
  expect(report).toMatchObject({ windowsTotal: 14, windowsFetched: 14, windowsSkipped: 0 });
  expect(report.vehicles).toEqual([
    { brand: 'brand_a', vehicle: archive.pseudonymOf(vin(1)), outcome: 'complete', failures: [] },
  ]);
  expect(calls[0]).toMatchObject({ ...vehiclesOf(1)[0], startDate: '20260101', endDate: '20260108', zoneId: 'UTC' });
  const paths = Object.keys(await dataFiles(folder));
  expect(paths).toHaveLength(14);
  for (const path of paths) {
    expect(path).toMatch(
      /^brand=brand_a\/vehicle=[0-9a-f]{32}\/series=\w+\/month=2026-0[12]\/2026-0[12]-\d\d_2026-0[12]-\d\d\.parquet$/,
    );
  }
  expect(await everyByte(folder)).not.toContain(vin(1));
  expect(await archive.export({ ...request, readWindow })).toMatchObject({ windowsFetched: 0, windowsSkipped: 14 });
  expect(calls).toHaveLength(14);
  await archive.close();
  await using again = await openArchive({ folder });
  expect((await again.vehicles()).map(({ series, files, from, to }) => [series, files, from, to])).toEqual([
    ['driving', 7, '2026-01-01', '2026-02-24'],
    ['powertrain', 7, '2026-01-01', '2026-02-24'],
  ]);
  expect(await again.verify()).toMatchObject({ ok: true, files: 14, problems: [] });
});

test('recent windows are provisional and fetched again; their file is replaced whole and the old hash is kept', async () => {
  const folder = await newFolder();
  let hasArrived = false;
  const readWindow: ReadWindow = async (window) => {
    const trips = await syntheticWindow(window);
    return hasArrived || window.startDate !== '20260309' ? trips : trips.slice(0, 1);
  };
  const march = { ...request, series: ['driving'] as const, from: '2026-02-17', to: '2026-03-12', readWindow };
  const states = async (at: number) => {
    await using archive = await archiveIn(folder, { now: () => at });
    return (await archive.plan(march)).map(({ from, state }) => `${from.slice(5)} ${state}`);
  };
  expect(await exportInto(folder, { ...march, to: '2026-03-31' })).toMatchObject({
    windowsTotal: 4,
    windowsFetched: 4,
  });
  // What is over waits until it is settled.
  expect(await states(now)).toEqual(['02-17 settled', '02-25 settled', '03-01 waiting', '03-09 provisional']);
  const recent = ['02-17 settled', '02-25 settled', '03-01 provisional', '03-09 provisional'];
  hasArrived = true;
  const later = now + 30 * 86_400_000;
  const again = await exportInto(folder, march, { now: () => later });
  expect(again).toMatchObject({ windowsFetched: 2, windowsSkipped: 2 });
  expect(await states(later)).toEqual(recent.map((state) => state.replace('provisional', 'settled')));
  const lines = await manifestOf(folder);
  const first = lines.find(({ from }) => from === '2026-03-09');
  expect(lines.filter(({ replaced }) => replaced)).toMatchObject([{ from: '2026-03-09', replaced: first.sha256 }]);
  // What was fetched with a clock that is ahead is fetched again.
  expect(await states(now)).toEqual(recent);
  await using archive = await archiveIn(folder);
  expect(await archive.verify()).toMatchObject({ ok: true, files: 4 });
});

test('a manifest of many outdated lines is compacted by the next line, and nothing else changes', async () => {
  const folder = await newFolder();
  await exportInto(folder, request);
  const [path = ''] = (await manifestsIn(folder)).map((name) => join(folder, name));
  const lines = await readFile(path, 'utf8');
  await writeFile(path, lines.repeat(100));
  const march = { ...request, from: '2026-03-01', to: '2026-03-01' };
  {
    await using archive = await archiveIn(folder);
    await archive.export(march);
    const sorted = (text: string) => text.trim().split('\n').sort();
    const compacted = sorted(await readFile(path, 'utf8')).filter((line) => !line.includes('2026-03-01'));
    expect(compacted).toEqual(sorted(lines));
    expect(await archive.verify()).toMatchObject({ ok: true, files: 16, problems: [] });
  }
  // Only the last line may be cut, and no line leads out of the folder.
  for (const damaged of [`{"kind":"win\n${lines}`, lines.replace('"path":"', '"path":"../')]) {
    await writeFile(path, damaged);
    await using archive = await archiveIn(folder);
    const { vehicles } = await archive.export(request);
    expect(vehicles[0]?.outcome).toBe('failed');
    for (const { error } of vehicles[0]?.failures ?? []) expect(error).toMatchObject({ code: 'archive-damaged' });
    expect((await archive.verify()).problems.map(({ code }) => code)).toContain('damaged-manifest');
  }
});

/** What a service may send: trips of the contract, and anything else. */
const anything = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const plain = { noNullPrototype: true };
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 9 });
/** Few numbers that come back, and many that do not. */
const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1677721.4, -4.177),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const sentTrip = fc.record(
  {
    triggerStartTime: fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      anything,
    ),
    tripLength: fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), anything),
    odometer: fc.oneof(
      fc.record({ value: fc.array(nullable(numbers), { maxLength: 2_000, size: 'max' }) }, plain),
      anything,
    ),
    'odometer.value': anything,
    seatbelt: fc.record(
      { driver: fc.oneof(fc.array(nullable(fc.constantFrom('belted', 'ü', '', '\ud800'))), anything), more: anything },
      { requiredKeys: [], ...plain },
    ),
    more: anything,
  },
  { requiredKeys: [], ...plain },
);

/** VDS_MODEL_RUNS=1000 is the long form. */
const runs = Number(process.env['VDS_MODEL_RUNS'] ?? 15);

const unreadableStarts = ['2026-01-02', 'today', 5, null, { toString: {} }].map((start) => ({
  triggerStartTime: start,
}));

test.each(['parquet', 'parquet with snappy', 'ndjson'])(
  'whatever a service sends comes back from %s as it was sent',
  async (name) => {
    const folder = await newFolder();
    const format = name === 'ndjson' ? 'ndjson' : 'parquet';
    await (await archiveIn(folder, { format })).close();
    if (name.endsWith('snappy')) {
      const settings = await readFile(join(folder, 'archive.json'), 'utf8');
      await writeFile(join(folder, 'archive.json'), settings.replace('ZSTD', 'SNAPPY'));
    }
    await using archive = await archiveIn(folder, { format });
    const request = { series: ['driving'] as const, from: '2026-01-01', to: '2026-01-08' };
    // Members in the order of their names, which says nothing, and trips each once.
    const textsOf = (trips: readonly unknown[]) =>
      [...new Set(trips.map((trip) => inspect(trip, { depth: null, sorted: true, maxArrayLength: null })))].sort();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(sentTrip, anything), { minLength: 1, maxLength: 20 }), async (values) => {
        // In NDJSON, -0 is 0.
        const sent: unknown[] = format === 'ndjson' ? JSON.parse(JSON.stringify(values)) : values;
        run += 1;
        const vehicle = { brand: 'brand_a', vin: `run ${run}` };
        await archive.export({ ...request, vehicles: [vehicle], readWindow: async () => sent });
        expect(textsOf(await heldTrips(archive, vehicle.vin, 'driving'))).toEqual(textsOf(sent));
      }),
      { numRuns: runs, examples: [[[null, 'no trip', {}, ...unreadableStarts]]] },
    );
    expect(await archive.verify()).toMatchObject({ ok: true });
  },
);

test('the order in which a service sends trips does not change a file', async () => {
  const [folder, other] = [await newFolder(), await newFolder()];
  await exportInto(folder, request);
  const readWindow: ReadWindow = async (window) =>
    [...(await syntheticWindow(window))].reverse().flatMap((trip) => [trip, trip]);
  await exportInto(other, { ...request, readWindow });
  expect(await dataFiles(other)).toEqual(await dataFiles(folder));
});

test('a window that fails leaves the others, and consent that ended stops its vehicle alone', async () => {
  await using archive = await archiveIn(await newFolder());
  const vehicles = vehiclesOf(1, 2, 3);
  const broken = new Error('no answer');
  const { calls, readWindow } = counting(async (window) => {
    if (window.vin === vin(2)) throw Object.assign(new Error('withdrawn'), { resolution: 'ask-consent' });
    if (window.vin === vin(3) && window.startDate === '20260117' && window.series === 'driving') throw broken;
    // A program that does not check what it receives.
    if (window.vin === vin(3) && window.startDate === '20260125' && window.series === 'driving') return {} as never;
    return syntheticWindow(window);
  });
  const report = await archive.export({ ...request, vehicles, readWindow, concurrency: 1 });
  expect(report.vehicles.map(({ outcome }) => outcome)).toEqual(['complete', 'withheld', 'failed']);
  expect(report.vehicles[2]?.failures).toEqual([
    { series: 'driving', from: '2026-01-17', to: '2026-01-24', error: broken },
    { series: 'driving', from: '2026-01-25', to: '2026-01-31', error: expect.any(TypeError) },
  ]);
  expect(calls.filter((call) => call.vin === vin(2))).toHaveLength(1);
  const again = await archive.export({ ...request, vehicles: vehicles.slice(2) });
  expect(again.windowsFetched).toBe(2);
});

test.for([1, 2, 16])('a vehicle whose windows fail does not stop the others, %i at a time', async (concurrency) => {
  await using archive = await archiveIn(await newFolder());
  const { calls, readWindow } = counting(async (window) => {
    if (window.vin === vin(1)) throw new Error('failed');
    return syntheticWindow(window);
  });
  const report = await archive.export({ ...request, vehicles: vehiclesOf(1, 2), readWindow, concurrency });
  expect(report.vehicles.map(({ outcome }) => outcome)).toEqual(['failed', 'complete']);
  expect(calls.filter((call) => call.vin === vin(1)).length).toBeLessThan(5 + concurrency);
});

test('an outage ends the export once a second vehicle failed, whatever the error is', async () => {
  await using archive = await archiveIn(await newFolder());
  const vehicles = vehiclesOf(1, 2, 3, 4, 5);
  const { calls, readWindow } = counting(async (window) => {
    if (window.vin === vin(1)) return syntheticWindow(window);
    throw Object.assign(new Error('failed'), { code: 'upstream-unreachable', status: 502, resolution: 'retry' });
  });
  const report = await archive.export({ ...request, vehicles, readWindow, concurrency: 1 });
  expect(report.vehicles.map(({ outcome }) => outcome)).toEqual(['complete', 'failed', 'failed', 'aborted', 'aborted']);
  expect(calls).toHaveLength(14 + 10);
});

test('an export ends by the signal, and asks for no more windows at a time than allowed', async () => {
  await using archive = await archiveIn(await newFolder());
  const controller = new AbortController();
  let [under, most] = [0, 0];
  const slow = counting(async (window) => {
    under += 1;
    most = Math.max(most, under);
    // A fourth would be asked for meanwhile.
    await vi.waitUntil(() => most >= 3);
    await new Promise((done) => setTimeout(done, 5));
    under -= 1;
    // With three under way, at most six of the eight windows have been asked for by now.
    if (slow.calls.length >= 4) controller.abort();
    return syntheticWindow(window);
  });
  const { signal } = controller;
  const report = await archive.export({ ...request, readWindow: slow.readWindow, concurrency: 3, signal });
  expect(most).toBe(3);
  expect(report.vehicles).toMatchObject([{ outcome: 'aborted' }]);
  expect(await archive.verify()).toMatchObject({ ok: true });
});

test.each([
  { story: 'a day that does not exist', more: { from: '2026-02-30' } },
  { story: 'an end before the start', more: { to: '2025-01-01' } },
  { story: 'a range in the future', more: { from: '2027-01-01', to: '2027-02-01' } },
  { story: 'an unknown series', more: { series: ['engine'] } },
  { story: 'a brand that is a path', more: { vehicles: [{ brand: '../x', vin: vin(1) }] } },
  { story: 'no window at a time', more: { concurrency: 0 } },
])('a mistake in a request is rejected before any call: $story', async ({ more }) => {
  await using archive = await archiveIn(await newFolder());
  const { calls, readWindow } = counting();
  const call = archive.export({ ...request, readWindow, ...(more as object) });
  await expect(call).rejects.toMatchObject({ name: 'ArchiveError', code: 'invalid-argument' });
  expect(calls).toEqual([]);
});

test('an archive is bound to its source, zone, format and key once it holds something, and to one process', async () => {
  const folder = await newFolder();
  const different = { source: 'http://other', zoneId: 'Europe/Berlin', format: 'csv' } as const;
  const failed = await archiveIn(folder, different);
  await failed.export({ ...request, readWindow: () => Promise.reject(new Error('failed')) });
  const { keyId } = failed.settings;
  await failed.close();
  // What a crash leaves is nothing that the archive holds.
  const month = join(folder, 'brand=brand_a/vehicle=ab/series=driving/month=2026-03');
  await mkdir(month, { recursive: true });
  await writeFile(join(month, '.20260301-20260307.csv.tmp'), 'half');
  const before = await everyByte(folder);
  const planned = await archiveIn(folder, { zoneId: 'UTC', readOnly: true });
  expect(planned.settings).toMatchObject({ zoneId: 'UTC', format: 'csv', shape: 'samples', keyId });
  expect(await everyByte(folder)).toBe(before);
  const archive = await archiveIn(folder, { zoneId: 'UTC', format: 'parquet' });
  expect(archive.settings).toEqual({ ...planned.settings, format: 'parquet', shape: 'trips' });
  await expect(archiveIn(folder)).rejects.toMatchObject({ code: 'archive-locked' });
  await archive.export({ ...request, readWindow: async () => [] });
  await archive.close();
  await expect(archiveIn(folder, different)).rejects.toMatchObject({
    code: 'settings-differ',
    differences: ['source', 'zoneId', 'format'],
  });
  await writeFile(join(folder, 'archive.key'), `${'ab'.repeat(32)}\n`);
  await expect(archiveIn(folder)).rejects.toMatchObject({ differences: ['keyId'] });
  if (process.platform !== 'win32') {
    await chmod(join(folder, 'archive.key'), 0o644);
    await expect(archiveIn(folder)).rejects.toMatchObject({ code: 'key-file-unsafe' });
  }
  await rm(join(folder, 'archive.key'));
  await expect(archiveIn(folder)).rejects.toMatchObject({ code: 'key-file-missing' });
  const empty = join(folder, 'empty');
  await mkdir(empty);
  for (const none of [join(folder, 'nothing'), empty])
    await expect(openArchive({ folder: none })).rejects.toMatchObject({ code: 'archive-missing' });
  expect(await readdir(empty)).toEqual([]);
});

test('a contract that changed stops an export until it is accepted, and nothing else', async () => {
  const folder = await newFolder();
  const settingsPath = join(folder, 'archive.json');
  const options = { ...request, vehicles: vehiclesOf(1, 2) };
  await exportInto(folder, options);
  const older = (await readFile(settingsPath, 'utf8')).replace(/("contract": ")\w+/, '$1older');
  await writeFile(settingsPath, older);
  {
    await using archive = await archiveIn(folder);
    expect(await archive.verify()).toMatchObject({ ok: true, files: 28 });
    expect(await archive.purge({ vin: vin(2) })).toMatchObject({ files: 14 });
    const differs = { code: 'settings-differ', differences: ['contract'] };
    await expect(archive.export(options)).rejects.toMatchObject(differs);
    await expect(archive.plan(options)).rejects.toMatchObject(differs);
    expect(await archive.plan({ ...options, acceptContract: true })).toHaveLength(28);
    const wrong = archive.export({ ...options, acceptContract: true, concurrency: 99 });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-argument' });
    expect(await readFile(settingsPath, 'utf8')).toBe(older);
    await archive.readmit({ vin: vin(2) });
    expect(await archive.export({ ...options, acceptContract: true })).toMatchObject({ windowsFetched: 14 });
    expect(archive.settings.contract).not.toBe('older');
  }
  expect((await exportInto(folder, options)).windowsFetched).toBe(0);
  // Windows of another length, as a contract with another limit of days has them, would hold the same trips twice.
  await writeFile(settingsPath, older);
  const [manifestPath = ''] = (await manifestsIn(folder)).map((name) => join(folder, name));
  const lines = await readFile(manifestPath, 'utf8');
  await writeFile(manifestPath, lines.replace('"to":"2026-01-08"', '"to":"2026-01-04"'));
  await using archive = await archiveIn(folder);
  await expect(archive.export({ ...options, acceptContract: true })).rejects.toMatchObject({
    differences: ['windows'],
  });
});

test('an archive opened to read changes nothing and needs no lock', async () => {
  const folder = await newFolder();
  await expect(archiveIn(folder, { readOnly: true })).rejects.toMatchObject({ code: 'archive-missing' });
  await using writing = await archiveIn(folder);
  await writing.export(request);
  // What an open to write would tidy up.
  const [manifest = ''] = await manifestsIn(folder);
  await appendFile(join(folder, manifest), '{"kind":"win');
  await rm(join(folder, 'views.duckdb.sql'));
  const before = await everyByte(folder);
  const reading = ['read', 'stat', 'list'];
  const files = new Proxy(disk, {
    get: (target, name) => (reading.includes(String(name)) ? Reflect.get(target, name) : readOnlyDisk),
  });
  await using archive = await openArchive({ folder, files, readOnly: true });
  expect(await archive.vehicles()).toHaveLength(2);
  expect(await archive.verify()).toMatchObject({ ok: true, files: 14 });
  await using same = await archiveIn(folder, { files, readOnly: true });
  expect(await same.plan(request)).toHaveLength(14);
  await expect(archiveIn(folder, { readOnly: true, format: 'csv' })).rejects.toMatchObject({ code: 'settings-differ' });
  await using other = await openArchive({ folder, readOnly: true });
  for (const change of [
    () => other.export(request),
    () => other.purge({ vin: vin(1) }),
    () => other.reconcile({ brand: 'brand_a', vins: [], confirmPurge: 1 }),
  ])
    await expect(change()).rejects.toMatchObject({ code: 'invalid-argument' });
  expect(await everyByte(folder)).toBe(before);
});

test('files that a crash left are removed; those of other programs stay', async () => {
  const folder = await newFolder();
  const month = join(folder, 'brand=brand_a/vehicle=5f0c/series=driving/month=2026-03');
  await mkdir(month, { recursive: true });
  const id = '0b6e7b1e-3f0f-4f6e-9d63-5d0a3f9f3b55';
  const own = ['.manifest.ndjson.tmp', `.archive.lock-${id}.tmp`, '.archive.key.tmp', '.views.duckdb.sql.tmp'];
  const others = ['.notes.tmp', '.archive.zip.tmp', 'brand=brand_a/.sync.tmp'];
  const path = join(month, '.2026-03-01_2026-03-08.parquet.tmp');
  for (const name of [...own, ...others]) await writeFile(join(folder, name), 'x');
  await writeFile(path, 'x');
  await using _ = await archiveIn(folder);
  const left = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.tmp'));
  expect(left.sort()).toEqual([...others].sort());
});

test('a lock of a process that ended is taken over by one; one of another machine or container is not', async () => {
  const folder = await newFolder();
  const path = join(folder, 'archive.lock');
  const made = await archiveIn(folder);
  const [space, pid] = (await readFile(path, 'utf8')).split('\n');
  await made.close();
  const lock = (host: unknown, pid: unknown) => writeFile(path, `${host}\n${pid}\n`);
  await lock(space, 2 ** 22 + 1);
  await expect(archiveIn(folder, { files: { ...disk, rename: readOnlyDisk } })).rejects.toMatchObject({
    code: 'EROFS',
  });
  const opened = await Promise.allSettled(Array.from({ length: 8 }, () => archiveIn(folder)));
  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const other of ['another-machine', `${space} another namespace`]) {
    await lock(other, pid);
    await expect(archiveIn(folder)).rejects.toMatchObject({ code: 'archive-locked' });
  }
  // Another process is writing it.
  await writeFile(path, '');
  const opening = archiveIn(folder);
  await lock('another-machine', pid);
  await expect(opening).rejects.toMatchObject({ code: 'archive-locked' });
  // It was, when it crashed.
  await writeFile(path, '');
  await (await archiveIn(folder)).close();
});
