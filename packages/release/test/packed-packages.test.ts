import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hashOf, placesOf, readList, writeList } from '../src/packed-packages.ts';

test('only tarballs that are still what was packed are published', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tarball = join(folder, 'one-1.0.0.tgz');
  await writeFile(tarball, 'packed');
  const packages = [{ name: 'one', version: '1.0.0', file: 'one-1.0.0.tgz', sha256: await hashOf(tarball) }];
  await writeList(packages, folder);
  expect(await readList(folder)).toEqual(packages);
  await writeFile(tarball, 'another');
  await expect(readList(folder)).rejects.toThrow('one-1.0.0.tgz is not the tarball that was packed');
  await writeList([], folder);
  await expect(readList(folder)).rejects.toThrow('packages.json names no package');
});

test('a published manifest says where the package comes from, where it is described and where faults go', () => {
  const places = placesOf('https://git.invalid/owner/vehicle-data', 'packages/client');
  expect(places.repository).toEqual({
    type: 'git',
    url: 'git+https://git.invalid/owner/vehicle-data.git',
    directory: 'packages/client',
  });
  for (const address of [places.homepage, places.bugs.url])
    expect(new URL(address).pathname).toMatch(/^\/owner\/vehicle-data\//);
});
