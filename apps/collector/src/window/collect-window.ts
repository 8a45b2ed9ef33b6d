// A window's way: fetched, encoded as an archive encodes it, put, and made part of the lake in one step of the ledger.
import { type BlobStore, type FileContext, fetchWindow, type ReadWindow } from '@vehicle-data/archive/store';
import type { Database } from '../ledger/database.js';
import { type Claim, holds, releaseWindow, settleWindow } from '../ledger/windows.js';

/** What collecting a window needs. */
export interface Lake {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly context: FileContext;
  readonly readWindow: ReadWindow;
}

/**
 * Collects a claimed window. Where the fetch or the store fails, the window stays due.
 *
 * @param dueAgain milliseconds until it is fetched again; `undefined` where it is settled
 * @returns `lost` where the lease ran out or the vehicle was withdrawn meanwhile: nothing became part of the lake.
 */
export async function collectWindow(
  { database, blobs, context, readWindow }: Lake,
  claim: Claim,
  signal: AbortSignal,
  dueAgain?: number,
): Promise<'stored' | 'lost'> {
  try {
    const file = await fetchWindow(context, claim.task, readWindow, signal, Date.now);
    if (!(await holds(database, claim))) return 'lost';
    const { path, content, sha256 } = file;
    if (path && content && sha256) await blobs.put(path, content, { sha256 });
    // A file that lost its claim is not removed here: another worker may have stored the same key since. Purge and sweep remove it.
    return (await settleWindow(database, claim, file, dueAgain)) ? 'stored' : 'lost';
  } finally {
    // Only now may a purge of the vehicle end: this worker puts nothing any more.
    await releaseWindow(database, claim);
  }
}
