import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { entriesOf, readFirstManifest, readManifest, readTrips, windowPath } from '../src/format/index.js';
import { archiveIn, exportInto, heldTrips, manifestsIn, newFolder } from './folders.ts';
import { syntheticWindow, vehiclesOf, vin } from './synthetic-source.ts';

const exported = { vehicles: vehiclesOf(1, 2), from: '2026-01-01', to: '2026-01-16', readWindow: syntheticWindow };
const decompressors = { ZSTD: (page: Uint8Array) => zstdDecompressSync(page) };

test.each(['parquet', 'ndjson'] as const)('manifests and files of %s are read from bytes alone', async (format) => {
  const folder = await newFolder();
  await exportInto(folder, exported, { format });
  await using archive = await archiveIn(folder);
  const found: unknown[] = [];
  for (const path of await manifestsIn(folder)) {
    const [, brand = '', vehicle = ''] = /brand=([^/]+)\/vehicle=([^/]+)/.exec(path) ?? [];
    const { windows, damaged } = readManifest({ brand, vehicle }, await readFile(join(folder, path), 'utf8'));
    expect(damaged).toEqual([]);
    if (vehicle !== archive.pseudonymOf(vin(1))) continue;
    for (const entry of entriesOf(windows)) {
      expect(windowPath.exec(entry.path ?? '')?.groups).toMatchObject({ vehicle, from: entry.from, to: entry.to });
      if (entry.series !== 'driving') continue;
      const content = new Uint8Array(await readFile(join(folder, entry.path ?? '')));
      found.push(...(await readTrips(content, { series: 'driving', format, decompressors })));
    }
  }
  expect(found).toEqual(await heldTrips(archive, vin(1), 'driving'));
  expect(found.length).toBeGreaterThan(10);
});

test('the manifest of an archive of version 1 says the same by vehicle', async () => {
  const folder = new URL('fixtures/version-1/', import.meta.url);
  const held = readFirstManifest(await readFile(new URL('manifest.ndjson', folder), 'utf8'));
  const paths = [...held.values()].flatMap((windows) => entriesOf(windows).map(({ path }) => path));
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet'));
  expect(paths.toSorted()).toEqual(files.toSorted());
});
