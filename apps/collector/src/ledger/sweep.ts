// What is left of a forgotten vehicle: by a worker that slept past its lease in the middle of a put, or by a purge whose last step a crash prevented.
import { vehiclePrefix } from '@vehicle-data/archive/format';
import type { BlobStore, StateStore } from '@vehicle-data/archive/store';
import type { Database } from './database.js';
import type { VehicleName } from './windows.js';

/**
 * Removes files of forgotten vehicles. A vehicle that comes back meanwhile waits for it. Returns how many files there were.
 *
 * @param state has what a crash left between the last step of a purge in the ledger and the one in the lake
 */
export async function sweep(
  database: Database,
  blobs: BlobStore,
  state: Pick<StateStore, 'unfinishedPurges' | 'finishPurge'>,
): Promise<number> {
  const unfinished = new Set((await state.unfinishedPurges()).map(({ brand, vehicle }) => `${brand}/${vehicle}`));
  const gone = await database.query<VehicleName>(`select brand, vehicle from vds.vehicles where state = 'gone'`);
  let removed = 0;
  for (const { brand, vehicle } of gone) {
    removed += await database.transaction(async (open) => {
      const [still] = await open.query(
        `select from vds.vehicles where brand = $1 and vehicle = $2 and state = 'gone' for update`,
        [brand, vehicle],
      );
      if (!still) return 0;
      // A vehicle that comes back waits for the row: without this connection, for nothing any more.
      const stillWaits = async () => void (await open.query('select'));
      const files = await blobs.removeAll(vehiclePrefix({ brand, vehicle }), stillWaits);
      if (unfinished.has(`${brand}/${vehicle}`)) await state.finishPurge({ brand, vehicle });
      return files;
    });
  }
  return removed;
}
