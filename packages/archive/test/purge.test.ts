import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveIn, everyByte, newFolder } from './folders.ts';
import { dataFiles, syntheticWindow, vin } from './synthetic-source.ts';

const request = {
  vehicles: [1, 2, 3].map((digit) => ({ brand: 'brand_a', vin: vin(digit) })),
  from: '2026-01-01',
  to: '2026-01-16',
  readWindow: syntheticWindow,
};

async function archiveOfThree() {
  const archive = await archiveIn(await newFolder());
  await archive.export(request);
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

test('vehicles that no longer share data are purged; most of them only when their number is confirmed', async () => {
  await using archive = await archiveOfThree();
  const { folder } = archive;
  const list = { brand: 'brand_a', vins: [vin(1), vin(3)] };
  expect(await archive.reconcile({ ...list, brand: 'brand_b', vins: [] })).toEqual({ vehicles: [], files: 0 });
  expect(await archive.reconcile(list)).toEqual({ vehicles: [archive.pseudonymOf(vin(2))], files: 4 });
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

test('verify finds what is missing, unknown or changed, and the next export mends what is missing', async () => {
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
  expect(await archive.export(request)).toMatchObject({ windowsFetched: 2 });
  expect(await archive.verify()).toMatchObject({ ok: true, problems: [] });
});
