import { join } from 'node:path';
import { ArchiveError } from './archive-error.js';
import { type FileLayer, replaceFile } from './file-layer.js';
import { windowPath } from './own-files.js';
import type { VehicleWindow } from './windows.js';

/** One window that was fetched. The file is a pure function of the trips; what depends on the clock stands here. */
export interface WindowEntry extends VehicleWindow {
  readonly kind: 'window';
  readonly series: string;
  /** Path from the folder of the archive, `null` where the window has no trips. */
  readonly path: string | null;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly rows: number;
  readonly trips: number;
  readonly fetchedAt: string;
  /** `false` while further trips of the window may arrive: it is fetched again. */
  readonly settled: boolean;
  /** Digest of the contract that the file was written with. */
  readonly contract: string;
  /** Hash of the file that this one replaced. */
  readonly replaced?: string | null;
}

/** What a purge removes. One that was begun is finished when the archive is opened. */
export interface Purge {
  readonly vehicle: string;
  /** The one brand that is purged. Default: every brand. */
  readonly brand?: string | undefined;
}

type PurgeEntry = Purge & { readonly kind: 'purge' };

type WindowKey = Pick<WindowEntry, 'brand' | 'vehicle' | 'series' | 'from'>;

/** A manifest with fewer lines is never compacted. */
const fewestLines = 1_000;

/** The list of what an archive holds: a line of JSON for each window, appended after its file is in place. */
export type Manifest = Awaited<ReturnType<typeof openManifest>>;

/**
 * @param readOnly leaves the file as it is
 * @throws ArchiveError `archive-damaged` where a line before the last cannot be read.
 */
export async function openManifest(files: FileLayer, folder: string, readOnly: boolean) {
  const path = join(folder, 'manifest.ndjson');
  const bytes = (await files.read(path)) ?? new Uint8Array();
  // A crash may leave the last line cut.
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length && !readOnly) await files.truncate(path, end);
  const windows = new Map<string, WindowEntry>();
  const purging = new Map<string, PurgeEntry>();
  const lines = Buffer.from(bytes.subarray(0, end)).toString('utf8').split('\n').slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const entry = readEntry(line);
    if (!entry) throw new ArchiveError('archive-damaged', `line ${index + 1} of manifest.ndjson cannot be read`);
    if (entry.kind === 'purge') purging.set(purgeKeyOf(entry), entry);
    else windows.set(keyOf(entry), entry);
  }

  // Resolves when the last line is appended.
  let appended: Promise<unknown> = Promise.resolve();
  let size = end;
  let isTorn = false;
  function append(entry: WindowEntry | PurgeEntry): Promise<void> {
    const line = `${JSON.stringify(entry)}\n`;
    const next = appended.then(async () => {
      // A full disk may take half of a line; nothing may be written behind that.
      if (isTorn) await files.truncate(path, size);
      isTorn = true;
      await files.append(path, line);
      isTorn = false;
      size += Buffer.byteLength(line);
    });
    appended = next.catch(() => undefined);
    return next;
  }
  /** The current entry of each window, in the order of their paths. */
  const entries = (): readonly WindowEntry[] =>
    [...windows.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  /** Leaves the current lines alone. */
  async function compact(): Promise<void> {
    const text = [...entries(), ...purging.values()].map((entry) => `${JSON.stringify(entry)}\n`).join('');
    await replaceFile(files, path, text);
    [size, isTorn] = [Buffer.byteLength(text), false];
  }
  // Each fetch of a provisional window adds a line: an hourly export would add thousands a month.
  const isLong = lines.length > fewestLines && lines.length > 2 * (windows.size + purging.size);
  if (isLong && !readOnly) await compact();
  return {
    entries,
    isEmpty: () => windows.size + purging.size === 0,
    find: (window: WindowKey) => windows.get(keyOf(window)),
    async add(entry: WindowEntry) {
      await append(entry);
      windows.set(keyOf(entry), entry);
    },
    unfinishedPurges: (): readonly Purge[] => [...purging.values()],
    async beginPurge({ vehicle, brand }: Purge) {
      const entry: PurgeEntry = { kind: 'purge', vehicle, ...(brand !== undefined && { brand }) };
      await append(entry);
      purging.set(purgeKeyOf(entry), entry);
    },
    /** Leaves no line about what was purged. */
    async finishPurge(purge: Purge) {
      const { vehicle, brand } = purge;
      for (const [key, entry] of windows)
        if (entry.vehicle === vehicle && entry.brand === (brand ?? entry.brand)) windows.delete(key);
      purging.delete(purgeKeyOf(purge));
      await compact();
    },
  };
}

function keyOf({ brand, vehicle, series, from }: WindowKey): string {
  return `${brand}/${vehicle}/${series}/${from}`;
}

function purgeKeyOf({ brand = '', vehicle }: Purge): string {
  return `${brand}/${vehicle}`;
}

/** Reads a line. What a path or a hash may look like is checked, since files are read and deleted by it. */
function readEntry(line: string): WindowEntry | PurgeEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const entry = value as Partial<Record<keyof WindowEntry, unknown>>;
  const isText = (name: keyof WindowEntry) => typeof entry[name] === 'string';
  const isCount = (name: keyof WindowEntry) => Number.isSafeInteger(entry[name]);
  if (!isText('vehicle')) return undefined;
  if (entry.kind === 'purge') return entry.brand === undefined || isText('brand') ? (value as PurgeEntry) : undefined;
  const isWindow =
    entry.kind === 'window' &&
    (['brand', 'series', 'from', 'to', 'fetchedAt', 'contract'] as const).every(isText) &&
    (['bytes', 'rows', 'trips'] as const).every(isCount) &&
    typeof entry.settled === 'boolean' &&
    (entry.path === null || (typeof entry.path === 'string' && windowPath.test(entry.path) && isText('sha256')));
  // Every member was checked above.
  return isWindow ? (value as WindowEntry) : undefined;
}
