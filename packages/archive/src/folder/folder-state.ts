// The state of an archive in a folder: one manifest for each vehicle, beside its files, so that opening, exporting and purging one
// vehicle cost the same whatever else the archive holds.
import { join } from 'node:path';
import { ArchiveError } from '../archive-error.js';
import { type FileLayer, makeFolders, replaceFile, textOf } from '../file-layer.js';
import { manifestName, vehiclePrefix, windowPath } from '../format/layout.js';
import { entriesOf, entryOf, lineOf, placeEntry, readManifest, type VehicleWindows } from '../format/manifest-lines.js';
import { stagedPath } from '../own-files.js';
import type { Purge, StateStore, VehicleFilter, VehicleKey, WindowEntry } from '../store/state-store.js';
import { takeFolderLease, unlockFolder } from './folder-lease.js';
import { emptyFolder, hideVehicles, type PurgedFolder, purgedFolders, type VehicleToHide } from './purged-folders.js';
import { folderTombstones } from './tombstones.js';

/** How many vehicles are kept in memory. At most 16 windows are under way at a time. */
const mostLoaded = 64;
/** A manifest of fewer lines is never rewritten: that would cost more than it saves. */
const fewestLines = 200;

/** The manifest of a vehicle in memory. */
interface Loaded {
  readonly windows: VehicleWindows;
  /** Bytes of whole lines. */
  size: number;
  lines: number;
  /** Whether there may be half of a line behind them. */
  isTorn: boolean;
  isNew: boolean;
  damaged: readonly number[];
  /** Resolves when the last line is appended. */
  appended: Promise<unknown>;
}

/** What a folder offers beside the state: what repairing and verifying it needs. */
export interface FolderState extends StateStore {
  /** The entries of a vehicle that can be read, and the numbers of the lines that cannot. */
  readable(
    vehicle: VehicleKey,
  ): Promise<{ readonly entries: readonly WindowEntry[]; readonly damaged: readonly number[] }>;
  /** `beginPurge` for several vehicles: as quick as for one, where a disk takes long to force something to it. */
  beginPurges(purges: readonly Purge[]): Promise<void>;
  /** `finishPurge` for several vehicles. */
  finishPurges(purges: readonly Purge[]): Promise<void>;
  /** The folders of vehicles that are being purged. */
  unfinishedPurges(): Promise<readonly PurgedFolder[]>;
  /** What is being purged of a vehicle, of its hidden folders: its entries, and how large each file is that no entry names. */
  purged(vehicle: VehicleKey, hidden: readonly PurgedFolder[]): Promise<PurgedVehicle>;
  /** Replaces all entries of a vehicle. */
  replace(vehicle: VehicleKey, entries: readonly WindowEntry[]): Promise<void>;
}

/** A vehicle that is being purged. */
export interface PurgedVehicle {
  readonly entries: readonly WindowEntry[];
  /** Files of windows that no entry names. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Whether some lines of the manifest cannot be read. */
  readonly isDamaged: boolean;
}

/** The state of an archive in a folder. */
export function folderState(files: FileLayer, folder: string): FolderState {
  const loaded = new Map<string, Promise<Loaded>>();
  const tombstones = folderTombstones(files, folder);
  const pathOf = (vehicle: VehicleKey) => vehiclePrefix(vehicle) + manifestName;

  async function read(vehicle: VehicleKey): Promise<Loaded> {
    const bytes = await files.read(join(folder, pathOf(vehicle)));
    const size = (bytes?.lastIndexOf(0x0a) ?? -1) + 1;
    const text = Buffer.from(bytes?.subarray(0, size) ?? []).toString('utf8');
    const isTorn = bytes !== undefined && bytes.length > size;
    return { ...readManifest(vehicle, text), size, isTorn, isNew: bytes === undefined, appended: Promise.resolve() };
  }
  /** Reads a manifest once for all that is done with its vehicle; the vehicles that were not used for longest are let go. */
  async function load(vehicle: VehicleKey): Promise<Loaded> {
    const key = vehiclePrefix(vehicle);
    const reading = loaded.get(key) ?? read(vehicle);
    loaded.delete(key);
    loaded.set(key, reading);
    reading.catch(() => loaded.delete(key));
    for (const oldest of loaded.keys()) {
      if (loaded.size <= mostLoaded) break;
      loaded.delete(oldest);
    }
    return requireWhole(await reading);
  }
  async function append(vehicle: VehicleKey, manifest: Loaded, entry: WindowEntry): Promise<void> {
    const path = join(folder, pathOf(vehicle));
    const line = lineOf(entry);
    if (manifest.isNew) await makeFolders(files, folder, vehiclePrefix(vehicle).slice(0, -1));
    // A crash or a full disk may leave half of a line; nothing may be written behind that.
    if (manifest.isTorn) await files.truncate(path, manifest.size);
    manifest.isTorn = true;
    await files.append(path, line);
    if (manifest.isNew) await files.syncFolder(join(folder, vehiclePrefix(vehicle)));
    manifest.isTorn = false;
    manifest.isNew = false;
    manifest.size += Buffer.byteLength(line);
    manifest.lines += 1;
    placeEntry(manifest.windows, entry);
    // Each fetch of a provisional window adds a line: an hourly export would add thousands a month.
    const entries = entriesOf(manifest.windows);
    if (manifest.lines > fewestLines && manifest.lines > 2 * entries.length) await rewrite(vehicle, manifest, entries);
  }
  /** Leaves the current lines alone. */
  async function rewrite(vehicle: VehicleKey, manifest: Loaded, entries: readonly WindowEntry[]): Promise<void> {
    const text = entries.map(lineOf).join('');
    const key = pathOf(vehicle);
    await replaceFile(files, join(folder, key), text, undefined, stagedPath(folder, key));
    Object.assign(manifest, { size: Buffer.byteLength(text), lines: entries.length, isTorn: false });
  }
  async function* vehicles({ brand, vehicle }: VehicleFilter = {}): AsyncGenerator<VehicleKey, void, undefined> {
    for (const inBrand of await files.list(folder, 'folders', '', false)) {
      const [, name] = /^brand=([\w-]+)$/.exec(inBrand) ?? [];
      if (name === undefined || name !== (brand ?? name)) continue;
      if (vehicle !== undefined) {
        const isThere = isPseudonym(vehicle) && (await files.stat(join(folder, inBrand, `vehicle=${vehicle}`)));
        if (isThere) yield { brand: name, vehicle };
        continue;
      }
      for (const path of await files.list(folder, 'folders', `${inBrand}/`, false)) {
        const found = path.slice(inBrand.length + '/vehicle='.length);
        if (path.includes('/vehicle=') && isPseudonym(found)) yield { brand: name, vehicle: found };
      }
    }
  }
  async function beginPurges(purges: readonly Purge[]): Promise<void> {
    const found: VehicleToHide[] = [];
    for (const { vehicle, brand, erase = false, at = Date.now() } of purges)
      for await (const each of vehicles({ vehicle, brand })) {
        loaded.delete(vehiclePrefix(each));
        found.push({ ...each, erase, at });
      }
    await hideVehicles(files, folder, found);
  }
  async function finishPurges(purges: readonly Purge[]): Promise<void> {
    const hidden = await purgedFolders(files, folder);
    const hiddenOf = ({ vehicle, brand }: Purge) =>
      hidden.filter((one) => one.vehicle === vehicle && one.brand === (brand ?? one.brand));
    const isErased = (purge: Purge) => purge.erase === true || hiddenOf(purge).some(({ erase }) => erase);
    // Before the folders go: until then a crash is followed by the rest of the purges.
    await tombstones.add(purges.filter(isErased).map(({ vehicle }) => vehicle));
    for (const { name } of purges.flatMap(hiddenOf)) {
      await emptyFolder(files, join(folder, name));
      await files.removeFolder(join(folder, name));
    }
    await files.syncFolder(folder);
  }

  return {
    async settings() {
      const text = await textOf(files, join(folder, 'archive.json'));
      if (text === undefined) return undefined;
      try {
        const value: unknown = JSON.parse(text);
        if (typeof value === 'object' && value !== null) return { ...value };
      } catch (cause) {
        throw new ArchiveError('archive-damaged', 'archive.json cannot be read', { cause });
      }
      throw new ArchiveError('archive-damaged', 'archive.json cannot be read');
    },
    saveSettings: (settings) =>
      replaceFile(files, join(folder, 'archive.json'), `${JSON.stringify(settings, null, 2)}\n`),
    lease: (scope) => takeFolderLease(files, folder, scope),
    unlock: () => unlockFolder(files, folder),
    vehicles,
    async *windows(filter = {}) {
      const { series, open } = filter;
      for await (const vehicle of vehicles(filter)) {
        const known = loaded.get(vehiclePrefix(vehicle));
        const { windows } = requireWhole(await (known ?? read(vehicle)));
        for (const entry of entriesOf(windows))
          if (entry.series === (series ?? entry.series) && !(open === true && entry.settled)) yield entry;
      }
    },
    find: async (window) => entryOf((await load(window)).windows, window),
    async upsert(entry, lease) {
      const { brand, vehicle } = entry;
      const manifest = await load({ brand, vehicle });
      await lease.check();
      const next = manifest.appended.then(() => append({ brand, vehicle }, manifest, entry));
      manifest.appended = next.catch(() => undefined);
      await next;
    },
    beginPurge: (purge) => beginPurges([purge]),
    beginPurges,
    finishPurge: (purge) => finishPurges([purge]),
    finishPurges,
    unfinishedPurges: () => purgedFolders(files, folder),
    isErased: tombstones.has,
    readmit: tombstones.remove,
    async readable(vehicle) {
      const { windows, damaged } = await read(vehicle);
      return { entries: entriesOf(windows), damaged };
    },
    async purged(vehicle, hidden) {
      const prefix = vehiclePrefix(vehicle);
      const entries: WindowEntry[] = [];
      const found: { path: string; bytes: number }[] = [];
      let isDamaged = false;
      for (const { name, ...one } of hidden) {
        if (one.brand !== vehicle.brand || one.vehicle !== vehicle.vehicle) continue;
        const read = readManifest(vehicle, (await textOf(files, join(folder, name, manifestName))) ?? '');
        entries.push(...entriesOf(read.windows));
        isDamaged ||= read.damaged.length > 0;
        const listed = new Set(entries.map(({ path }) => path));
        for (const path of await files.list(join(folder, name))) {
          if (!windowPath.test(prefix + path) || listed.has(prefix + path)) continue;
          const size = (await files.stat(join(folder, name, path)))?.size;
          if (size !== undefined) found.push({ path: prefix + path, bytes: size });
        }
      }
      return { entries, files: found, isDamaged };
    },
    async replace(vehicle, entries) {
      loaded.delete(vehiclePrefix(vehicle));
      await makeFolders(files, folder, vehiclePrefix(vehicle).slice(0, -1));
      await rewrite(vehicle, await read(vehicle), entries);
    },
  };
}

function requireWhole(manifest: Loaded): Loaded {
  const [line] = manifest.damaged;
  if (line === undefined) return manifest;
  throw new ArchiveError(
    'archive-damaged',
    `line ${line} of the manifest of a vehicle cannot be read; repair the archive`,
  );
}

const isPseudonym = (name: string) => /^[0-9a-f]{32}$/.test(name);
