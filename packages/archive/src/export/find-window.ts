import type { OpenArchive } from '../folder/open-archive.js';
import { hasHash } from '../has-hash.js';
import type { WindowEntry } from '../store/state-store.js';
import { holdsTripsAsSent } from '../window-file.js';
import { daysOf } from '../windows.js';
import { dayFetchedAt, daysToFetch, isSettledByDays } from './fetched-days.js';
import type { WindowTask } from './write-window.js';

/**
 * What of a window has to be fetched: all of it where it is `missing`, some of its days where it is `provisional`, and nothing now where
 * it is `waiting` for days to reach the age at which no further trips are expected. A `settled` one is never fetched again.
 */
export type WindowState = 'missing' | 'provisional' | 'waiting' | 'settled';

/** A window that an export looks at. */
export interface FoundWindow {
  readonly state: WindowState;
  /** The days that are fetched now. */
  readonly days: readonly string[];
}

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
export async function findWindow(archive: OpenArchive, task: WindowTask): Promise<FoundWindow> {
  const { blobs, state, settings, now } = archive;
  const window = task.only ?? task;
  const missing: FoundWindow = { state: 'missing', days: daysOf(window) };
  const entry = await state.find(task);
  if (!entry) return missing;
  if (entry.path !== null && (await blobs.head(entry.path))?.bytes !== entry.bytes) return missing;
  const isRead = entry.path !== null && isSampled(entry, now());
  if (isRead && !hasHash((await blobs.get(entry.path)) ?? new Uint8Array(), entry.sha256)) return missing;
  const days = daysToFetch(entry, {
    window,
    now: now(),
    zoneId: settings.zoneId,
    isByDay: holdsTripsAsSent(settings),
  });
  if (days.length > 0) return { state: 'provisional', days };
  const isSettled = entry.settled || isSettledByDays(window, (day) => dayFetchedAt(entry, day));
  return { state: isSettled ? 'settled' : 'waiting', days };
}
