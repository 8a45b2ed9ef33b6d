// Finishes what a fence began: files, manifest, rows and VIN of withdrawn vehicles go once no worker can put a file of them.
import { setTimeout as wait } from 'node:timers/promises';
import type { ReceiptSigner } from '@vehicle-data/archive/receipts';
import type { BlobStore } from '@vehicle-data/archive/store';
import type { LakeState } from '../lake/ledger-state.js';
import type { Database } from '../ledger/database.js';
import { noteHeld } from '../ledger/receipts.js';
import {
  claimPurge,
  continuePurge,
  countPurges,
  type PurgeClaim,
  PurgeTakenOver,
  requireClaim,
} from '../ledger/withdrawal.js';
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
 * Purges every vehicle that is fenced off and that nobody has, also those that an earlier process left. Returns how many this process purged.
 *
 * @param waitFor where it is given, purges that others have are waited for until it is aborted
 */
export async function finishPurges(places: Places, leases: Leases, waitFor?: AbortSignal): Promise<number> {
  const { database } = places;
  let purged = 0;
  while ((await countPurges(database)) > 0) {
    const claim = await claimPurge(database, leases.ms);
    if (claim) {
      if (await leases.hold(claim.lease, () => purgeOne(places, claim))) purged += 1;
    } else if (waitFor) await wait(pollMs, undefined, { signal: waitFor });
    else break;
  }
  return purged;
}

/** Whether this process ended a purge; `false` where another one has it by now, because the lease of this one ran out. */
async function purgeOne({ database, blobs, readState, signer }: Places, claim: PurgeClaim): Promise<boolean> {
  const { brand, vehicle, erased: erase } = claim;
  const state = readState();
  try {
    await noteHeld(database, blobs, claim);
    // Another one may have ended the purge while the store was asked, and the vehicle may be back.
    await requireClaim(database, claim);
    // From here on a folder hides them.
    await state.beginPurge({ brand, vehicle, erase });
    // The tombstone of the lake comes before the ledger forgets.
    if (erase) await state.finishPurge({ brand, vehicle, erase });
    const { done } = await continuePurge(database, blobs, claim, signer);
    if (done) await state.finishPurge({ brand, vehicle, erase });
    return done;
  } catch (error) {
    if (error instanceof PurgeTakenOver) return false;
    throw error;
  }
}
