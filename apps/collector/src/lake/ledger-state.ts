// What an archive knows beside its files, where these are in a bucket: the ledger has it. Manifests are written from it for readers.
import { createHash } from 'node:crypto';
import { entriesOf, manifestName, readManifest, vehiclePrefix } from '@vehicle-data/archive/format';
import type { BlobStore, StateStore } from '@vehicle-data/archive/store';
import type { Database, Queries } from '../ledger/database.js';
import { adoptEntries, findEntry, manifestDue, manifestText, noteManifestWritten } from '../ledger/entries.js';
import type { VehicleName } from '../ledger/windows.js';

/** What the collector asks of the state of a lake. */
export type LakeState = Pick<
  StateStore,
  'find' | 'upsert' | 'isErased' | 'beginPurge' | 'finishPurge' | 'unfinishedPurges'
> & {
  /** Takes over what the lake has of a vehicle that is new to the ledger, and finishes an earlier purge of one that is back. */
  adopt(vehicle: VehicleName): Promise<void>;
};

/** The state of a lake in a bucket. Entries are stored by `settleWindow`, purges and erased vehicles are rows of the ledger already. */
export function ledgerState(database: Database, blobs: BlobStore): LakeState {
  return {
    find: (window) => findEntry(database, window),
    upsert: async () => undefined,
    isErased: async (vehicle) =>
      (await database.query('select from vds.vehicles where vehicle = $1 and erased', [vehicle])).length > 0,
    beginPurge: async () => undefined,
    finishPurge: async () => undefined,
    unfinishedPurges: async () => [],
    async adopt(vehicle) {
      const bytes = await blobs.get(vehiclePrefix(vehicle) + manifestName);
      if (!bytes) return;
      const { windows } = readManifest(vehicle, Buffer.from(bytes).toString('utf8'));
      await adoptEntries(database, entriesOf(windows));
    },
  };
}

/** The state of a lake in a folder knows its manifests. */
export const folderLakeState = (state: StateStore): LakeState => ({
  ...state,
  async adopt({ brand, vehicle }) {
    // Where a crash left it, whoever opens the archive next would take the purge for one of the files that come now.
    const isLeft = (await state.unfinishedPurges()).some((one) => one.brand === brand && one.vehicle === vehicle);
    if (isLeft) await state.finishPurge({ brand, vehicle });
  },
});

/** Writes the manifest of a vehicle from its rows, if it is behind. Only for the worker that has the vehicle. */
export async function writeManifest(database: Queries, blobs: BlobStore, vehicle: VehicleName): Promise<void> {
  // Before the rows are read: what changes meanwhile leaves it due, and so does a crash.
  const due = await manifestDue(database, vehicle);
  if (due === undefined) return;
  const bytes = new TextEncoder().encode(await manifestText(database, vehicle));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await blobs.put(vehiclePrefix(vehicle) + manifestName, bytes, { sha256 });
  await noteManifestWritten(database, vehicle, due);
}
