import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeriesName } from '@vehicle-data/client/series';
import { onTestFinished } from 'vitest';
import { type Archive, type ArchiveOptions, createArchive, type ExportOptions } from '../src/index.js';
import { keyText, now } from './synthetic-source.ts';

/** A folder that is gone after the test, with the key of its archive. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'archive.key'), keyText, { mode: 0o600 });
  return folder;
}

/** An archive at the tests' time. */
export async function archiveIn(folder: string, options: Partial<ArchiveOptions> = {}) {
  return createArchive({ folder, source: 'http://127.0.0.1:8788', now: () => now, ...options });
}

/** Exports as a program does it: opened, exported, closed. */
export async function exportInto(folder: string, request: ExportOptions, options?: Partial<ArchiveOptions>) {
  await using archive = await archiveIn(folder, options);
  return await archive.export(request);
}

/** The trips of a vehicle that an archive holds. */
export async function heldTrips(archive: Archive, vin: string, series: SeriesName): Promise<unknown[]> {
  const trips: unknown[] = [];
  for await (const trip of archive.trips({ vin, series })) trips.push(trip);
  return trips;
}

/** The lines of the manifest in a folder. */
export async function manifestOf(folder: string) {
  const text = await readFile(join(folder, 'manifest.ndjson'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Fails as a disk does that is read-only. */
export const readOnlyDisk = () =>
  Promise.reject(Object.assign(new Error('read-only'), { code: 'EROFS', syscall: 'open' }));

/** Every path and byte of a folder as one text: to look for what must not be there. */
export async function everyByte(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path}\n${entry.isFile() ? await readFile(path, 'latin1') : ''}`;
  });
  return (await Promise.all(texts)).join('\n');
}
