// The embedded database in its folder. A new one begins with the files of this package: making them anew takes seconds.
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';

/** The files of an empty database, made by the build. */
const packaged = (ending: string) => new URL(`../embedded-ledger.${ending}`, import.meta.url);
/** What PGlite takes a database for: written last, so that one that a crash cut off is made again. */
const marker = 'PG_VERSION';

interface Index {
  readonly folders: readonly string[];
  /** Paths and sizes, in the order of the contents. */
  readonly files: readonly (readonly [path: string, bytes: number])[];
}

/**
 * Opens the database of a folder, which is made where there is none. Only its owner may enter it: VINs and keys are in it, in files that
 * PGlite lets everybody read.
 */
export async function openEmbedded(folder: string): Promise<PGlite> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeToOthers(folder);
  // Without a build, as when the program runs from its sources, PGlite makes them.
  if (!existsSync(join(folder, marker)) && existsSync(packaged('br'))) await unpack(folder);
  return PGlite.create(folder);
}

function closeToOthers(folder: string): void {
  if ((statSync(folder).mode & 0o077) === 0) return;
  try {
    chmodSync(folder, 0o700);
  } catch {
    // A volume of somebody else: they say who may enter it.
  }
}

async function unpack(folder: string): Promise<void> {
  const { folders, files }: Index = JSON.parse(await readFile(packaged('json'), 'utf8'));
  const contents = await promisify(brotliDecompress)(await readFile(packaged('br')));
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true });
  let at = 0;
  let last: Uint8Array | undefined;
  for (const [path, bytes] of files) {
    const content = contents.subarray(at, at + bytes);
    at += bytes;
    if (path === marker) last = content;
    else writeFileSync(join(folder, path), content, { mode: 0o600 });
  }
  if (at !== contents.byteLength || !last)
    throw new Error('the files of an embedded ledger in this package are damaged');
  writeFileSync(join(folder, marker), last, { mode: 0o600 });
}
