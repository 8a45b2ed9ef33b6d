// Finishes what a fence began: files, manifest, rows and VIN of withdrawn vehicles go once no worker can put a file of them.
import { setTimeout as wait } from 'node:timers/promises';
import type { BlobStore, StateStore } from '@vehicle-data/archive/store';
import type { Database } from '../ledger/database.js';
import { busyWindows, continuePurge, type VehicleName } from '../ledger/withdrawal.js';

const pollMs = 250;

/** Where a collector keeps what it has. */
export interface Places {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly state: StateStore;
}

/** Purges every vehicle that is fenced off, also those that an earlier process left. Returns how many there were. */
export async function finishPurges({ database, blobs, state }: Places, signal: AbortSignal): Promise<number> {
  const fenced = await database.query<VehicleName>(`select brand, vehicle from vds.vehicles where state = 'purging'`);
  for (const name of fenced) {
    while ((await busyWindows(database, name)) > 0) await wait(pollMs, undefined, { signal });
    await state.beginPurge(name);
    const result = await continuePurge(database, blobs, name);
    if (!result.done) throw new Error('A worker took a window of a vehicle that is fenced off.');
    await state.finishPurge(name);
  }
  return fenced.length;
}
