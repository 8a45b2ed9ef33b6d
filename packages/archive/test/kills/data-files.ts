import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Hashes of the data files by their path. Vehicles stand under keyed hashes, so compare folders with one key. */
export async function dataFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const data = names.filter(
    (name) => name.startsWith('brand=') && /\.(parquet|ndjson|csv)$/.test(name) && !name.includes('/.'),
  );
  const hashes = data.map(async (name) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex'),
  );
  return Object.fromEntries((await Promise.all(hashes)).map((hash, index) => [data[index] ?? '', hash]));
}
