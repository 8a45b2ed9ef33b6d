// The manifest of a vehicle as text: one line a change, the later one wins. No module of Node.js is used here.
import { vehiclePrefix, windowPath } from './layout.js';
import type { VehicleKey, WindowEntry, WindowKey } from './window-entry.js';

/** The windows of one vehicle, by series and month. A month has few of them. */
export type VehicleWindows = Map<string, readonly WindowEntry[]>;

const monthOf = ({ series, from }: { readonly series: string; readonly from: string }) =>
  `${series}/${from.slice(0, 7)}`;

/** Puts an entry in place of those that share a day with it. Windows lie inside a month. */
export function placeEntry(windows: VehicleWindows, entry: WindowEntry): void {
  const key = monthOf(entry);
  const others = (windows.get(key) ?? []).filter(({ from, to }) => to < entry.from || from > entry.to);
  windows.set(key, [...others, entry]);
}

/** The entry that has the first day of a window. */
export function entryOf(windows: VehicleWindows, window: WindowKey): WindowEntry | undefined {
  return windows.get(monthOf(window))?.find(({ from, to }) => from <= window.from && to >= window.from);
}

/** All entries, by series and first day. */
export function entriesOf(windows: VehicleWindows): readonly WindowEntry[] {
  const order = ({ series, from }: WindowEntry) => `${series}/${from}`;
  return [...windows.values()].flat().sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

/** What the text of a manifest says. */
export interface ManifestText {
  readonly windows: VehicleWindows;
  readonly lines: number;
  /** Numbers of lines that cannot be read, from 1. */
  readonly damaged: readonly number[];
}

/** Reads the whole lines of a manifest. What follows the last line break is left out: a crash may leave a line cut. */
export function readManifest(vehicle: VehicleKey, text: string): ManifestText {
  const windows: VehicleWindows = new Map();
  const damaged: number[] = [];
  const lines = text.split('\n').slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const entry = readLine(vehicle, line);
    if (entry) placeEntry(windows, entry);
    else damaged.push(index + 1);
  }
  return { windows, lines: lines.length, damaged };
}

/** The line of an entry. The folder says which vehicle it is of. */
export function lineOf({ brand, vehicle, path, ...entry }: WindowEntry): string {
  const inFolder = path?.slice(vehiclePrefix({ brand, vehicle }).length) ?? null;
  return `${JSON.stringify({ ...entry, path: inFolder })}\n`;
}

/** Reads a line. What a path or a hash may look like is checked, since files are read and deleted by it. */
function readLine({ brand, vehicle }: VehicleKey, line: string): WindowEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const path =
    'path' in value && typeof value.path === 'string' ? vehiclePrefix({ brand, vehicle }) + value.path : null;
  const firstSeenAt = 'firstSeenAt' in value ? value.firstSeenAt : null;
  return checkedEntry({ ...value, firstSeenAt, brand, vehicle, path });
}

const isListOrNone = (value: unknown, isItem: (item: unknown) => boolean) =>
  value === undefined || (Array.isArray(value) && value.every(isItem));
const isTime = (value: unknown) => Number.isSafeInteger(value);

function isKnownDays(value: unknown, isDay: (day: unknown) => boolean): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(([day, at]) => isDay(day) && typeof at === 'string');
}

function isKnownArrivals(value: unknown): boolean {
  return isListOrNone(value, (item) => {
    if (typeof item !== 'object' || item === null || !('after' in item && 'at' in item && 'starts' in item))
      return false;
    const { after, at, starts } = item;
    return (
      (after === null || typeof after === 'string') && typeof at === 'string' && isListOrNone(starts ?? null, isTime)
    );
  });
}

/** An entry whose every member was checked; `undefined` where one is wrong. */
function checkedEntry(value: Readonly<Record<string, unknown>>): WindowEntry | undefined {
  const isText = (name: keyof WindowEntry) => typeof value[name] === 'string';
  const isCount = (name: keyof WindowEntry) => Number.isSafeInteger(value[name]);
  const { path, from, to, settled, firstSeenAt, sha256 } = value;
  const isDay = (day: unknown) => typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day);
  const isWindow =
    (['brand', 'vehicle', 'series', 'fetchedAt', 'contract'] as const).every(isText) &&
    (['bytes', 'rows', 'trips'] as const).every(isCount) &&
    [from, to].every(isDay) &&
    typeof settled === 'boolean' &&
    isKnownArrivals(value['arrivals']) &&
    isListOrNone(value['changed'], isTime) &&
    isKnownDays(value['days'], isDay) &&
    (firstSeenAt === null || typeof firstSeenAt === 'string') &&
    (path === null || (typeof path === 'string' && windowPath.test(path) && /^[0-9a-f]{64}$/.test(`${sha256}`)));
  // Every member was checked above.
  return isWindow ? (value as unknown as WindowEntry) : undefined;
}

/** A line of the manifest of version 1, which all vehicles shared. */
export type FirstVersionLine =
  | WindowEntry
  | { readonly kind: 'purge'; readonly vehicle: string; readonly brand?: string | undefined };

/** Reads a line of the manifest of version 1; `undefined` where it cannot be read. */
export function readFirstVersionLine(line: string): FirstVersionLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  const { kind, ...entry } = value;
  if (kind === 'window') return checkedEntry({ firstSeenAt: null, ...entry });
  const { vehicle, brand } = entry as Readonly<Record<string, unknown>>;
  const isPurge = kind === 'purge' && typeof vehicle === 'string' && (brand === undefined || typeof brand === 'string');
  return isPurge ? { kind: 'purge', vehicle, brand: brand as string | undefined } : undefined;
}

/** The windows of all vehicles in the manifest of version 1, `manifest.ndjson`, by `vehiclePrefix`. Lines that cannot be read are left out. */
export function readFirstManifest(text: string): ReadonlyMap<string, VehicleWindows> {
  const held = new Map<string, VehicleWindows>();
  for (const line of text.split('\n')) {
    const entry = readFirstVersionLine(line);
    if (!entry || 'kind' in entry) continue;
    const windows: VehicleWindows = held.get(vehiclePrefix(entry)) ?? new Map();
    placeEntry(windows, entry);
    held.set(vehiclePrefix(entry), windows);
  }
  return held;
}
