// Settled months of a lake in a bucket that become one file each: which vehicles have some, and the step in which the ledger changes over.
import type { MergedMonth, VehicleKey, WindowEntry } from '@vehicle-data/archive/store';
import type { Database, Queries } from './database.js';
import { keepEntry, noteManifest } from './entries.js';
import { type Claim, lockHeld, type VehicleName } from './windows.js';

const isBegun = 'v.merge_begun is not null';
const hasMonths = `exists (select from vds.windows w where w.brand = v.brand and w.vehicle = v.vehicle and w.settled and w.path is not null
  group by w.series, date_trunc('month', w.from_day) having count(*) > 1)`;

/** Vehicles with several files of a settled month, or with a merge that a crash cut off. `begun`: the latter alone. */
export async function* mergeable(database: Queries, begun: boolean): AsyncGenerator<VehicleName, void, undefined> {
  let last: VehicleName = { brand: '', vehicle: '' };
  for (;;) {
    const page = await database.query<VehicleName>(
      `select v.brand, v.vehicle from vds.vehicles v
       where v.state = 'active' and (v.brand, v.vehicle) > ($1, $2) and ${begun ? isBegun : `(${isBegun} or ${hasMonths})`}
       order by v.brand, v.vehicle limit 100`,
      [last.brand, last.vehicle],
    );
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}

/** Says that files are about to be merged. Until the merge is finished, files of windows may be there beside that of their month. */
export async function noteMerge(database: Queries, { brand, vehicle, lease }: Claim): Promise<void> {
  await database.query(
    'update vds.vehicles set merge_begun = clock_timestamp() where brand = $1 and vehicle = $2 and lease = $3',
    [brand, vehicle, lease],
  );
}

/** Says that what merges left of a vehicle is gone. Only for the worker that has it. */
export async function noteMerged(database: Queries, { brand, vehicle, lease }: Claim): Promise<void> {
  await database.query('update vds.vehicles set merge_begun = null where brand = $1 and vehicle = $2 and lease = $3', [
    ...[brand, vehicle, lease],
  ]);
}

/**
 * Puts a month in the place of its windows. Its file must be stored.
 *
 * @returns `false` where the claim is lost, the vehicle withdrawn, or a window is fetched again: nothing was changed.
 */
export async function keepMonth(
  database: Database,
  claim: Claim,
  windows: readonly WindowEntry[],
  { path, sha256, ...entry }: MergedMonth['entry'],
): Promise<boolean> {
  const { brand, vehicle, series, from, to } = entry;
  return database.transaction(async (open) => {
    if (!(await lockHeld(open, claim))) return false;
    const own = `brand = $1 and vehicle = $2 and series = $3 and from_day >= $4::date and to_day <= $5::date`;
    const key = [brand, vehicle, series, from, to];
    const rows = await open.query<{ sha256: string | null }>(
      `select encode(sha256, 'hex') as sha256 from vds.windows where ${own} and settled and due_at is null order by from_day for update`,
      key,
    );
    const isSame = windows.every(({ sha256: known }, at) => rows[at]?.sha256 === known);
    if (rows.length !== windows.length || !isSame) return false;
    await open.query(`delete from vds.windows where ${own} and from_day > $4::date`, key);
    await open.query(
      `update vds.windows set to_day = $5, path = $6, sha256 = decode($7, 'hex'), bytes = $8, trips = $9, fetched_at = $10, first_seen_at = $11
       where brand = $1 and vehicle = $2 and series = $3 and from_day = $4`,
      [...key, path, sha256, entry.bytes, entry.trips, entry.fetchedAt, entry.firstSeenAt],
    );
    await keepEntry(open, { path, sha256, ...entry });
    await noteManifest(open, claim);
    return true;
  });
}

/** Puts windows in the place of a month whose file is missing or damaged: they are due, as when they were planned. */
export async function splitMonth(
  database: Queries,
  { brand, vehicle }: VehicleKey,
  { series, from, windows }: { series: string; from: string; windows: readonly { from: string; to: string }[] },
): Promise<void> {
  await database.query(
    'delete from vds.windows where brand = $1 and vehicle = $2 and series = $3 and from_day = $4::date',
    [brand, vehicle, series, from],
  );
  await database.query(
    `insert into vds.windows (brand, vehicle, series, from_day, to_day, due_at, fresh)
     select $1, $2, $3, w.from_day, w.to_day, clock_timestamp(), false from unnest($4::date[], $5::date[]) as w (from_day, to_day)
     on conflict do nothing`,
    [brand, vehicle, series, windows.map((one) => one.from), windows.map((one) => one.to)],
  );
}
