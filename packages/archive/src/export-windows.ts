import type { ArchiveSettings } from './archive-settings.js';
import type { AccessLog } from './folder/access-log.js';
import type { FolderReceipts } from './folder/folder-receipts.js';
import type { FolderState } from './folder/folder-state.js';
import { hasHash } from './has-hash.js';
import type { BlobStore } from './store/blob-store.js';
import type { Lease, StateStore, VehicleKey, WindowEntry } from './store/state-store.js';
import type { WindowTask } from './store/write-window.js';
import { dayBefore, daysIn, daysOf, isSettled } from './windows.js';

/** An archive that is open: what its functions work on. */
export interface OpenArchive {
  readonly blobs: BlobStore;
  readonly state: StateStore;
  /** What makes this process the only one that changes the archive; `undefined` where it only reads. */
  readonly lease: Lease | undefined;
  /** Replaced where another contract is accepted. */
  settings: ArchiveSettings;
  readonly now: () => number;
  readonly pseudonymOf: (vin: string) => string;
  /** The entries of a vehicle that can be read, and the numbers of the lines that cannot. */
  readonly readable: FolderState['readable'];
  /** What is being purged of a vehicle. */
  readonly purged: FolderState['purged'];
  readonly receipts: FolderReceipts;
  readonly log: AccessLog;
  /** Replaces all entries of a vehicle. */
  readonly replace: FolderState['replace'];
  /** A file of each series that was found before: views need one. */
  readonly seen: Map<string, string>;
  /** Where the entries of a vehicle stand. */
  readonly manifestOf: (vehicle: VehicleKey) => string;
}

/**
 * Whether a window has to be fetched. A `waiting` one is over, its last day was fetched twice, and all of it is fetched a last time once it
 * is settled. A `settled` one is never fetched again.
 */
export type WindowState = 'missing' | 'provisional' | 'waiting' | 'settled';

/** A file is read once in so many days, to find what a disk did to it. */
const sampledEveryDays = 30;

/** Whether a file is among those that are read today. */
function isSampled({ sha256 }: WindowEntry, now: number): boolean {
  const day = Math.floor(now / 86_400_000);
  return sha256 !== null && Number.parseInt(sha256.slice(0, 8), 16) % sampledEveryDays === day % sampledEveryDays;
}

/**
 * What the archive has of a window. A file that is missing or cut makes the window missing, and so does one of the same size that is
 * found not to be what was written.
 */
export async function stateOf({ blobs, state, settings, now }: OpenArchive, task: WindowTask): Promise<WindowState> {
  const entry = await state.find(task);
  if (!entry) return 'missing';
  if (entry.path !== null && (await blobs.head(entry.path))?.bytes !== entry.bytes) return 'missing';
  const isRead = entry.path !== null && isSampled(entry, now());
  if (isRead && !hasHash((await blobs.get(entry.path)) ?? new Uint8Array(), entry.sha256)) return 'missing';
  // What was fetched in the future was fetched with a wrong clock: trips may have been missing.
  const fetchedAt = Date.parse(entry.fetchedAt);
  if (fetchedAt > now()) return 'provisional';
  if (entry.settled) return 'settled';
  if (entry.days) return hasDays(entry.days, task) ? 'settled' : 'provisional';
  const hasOverlap = dayBefore(daysIn(settings.zoneId).format(fetchedAt)) > entry.to;
  return hasOverlap && !isSettled(task, now()) ? 'waiting' : 'provisional';
}

/** Whether days are all that is asked for, and no further trips of them are expected. */
function hasDays(days: NonNullable<WindowEntry['days']>, { only }: WindowTask): boolean {
  return (
    only !== undefined && daysOf(only).every((day) => isSettled({ from: day, to: day }, Date.parse(days[day] ?? '')))
  );
}
