// What a worker left of a forgotten vehicle that slept past its lease, in the middle of a put.
import { vehiclePrefix } from '@vehicle-data/archive/format';
import type { BlobStore } from '@vehicle-data/archive/store';
import type { Database } from './database.js';
import type { VehicleName } from './windows.js';

/** Removes files of forgotten vehicles. A vehicle that comes back meanwhile waits for it. Returns how many files there were. */
export async function sweep(database: Database, blobs: BlobStore): Promise<number> {
  const gone = await database.query<VehicleName>(`select brand, vehicle from vds.vehicles where state = 'gone'`);
  let removed = 0;
  for (const { brand, vehicle } of gone) {
    removed += await database.transaction(async (open) => {
      const [still] = await open.query(
        `select from vds.vehicles where brand = $1 and vehicle = $2 and state = 'gone' for update`,
        [brand, vehicle],
      );
      return still ? blobs.removeAll(vehiclePrefix({ brand, vehicle })) : 0;
    });
  }
  return removed;
}
