// A window's way: fetched, encoded as an archive encodes it, put, and made part of the lake in one step of the ledger.
import {
  type FetchedWindow,
  type FileContext,
  fetchWindow,
  type ReadWindow,
  type WindowEntry,
  type WindowTask,
} from '@vehicle-data/archive/store';
import type { Database } from '../ledger/database.js';
import { type Claim, holds, settleWindow } from '../ledger/windows.js';

/** A window whose file is written. */
export interface StoredWindow {
  /** Whether no further trips of it are expected. */
  readonly settled: boolean;
  /** What the ledger keeps of it, where the lake has no manifests of its own; `isNew` where readers have to know. */
  readonly entry?: (WindowEntry & { readonly isNew: boolean }) | undefined;
}

/** What collecting a window needs. */
export interface Lake {
  readonly database: Database;
  readonly context: FileContext;
  readonly readWindow: ReadWindow;
  /** Writes the file of a window. */
  readonly write: (window: WindowTask, file: FetchedWindow) => Promise<StoredWindow>;
  /** Milliseconds until a window is fetched again that is not settled. */
  readonly everyMs: number;
}

/**
 * Collects a window of a claimed vehicle. Where the fetch or the store fails, the window stays due. Release the vehicle afterwards:
 * a purge waits for that.
 *
 * @returns `lost` where the lease ran out or the vehicle was withdrawn meanwhile: nothing became part of the lake.
 */
export async function collectWindow(
  { database, context, readWindow, write, everyMs }: Lake,
  claim: Claim,
  task: WindowTask,
  signal: AbortSignal,
): Promise<'stored' | 'lost'> {
  const file = await fetchWindow(context, task, readWindow, signal, Date.now);
  if (!(await holds(database, claim))) return 'lost';
  const { settled, entry } = await write(task, file);
  // A file that lost its claim is not removed here: another worker may have stored the same key since. Purge and sweep remove it.
  return (await settleWindow(database, claim, task, file, settled ? undefined : everyMs, entry)) ? 'stored' : 'lost';
}
