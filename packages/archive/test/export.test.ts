import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@vehicle-data/openapi';
import { expect, test } from 'vitest';
import { ArchiveError, openArchive, type ReadWindow, type WindowRequest } from '../src/index.js';
import { archiveIn, dataFiles, everyByte, newFolder } from './folders.ts';
import { now, syntheticWindow, vin } from './synthetic-source.ts';

const vehicle = { brand: 'brand_a', vin: vin(1) };
const series = ['driving', 'powertrain'] as const;
const request = { vehicles: [vehicle], series, from: '2026-01-05', to: '2026-02-20' };

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

test('the layout is one vehicle a file, under a keyed hash, and the same call costs no request', async () => {
  const folder = await newFolder();
  const archive = await archiveIn(folder);
  const { calls, readWindow } = counting();
  const report = await archive.export({ ...request, readWindow });
  expect(report).toMatchObject({ windowsTotal: 14, windowsFetched: 14, windowsSkipped: 0, invalidTrips: 0 });
  expect(report.vehicles).toEqual([
    { brand: 'brand_a', vehicle: archive.pseudonymOf(vin(1)), outcome: 'complete', failures: [] },
  ]);
  expect(calls[0]).toMatchObject({
    brand: 'brand_a',
    vin: vin(1),
    startDate: '20260101',
    endDate: '20260108',
    zoneId: 'UTC',
  });
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
  expect(again.vehicles().map(({ series, files, from, to }) => [series, files, from, to])).toEqual([
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
  const march = { vehicles: [vehicle], series: ['driving'] as const, from: '2026-02-17', to: '2026-03-31', readWindow };
  {
    await using archive = await archiveIn(folder);
    expect(await archive.export(march)).toMatchObject({ windowsTotal: 4, windowsFetched: 4 });
    expect((await archive.plan(march)).map(({ from, state }) => `${from} ${state}`)).toEqual([
      '2026-02-17 settled',
      '2026-02-25 settled',
      '2026-03-01 provisional',
      '2026-03-09 provisional',
    ]);
  }
  hasArrived = true;
  await using later = await archiveIn(folder, { now: () => now + 30 * 86_400_000 });
  expect(await later.export({ ...march, to: '2026-03-12' })).toMatchObject({ windowsFetched: 2, windowsSkipped: 2 });
  expect((await later.plan({ ...march, to: '2026-03-12' })).every(({ state }) => state === 'settled')).toBe(true);
  const lines = (await readFile(join(folder, 'manifest.ndjson'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const first = lines.find(({ from }) => from === '2026-03-09');
  expect(lines.filter(({ replaced }) => replaced)).toMatchObject([{ from: '2026-03-09', replaced: first.sha256 }]);
  expect(await later.verify()).toMatchObject({ ok: true, files: 4 });
});

test('a manifest of many outdated lines is compacted when it is opened, and nothing else changes', async () => {
  const folder = await newFolder();
  const path = join(folder, 'manifest.ndjson');
  {
    await using archive = await archiveIn(folder);
    await archive.export({ ...request, readWindow: syntheticWindow });
  }
  const lines = await readFile(path, 'utf8');
  await writeFile(path, lines.repeat(100));
  await using archive = await archiveIn(folder);
  const sorted = (text: string) => text.trim().split('\n').sort();
  expect(sorted(await readFile(path, 'utf8'))).toEqual(sorted(lines));
  expect(await archive.verify()).toMatchObject({ ok: true, files: 14, problems: [] });
});

test.each(['parquet', 'ndjson'] as const)('trips come back from %s as they were sent', async (format) => {
  await using archive = await archiveIn(await newFolder(), { format });
  const odd = [
    null,
    'no trip',
    [1],
    {},
    { triggerStartTime: '2026-01-02 10:00', tripLength: 1.5, odometer: {}, seatbelt: { driver: [1], more: ['x'] } },
    JSON.parse(
      '{"triggerStartTime":"2026-01-02T10:00:00.000Z","tripLength":null,"odometer":{"value":[1,"x"]},"__proto__":{"a":1}}',
    ),
  ];
  const all: unknown[] = [...odd];
  const readWindow: ReadWindow = async (window) => {
    all.push(...(await syntheticWindow(window)));
    return all;
  };
  const report = await archive.export({ ...request, to: '2026-01-06', series: ['driving'], readWindow });
  expect(report).toMatchObject({ trips: all.length, invalidTrips: 4 });
  const read: unknown[] = [];
  for await (const trip of archive.trips({ vin: vin(1), series: 'driving' })) read.push(trip);
  const texts = (trips: readonly unknown[]) => trips.map(canonical).sort();
  expect(texts(read)).toEqual(texts(all));
  expect(await archive.verify()).toMatchObject({ ok: true });
});

/** JSON with members in the order of their names: the order of members says nothing. */
function canonical(value: unknown): string {
  const inOrder = (_: string, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1))
      : member;
  return JSON.stringify(value, inOrder) ?? 'undefined';
}

test('the order in which a service sends trips does not change a file', async () => {
  const [one, other] = [await newFolder(), await newFolder()];
  await using first = await archiveIn(one);
  await first.export({ ...request, readWindow: syntheticWindow });
  await writeFile(join(other, 'archive.key'), await readFile(join(one, 'archive.key')), { mode: 0o600 });
  await using second = await archiveIn(other);
  await second.export({
    ...request,
    readWindow: async (window) => [...(await syntheticWindow(window))].reverse().flatMap((trip) => [trip, trip]),
  });
  expect(await dataFiles(other)).toEqual(await dataFiles(one));
});

test('a window that fails leaves the others, and consent that ended stops its vehicle alone', async () => {
  await using archive = await archiveIn(await newFolder());
  const vehicles = [1, 2, 3].map((digit) => ({ brand: 'brand_a', vin: vin(digit) }));
  const broken = new Error('no answer');
  const { calls, readWindow } = counting(async (window) => {
    if (window.vin === vin(2)) throw Object.assign(new Error('withdrawn'), { resolution: 'ask-consent' });
    if (window.vin === vin(3) && window.startDate === '20260117' && window.series === 'driving') throw broken;
    return syntheticWindow(window);
  });
  const report = await archive.export({ ...request, vehicles, readWindow, concurrency: 1 });
  expect(report.vehicles.map(({ outcome }) => outcome)).toEqual(['complete', 'withheld', 'failed']);
  expect(report.vehicles[2]?.failures).toEqual([
    { series: 'driving', from: '2026-01-17', to: '2026-01-24', error: broken },
  ]);
  expect(calls.filter((call) => call.vin === vin(2))).toHaveLength(1);
  expect(await archive.export({ ...request, vehicles: vehicles.slice(2), readWindow: syntheticWindow })).toMatchObject({
    windowsFetched: 1,
  });
});

test('an export ends after a number of failures, by the signal, and asks for no more windows at a time than allowed', async () => {
  await using archive = await archiveIn(await newFolder());
  const { calls, readWindow } = counting(async () => {
    throw new Error('down');
  });
  expect((await archive.export({ ...request, readWindow, maxFailures: 3, concurrency: 1 })).vehicles).toMatchObject([
    { outcome: 'failed' },
  ]);
  expect(calls).toHaveLength(3);

  const controller = new AbortController();
  let [under, most] = [0, 0];
  const slow = counting(async (window) => {
    under += 1;
    most = Math.max(most, under);
    await new Promise((done) => setTimeout(done, 5));
    under -= 1;
    // With three under way, at most six of the eight windows have been asked for by now.
    if (slow.calls.length >= 4) controller.abort();
    return syntheticWindow(window);
  });
  const report = await archive.export({
    ...request,
    readWindow: slow.readWindow,
    concurrency: 3,
    signal: controller.signal,
  });
  expect(most).toBe(3);
  expect(report.vehicles).toMatchObject([{ outcome: 'aborted' }]);
  expect(await archive.verify()).toMatchObject({ ok: true });
});

test.each([
  ['a day that does not exist', { from: '2026-02-30' }],
  ['an end before the start', { to: '2025-01-01' }],
  ['a range in the future', { from: '2027-01-01', to: '2027-02-01' }],
  ['an unknown series', { series: ['engine'] }],
  ['a brand that is a path', { vehicles: [{ brand: '../x', vin: vin(1) }] }],
  ['no window at a time', { concurrency: 0 }],
])('%s is rejected before any call', async (_, more) => {
  await using archive = await archiveIn(await newFolder());
  const { calls, readWindow } = counting();
  const call = archive.export({ ...request, readWindow, ...(more as object) });
  await expect(call).rejects.toMatchObject({ name: 'ArchiveError', code: 'invalid-argument' });
  expect(calls).toEqual([]);
});

test('an archive is bound to its source, zone, format and key, and to one process', async () => {
  const folder = await newFolder();
  const archive = await archiveIn(folder);
  await expect(archiveIn(folder)).rejects.toMatchObject({ code: 'archive-locked' });
  await archive.close();
  const different = { source: 'http://other', zoneId: 'Europe/Berlin', format: 'csv' } as const;
  await expect(archiveIn(folder, different)).rejects.toMatchObject({
    code: 'settings-differ',
    differences: ['source', 'zoneId', 'format'],
  });
  await writeFile(join(folder, 'other.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 });
  await expect(archiveIn(folder, { keyFile: join(folder, 'other.key') })).rejects.toMatchObject({
    differences: ['keyId'],
  });
  const settings = JSON.parse(await readFile(join(folder, 'archive.json'), 'utf8'));
  await writeFile(join(folder, 'archive.json'), JSON.stringify({ ...settings, contract: 'older' }));
  await expect(archiveIn(folder)).rejects.toMatchObject({ differences: ['contract'] });
  await (await archiveIn(folder, { acceptContract: true })).close();
  await (await archiveIn(folder)).close();
  if (process.platform !== 'win32') {
    await chmod(join(folder, 'archive.key'), 0o644);
    await expect(archiveIn(folder)).rejects.toMatchObject({ code: 'key-file-unsafe' });
  }
  await expect(openArchive({ folder: join(folder, 'nothing') })).rejects.toThrow(ArchiveError);
  await mkdir(join(folder, 'empty'));
  await expect(openArchive({ folder: join(folder, 'empty') })).rejects.toMatchObject({ code: 'archive-missing' });
  expect(await readdir(join(folder, 'empty'))).toEqual([]);
});

test('a lock of a process that ended is taken over; one of another machine is not', async () => {
  const folder = await newFolder();
  await (await archiveIn(folder)).close();
  const lock = (host: string, pid: number) => writeFile(join(folder, 'archive.lock'), JSON.stringify({ host, pid }));
  const { hostname } = await import('node:os');
  await lock(hostname(), 2 ** 22 + 1);
  await (await archiveIn(folder)).close();
  await lock('another-machine', 1);
  await expect(archiveIn(folder)).rejects.toMatchObject({ code: 'archive-locked' });
});
