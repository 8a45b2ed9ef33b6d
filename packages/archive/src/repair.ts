// Makes manifests from the files again, where they are cut, wrong or gone.
import { createHash } from 'node:crypto';
import { contractDigest } from './contract.js';
import type { OpenArchive } from './folder/open-archive.js';
import { windowPath } from './format/layout.js';
import { hasHash } from './has-hash.js';
import type { VehicleKey, WindowEntry } from './store/state-store.js';
import { filesOf } from './verify.js';
import { inspectFile } from './window-file.js';

/** What a repair did. */
export interface RepairReport {
  readonly vehicles: number;
  /** Windows whose entry and file agree. */
  readonly kept: number;
  /** Windows whose entry was made from their file. They are fetched again by the next export of their days. */
  readonly rebuilt: number;
  /** Windows whose file is missing or cannot be read. They are fetched again by the next export of their days. */
  readonly dropped: number;
  /** Lines of manifests that could not be read. */
  readonly damagedLines: number;
  /** Files that cannot be read. The next export replaces them. */
  readonly unreadable: readonly string[];
}

/** Compares every manifest with the files of its vehicle and makes it say what is there. No file is changed or removed. */
export async function repairManifests(archive: OpenArchive): Promise<RepairReport> {
  const total = { vehicles: 0, kept: 0, rebuilt: 0, dropped: 0, damagedLines: 0 };
  const unreadable: string[] = [];
  for await (const vehicle of archive.state.vehicles()) {
    const { entries, damaged } = await archive.state.readable(vehicle);
    const listed = new Map(entries.flatMap((entry) => (entry.path === null ? [] : [[entry.path, entry] as const])));
    const empty = entries.filter(({ path }) => path === null);
    const known: WindowEntry[] = [...empty];
    let isChanged = damaged.length > 0;
    for (const path of (await filesOf(archive, vehicle)).filter((one) => windowPath.test(one))) {
      const content = await archive.blobs.get(path);
      const entry = listed.get(path);
      listed.delete(path);
      if (!content) continue;
      if (entry && hasHash(content, entry.sha256)) {
        known.push(entry);
        total.kept += 1;
        continue;
      }
      isChanged = true;
      const made = await entryFrom(archive, vehicle, path, content, entry);
      if (made) {
        known.push(made);
        total.rebuilt += 1;
      } else {
        unreadable.push(path);
        total.dropped += 1;
      }
    }
    total.kept += empty.length;
    total.dropped += listed.size;
    total.vehicles += 1;
    total.damagedLines += damaged.length;
    if (isChanged || listed.size > 0) await archive.state.replace(vehicle, known);
  }
  return { ...total, unreadable };
}

/** The entry of a file, as far as the file says. When it was fetched is not known: it counts as provisional. */
async function entryFrom(
  { settings }: OpenArchive,
  { brand, vehicle }: VehicleKey,
  path: string,
  content: Uint8Array,
  earlier: WindowEntry | undefined,
): Promise<WindowEntry | undefined> {
  const { series = '', from = '', to = '' } = windowPath.exec(path)?.groups ?? {};
  try {
    const { rows, trips, contract } = await inspectFile(settings, content);
    return {
      brand,
      vehicle,
      series,
      from,
      to,
      path,
      bytes: content.byteLength,
      sha256: createHash('sha256').update(content).digest('hex'),
      rows,
      trips,
      fetchedAt: new Date(0).toISOString(),
      firstSeenAt: earlier?.firstSeenAt ?? null,
      settled: false,
      contract: typeof contract === 'string' ? contract : contractDigest,
    };
  } catch {
    return undefined;
  }
}
