// Version 1 had one manifest for all vehicles. Its lines are dealt out to the vehicles; files stay as they are.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ArchiveError } from '../archive-error.js';
import { type FileLayer, makeFolders } from '../file-layer.js';
import { manifestName, vehiclePrefix } from '../format/layout.js';
import { type FirstVersionLine, lineOf, readFirstVersionLine } from '../format/manifest-lines.js';
import { stagedPath } from '../own-files.js';
import type { Purge, VehicleKey, WindowEntry } from '../store/state-store.js';

/** How many characters of lines are held before they are written. */
const mostHeld = 16_000_000;

/**
 * The lines of the manifest of version 1. A last line that a crash cut is left out.
 *
 * @param skipDamaged leaves out lines that cannot be read
 * @throws ArchiveError `archive-damaged`.
 */
export async function* firstVersionLines(folder: string, skipDamaged: boolean): AsyncGenerator<FirstVersionLine> {
  let number = 0;
  let damagedAt: number | undefined;
  const input = createReadStream(join(folder, 'manifest.ndjson'));
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    // Only the last line may be cut.
    if (damagedAt !== undefined)
      throw new ArchiveError(
        'archive-damaged',
        `line ${damagedAt} of manifest.ndjson cannot be read; repair the archive`,
      );
    number += 1;
    const read = readFirstVersionLine(line);
    if (read) yield read;
    else if (!skipDamaged) damagedAt = number;
  }
}

/**
 * Gives each vehicle its manifest. A crash leaves the archive as it was: the manifest of version 1 counts until `commit` has stored
 * the settings of version 2, and is removed after that.
 *
 * @param commit receives the purges that were begun
 */
export async function migrateFirstVersion(
  files: FileLayer,
  folder: string,
  skipDamaged: boolean,
  commit: (purges: readonly Purge[]) => Promise<void>,
): Promise<void> {
  const manifest = join(folder, 'manifest.ndjson');
  const purges = new Map<string, Purge>();
  const begun = new Map<string, VehicleKey>();
  let held = new Map<string, { readonly key: VehicleKey; lines: string }>();
  let size = 0;
  const staged = (key: VehicleKey) => stagedPath(folder, vehiclePrefix(key) + manifestName);
  async function flush(): Promise<void> {
    for (const { key, lines } of held.values()) {
      const prefix = vehiclePrefix(key);
      // What an earlier attempt left.
      if (!begun.has(prefix)) await files.remove(staged(key));
      begun.set(prefix, key);
      await files.append(staged(key), lines);
    }
    held = new Map();
    size = 0;
  }
  if (await files.stat(manifest)) {
    for await (const entry of firstVersionLines(folder, skipDamaged)) {
      const { brand, vehicle } = entry;
      if ('kind' in entry && entry.kind === 'purge') {
        purges.set(`${brand ?? ''}/${vehicle}`, { vehicle, brand });
        continue;
      }
      const window = entry as WindowEntry;
      const key = { brand: window.brand, vehicle };
      const mine = held.get(vehiclePrefix(key)) ?? { key, lines: '' };
      const line = lineOf(window);
      mine.lines += line;
      held.set(vehiclePrefix(key), mine);
      size += line.length;
      if (size > mostHeld) await flush();
    }
    await flush();
  }
  for (const [prefix, key] of begun) {
    await makeFolders(files, folder, prefix.slice(0, -1));
    await files.rename(staged(key), join(folder, prefix, manifestName));
    await files.syncFolder(join(folder, prefix));
  }
  await commit([...purges.values()]);
  await files.remove(manifest);
}
