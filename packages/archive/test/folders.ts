import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ArchiveOptions, createArchive } from '../src/index.js';
import { now } from './synthetic-source.ts';

/** A folder that is gone after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An archive at the tests' time. */
export async function archiveIn(folder: string, options: Partial<ArchiveOptions> = {}) {
  return createArchive({ folder, source: 'http://127.0.0.1:8788', now: () => now, ...options });
}

export { dataFiles } from './kills/data-files.ts';

/** Every byte of a folder that is a file, as one text: to look for what must not be there. */
export async function everyByte(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path}\n${await readFile(path, 'latin1')}`;
  });
  return (await Promise.all(contents)).join('\n');
}
