// How a vehicle is forgotten: from the first step on nothing of it is stored, and the last is taken when nobody can put a file any more.
import type { BlobStore } from '@vehicle-data/archive/store';
import type { Database } from './database.js';

/** How far a purge came. */
export type PurgeResult =
  | {
      readonly done: false /** Workers that may still put a file: call again when they ended or their leases ran out. */;
      readonly waitsFor: number;
    }
  | { readonly done: true; readonly generation: number; readonly windows: number; readonly bytes: number };

/** A vehicle by its pseudonym. */
export interface VehicleName {
  readonly brand: string;
  readonly vehicle: string;
}

/** Fences a vehicle off. Waits for those who are settling a window of it; those who come later store nothing. */
export async function beginPurge(database: Database, { brand, vehicle }: VehicleName): Promise<boolean> {
  const rows = await database.query(
    `update vds.vehicles set state = 'purging', generation = generation + 1
     where brand = $1 and vehicle = $2 and state = 'active' returning brand`,
    [brand, vehicle],
  );
  return rows.length === 1;
}

/** Windows of a vehicle that a worker has a lease of, and may put a file of. */
export async function busyWindows(database: Database, { brand, vehicle }: VehicleName): Promise<number> {
  const [busy] = await database.query<{ count: number }>(
    `select count(*)::int as count from vds.windows
     where brand = $1 and vehicle = $2 and lease is not null and lease_until > clock_timestamp()`,
    [brand, vehicle],
  );
  return busy?.count ?? 0;
}

/**
 * Removes what the lake holds of a fenced vehicle, then its rows and its VIN. After a crash, or where it waits for a worker, it is called again.
 *
 * @throws where the store fails; or where the vehicle was not fenced off: nothing was removed.
 */
export async function continuePurge(database: Database, blobs: BlobStore, name: VehicleName): Promise<PurgeResult> {
  const { brand, vehicle } = name;
  const key = [brand, vehicle];
  const [fenced] = await database.query(
    `select from vds.vehicles where brand = $1 and vehicle = $2 and state = 'purging'`,
    key,
  );
  if (!fenced) throw new Error('The vehicle is not being purged: begin with beginPurge.');
  // Read before the files go: a worker that ended by then put nothing that is not seen below.
  const busy = await busyWindows(database, name);
  const prefix = `brand=${brand}/vehicle=${vehicle}/`;
  await blobs.removeAll(prefix);
  if (busy > 0) return { done: false, waitsFor: busy };
  if ((await blobs.list(prefix)).blobs.length > 0) throw new Error('The store still lists files that it removed.');
  return database.transaction(async (open) => {
    const rows = await open.query<{ bytes: number | null }>(
      'delete from vds.windows where brand = $1 and vehicle = $2 returning bytes',
      key,
    );
    const [gone] = await open.query<{ generation: number }>(
      `update vds.vehicles set state = 'gone', vin = null
       where brand = $1 and vehicle = $2 and state = 'purging' returning generation`,
      key,
    );
    if (!gone) throw new Error('The vehicle was purged by another process meanwhile.');
    const bytes = rows.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
    return { done: true, generation: gone.generation, windows: rows.length, bytes };
  });
}
