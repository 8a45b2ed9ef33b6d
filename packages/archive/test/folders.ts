// Steps on the disk that wait for nothing take a fifth of the processor time of those that are promised.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeriesName } from '@vehicle-data/client/series';
import { onTestFinished } from 'vitest';
import { type Archive, type ArchiveOptions, createArchive, type ExportOptions } from '../src/index.js';
import { keyText, now } from './synthetic-source.ts';

/** A folder that is gone after the test, with the key of its archive. */
export async function newFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'archive.key'), keyText, { mode: 0o600 });
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

/** Paths of the manifests in a folder. */
export async function manifestsIn(folder: string): Promise<readonly string[]> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('_manifest.ndjson')).sort();
}

/** The lines of all manifests in a folder. The paths of files are those from the folder of the archive. */
export async function manifestOf(folder: string) {
  const lines = [];
  for (const path of await manifestsIn(folder)) {
    const [, brand, vehicle] = /brand=([^/]+)\/vehicle=([^/]+)/.exec(path) ?? [];
    for (const line of readFileSync(join(folder, path), 'utf8').trim().split('\n')) {
      const entry = JSON.parse(line);
      lines.push({ ...entry, brand, vehicle, path: entry.path && `brand=${brand}/vehicle=${vehicle}/${entry.path}` });
    }
  }
  return lines;
}

/** Fails as a disk does that is read-only. */
export const readOnlyDisk = () =>
  Promise.reject(Object.assign(new Error('read-only'), { code: 'EROFS', syscall: 'open' }));

/** Every path and byte of a folder as one text, but for receipts: to look for what must not be there. */
export async function everyByte(folder: string): Promise<string> {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  const entries = all.filter(({ parentPath }) => parentPath !== join(folder, 'receipts'));
  const texts = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path}\n${entry.isFile() ? readFileSync(path, 'latin1') : ''}`;
  });
  return texts.join('\n');
}
