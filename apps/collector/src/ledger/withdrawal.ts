// How a vehicle is forgotten: from the first step on nothing of it is stored, and the last is taken when nobody can put a file any more.
import { randomUUID } from 'node:crypto';
import { vehiclePrefix } from '@vehicle-data/archive/format';
import type { ReceiptSigner } from '@vehicle-data/archive/receipts';
import type { BlobStore } from '@vehicle-data/archive/store';
import type { Database, Queries } from './database.js';
import { issueReceipt, noteHeld, type PurgeReason } from './receipts.js';
import type { VehicleName } from './windows.js';

/** Another process has a purge: this one slept past its lease. */
export class PurgeTakenOver extends Error {
  override readonly name = 'PurgeTakenOver';
}

/** A file came in between the removal and the look that finds nothing left. The purge is tried again. */
export class PurgeNotEmpty extends Error {
  override readonly name = 'PurgeNotEmpty';
}

/** How far a purge came. */
export type PurgeResult =
  | {
      readonly done: false /** Workers that may still put a file: call again when they ended or their leases ran out. */;
      readonly waitsFor: number;
    }
  | { readonly done: true; readonly generation: number; readonly windows: number; readonly bytes: number };

/**
 * Fences a vehicle off. Waits for those who are settling a window of it; those who come later store nothing.
 *
 * @param erase it does not come back by itself when the service lists it again
 * @param reason what its receipt says. Default: a request where it is erased, else the list of the account.
 * @param reasonAt when that was, as the ledger has it. Default: now.
 */
export async function beginPurge(
  database: Queries,
  { brand, vehicle }: VehicleName,
  erase = false,
  reason: PurgeReason = erase ? 'request' : 'list',
  reasonAt: string | null = null,
): Promise<boolean> {
  const rows = await database.query(
    `update vds.vehicles set state = 'purging', generation = generation + 1, erased = erased or $3, withdrawn_at = clock_timestamp(),
       withdrawn_by = $4, signal = null, signal_at = coalesce($5::timestamptz, clock_timestamp()), held = null
     where brand = $1 and vehicle = $2 and state = 'active' returning brand`,
    [brand, vehicle, erase, reason, reasonAt],
  );
  return rows.length === 1;
}

/** A fenced vehicle, and the right to purge it. */
export interface PurgeClaim extends VehicleName {
  readonly lease: string;
  readonly erased: boolean;
}

/** Takes a fenced vehicle that no worker has any more, for `ms`; `undefined` where there is none. */
export async function claimPurge(database: Queries, ms: number): Promise<PurgeClaim | undefined> {
  const [row] = await database.query<PurgeClaim>(
    `with next as (
       select brand, vehicle from vds.vehicles
       where state = 'purging' and (lease is null or lease_until <= clock_timestamp())
       order by withdrawn_at limit 1 for update skip locked)
     update vds.vehicles v set lease = $1, lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond' from next n
     where v.brand = n.brand and v.vehicle = n.vehicle returning v.brand, v.vehicle, v.lease, v.erased`,
    [randomUUID(), ms],
  );
  return row;
}

/**
 * @param claim with the lease `null`, of one who purges without any
 * @throws PurgeTakenOver where nobody has begun, or a claim does not hold any more: another process has the purge, or has ended it.
 */
export async function requireClaim(
  database: Queries,
  { brand, vehicle, lease }: VehicleName & { readonly lease: string | null },
): Promise<void> {
  const held = `select from vds.vehicles where brand = $1 and vehicle = $2 and state = 'purging' and ($3::uuid is null or lease = $3)`;
  if ((await database.query(held, [brand, vehicle, lease])).length === 0)
    throw new PurgeTakenOver(
      'The vehicle is not being purged by this process: nobody has begun, or another process has taken the purge over or ended it.',
    );
}

/** Vehicles that are fenced off and not gone. */
export async function countPurges(database: Queries): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from vds.vehicles where state = 'purging'`,
  );
  return row?.count ?? 0;
}

/** Others that have a lease of a vehicle, and may put a file of it. */
async function busyWorkers(database: Queries, { brand, vehicle }: VehicleName, own: string | null): Promise<number> {
  const rows = await database.query(
    `select from vds.vehicles where brand = $1 and vehicle = $2 and lease is distinct from $3::uuid and lease_until > clock_timestamp()`,
    [brand, vehicle, own],
  );
  return rows.length;
}

/**
 * Removes what the lake holds of a fenced vehicle, then its rows and its VIN. After a crash, or where it waits for a worker, it is called again.
 *
 * @param signer issues a receipt in the last step
 * @throws PurgeTakenOver where the vehicle is not fenced off (nothing was removed), or another process had the last step (nothing was forgotten).
 * @throws PurgeNotEmpty where the store still lists files; what it throws where it fails.
 */
export async function continuePurge(
  database: Database,
  blobs: BlobStore,
  name: VehicleName & { readonly lease?: string },
  signer?: ReceiptSigner,
): Promise<PurgeResult> {
  const { brand, vehicle, lease = null } = name;
  const key = [brand, vehicle];
  await requireClaim(database, { ...name, lease });
  // Read before the files go: a worker that ended by then put nothing that is not seen below.
  const busy = await busyWorkers(database, name, lease);
  const prefix = vehiclePrefix(name);
  await noteHeld(database, blobs, name);
  // Another process may end the purge while this one removes, and the vehicle may be back with new files.
  await blobs.removeAll(prefix, () => requireClaim(database, { ...name, lease }));
  if (busy > 0) return { done: false, waitsFor: busy };
  if ((await blobs.list(prefix)).blobs.length > 0)
    throw new PurgeNotEmpty('the store still lists files of a withdrawn vehicle');
  return database.transaction(async (open) => {
    const rows = await open.query<{ bytes: number | null; path: string | null }>(
      'delete from vds.windows where brand = $1 and vehicle = $2 returning bytes, path',
      key,
    );
    if (signer) await issueReceipt(open, signer, name, rows.filter(({ path }) => path !== null).length);
    const [gone] = await open.query<{ generation: number }>(
      `update vds.vehicles set state = 'gone', vin = null, lease = null, lease_until = null, held = null, manifest_due = null, merge_begun = null
       where brand = $1 and vehicle = $2 and state = 'purging'
         and (lease is not distinct from $3::uuid or lease_until <= clock_timestamp()) returning generation`,
      [...key, lease],
    );
    if (!gone) throw new PurgeTakenOver('Another process purges the vehicle.');
    const bytes = rows.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
    return { done: true, generation: gone.generation, windows: rows.length, bytes };
  });
}
