// Vehicles that were erased, as hashes of their pseudonyms: enough to know one again, nothing to find one by.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type FileLayer, replaceFile, textOf } from '../file-layer.js';

/** The tombstones of a folder. */
export function folderTombstones(files: FileLayer, folder: string) {
  const path = join(folder, 'archive.erased');
  const lineOf = (vehicle: string) => createHash('sha256').update(`erased:${vehicle}`).digest('hex');
  let known: Promise<Set<string>> | undefined;
  const read = async () => {
    // A line that a crash cut is that of a purge which is not finished yet.
    known ??= textOf(files, path).then((text = '') => new Set(text.split('\n').filter((line) => line.length === 64)));
    return known;
  };
  const write = async (lines: ReadonlySet<string>) => {
    if (lines.size === 0) await files.remove(path);
    else await replaceFile(files, path, [...lines].map((line) => `${line}\n`).join(''));
    known = undefined;
  };
  return {
    has: async (vehicle: string) => (await read()).has(lineOf(vehicle)),
    async add(vehicles: readonly string[]) {
      const lines = await read();
      const all = new Set([...lines, ...vehicles.map(lineOf)]);
      if (all.size > lines.size) await write(new Set([...all].sort()));
    },
    async remove(vehicle: string) {
      const lines = new Set(await read());
      const isKnown = lines.delete(lineOf(vehicle));
      if (isKnown) await write(lines);
      return isKnown;
    },
  };
}
