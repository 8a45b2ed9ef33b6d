// Finishes what a fence began: files, manifest, rows and VIN of withdrawn vehicles go once no worker can put a file of them.
import { setTimeout as wait } from 'node:timers/promises';
import type { ReceiptSigner } from '@vehicle-data/archive/receipts';
import type { BlobStore } from '@vehicle-data/archive/store';
import type { LakeState } from '../lake/ledger-state.js';
import type { Database } from '../ledger/database.js';
import { noteHeld } from '../ledger/receipts.js';
import { claimPurge, continuePurge, countPurges, type PurgeResult, PurgeTakenOver } from '../ledger/withdrawal.js';
import type { Leases } from './leases.js';

const pollMs = 250;

/** Where a collector keeps what it has. */
export interface Places {
  readonly database: Database;
  readonly blobs: BlobStore;
  /** The state of the lake as it is now: another process may have changed what an earlier one has read. */
  readonly readState: () => LakeState;
  /** Signs the receipts of purges. */
  readonly signer: ReceiptSigner;
}

/**
 * Purges every vehicle that is fenced off, also those that an earlier process left, and waits for those that others purge: also where they
 * took one over from this process, whose lease ran out. Returns how many this process purged.
 */
export async function finishPurges(places: Places, leases: Leases, signal: AbortSignal): Promise<number> {
  const { database, blobs, readState, signer } = places;
  let purged = 0;
  while ((await countPurges(database)) > 0) {
    const claim = await claimPurge(database, leases.ms);
    if (!claim) {
      await wait(pollMs, undefined, { signal });
      continue;
    }
    const { brand, vehicle, erased: erase, lease } = claim;
    const isDone = await leases.hold(lease, async () => {
      const state = readState();
      // From here on a folder hides them.
      await noteHeld(database, blobs, claim);
      await state.beginPurge({ brand, vehicle, erase });
      // The tombstone of the lake comes before the ledger forgets.
      if (erase) await state.finishPurge({ brand, vehicle, erase });
      const isDone = await endOf(continuePurge(database, blobs, claim, signer));
      if (isDone) await state.finishPurge({ brand, vehicle, erase });
      return isDone;
    });
    if (isDone) purged += 1;
    else await wait(pollMs, undefined, { signal });
  }
  return purged;
}

/** Whether this process ended a purge; `false` where another one has it by now. */
async function endOf(purge: Promise<PurgeResult>): Promise<boolean> {
  try {
    return (await purge).done;
  } catch (error) {
    if (error instanceof PurgeTakenOver) return false;
    throw error;
  }
}
