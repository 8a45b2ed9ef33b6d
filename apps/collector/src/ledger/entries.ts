// What the ledger knows of the files of a lake in a bucket: the same as the manifests of a folder, which are written from it.
import { lineOf } from '@vehicle-data/archive/format';
import type { VehicleKey, WindowEntry, WindowKey } from '@vehicle-data/archive/store';
import type { Database, Queries } from './database.js';

/** Keeps what `settleWindow` does not: in the same transaction. */
export async function keepEntry(database: Queries, entry: WindowEntry): Promise<void> {
  const { brand, vehicle, series, from, rows, settled, contract, arrivals, changed, replaced, days } = entry;
  const extra = {
    ...(arrivals && { arrivals }),
    ...(changed && { changed }),
    ...(days && { days }),
    ...(replaced !== undefined && { replaced }),
  };
  await database.query(
    `update vds.windows set rows = $5, settled = $6, contract = $7, extra = $8::jsonb
     where brand = $1 and vehicle = $2 and series = $3 and from_day = $4`,
    [
      brand,
      vehicle,
      series,
      from,
      rows,
      settled,
      contract,
      Object.keys(extra).length > 0 ? JSON.stringify(extra) : null,
    ],
  );
}

/** Says that the manifest of a vehicle is older than its rows. */
export async function noteManifest(database: Queries, { brand, vehicle }: VehicleKey): Promise<void> {
  await database.query('update vds.vehicles set manifest_due = clock_timestamp() where brand = $1 and vehicle = $2', [
    ...[brand, vehicle],
  ]);
}

/** Since when the manifest of a vehicle is older than its rows, as the database writes it; `undefined` where it is not. */
export async function manifestDue(database: Queries, { brand, vehicle }: VehicleKey): Promise<string | undefined> {
  const [row] = await database.query<{ due: string }>(
    'select manifest_due::text as due from vds.vehicles where brand = $1 and vehicle = $2 and manifest_due is not null',
    [brand, vehicle],
  );
  return row?.due;
}

/** Says that a manifest was written, unless its rows have changed since. */
export async function noteManifestWritten(
  database: Queries,
  { brand, vehicle }: VehicleKey,
  due: string,
): Promise<void> {
  await database.query(
    `update vds.vehicles set manifest_due = null where brand = $1 and vehicle = $2 and manifest_due = $3::timestamptz`,
    [brand, vehicle, due],
  );
}

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const columns = `brand, vehicle, series, to_char(from_day, 'YYYY-MM-DD') as "from", to_char(to_day, 'YYYY-MM-DD') as "to",
  path, bytes, encode(sha256, 'hex') as sha256, rows, trips, ${iso('fetched_at')} as "fetchedAt", ${iso('first_seen_at')} as "firstSeenAt", settled, contract, extra`;

interface EntryRow extends Omit<WindowEntry, 'arrivals' | 'changed' | 'replaced' | 'days'> {
  readonly extra: Pick<WindowEntry, 'arrivals' | 'changed' | 'replaced' | 'days'> | null;
}
const entryOf = ({ extra, ...entry }: EntryRow): WindowEntry => ({ ...entry, ...extra });

/** The entry that has the first day of a window. */
export async function findEntry(
  database: Queries,
  { brand, vehicle, series, from }: WindowKey,
): Promise<WindowEntry | undefined> {
  const [row] = await database.query<EntryRow>(
    `select ${columns} from vds.windows where brand = $1 and vehicle = $2 and series = $3
       and from_day <= $4::date and to_day >= $4::date and contract is not null`,
    [brand, vehicle, series, from],
  );
  return row && entryOf(row);
}

/** Everything that the ledger knows of the files of a vehicle, in the order of series and days. */
export async function entriesOfVehicle(
  database: Queries,
  { brand, vehicle }: VehicleKey,
): Promise<readonly WindowEntry[]> {
  const rows = await database.query<EntryRow>(
    `select ${columns} from vds.windows where brand = $1 and vehicle = $2 and contract is not null order by series, from_day`,
    [brand, vehicle],
  );
  return rows.map(entryOf);
}

/** The manifest of a vehicle as its rows say it is. */
export async function manifestText(database: Queries, vehicle: VehicleKey): Promise<string> {
  return (await entriesOfVehicle(database, vehicle)).map(lineOf).join('');
}

/** Takes over what a manifest says of a vehicle that is new to the ledger: settled windows are not fetched again. */
export async function adoptEntries(database: Database, entries: readonly WindowEntry[]): Promise<void> {
  await database.transaction(async (open) => {
    for (const entry of entries) {
      const { brand, vehicle, series, from, to, path, bytes, sha256, trips, fetchedAt, firstSeenAt, settled } = entry;
      await open.query(
        `insert into vds.windows (brand, vehicle, series, from_day, to_day, path, bytes, sha256, trips, fetched_at, first_seen_at, due_at)
         values ($1, $2, $3, $4, $5, $6, $7, decode($8, 'hex'), $9, $10, $11, case when $12 then null else clock_timestamp() end)
         on conflict do nothing`,
        [brand, vehicle, series, from, to, path, bytes, sha256, trips, fetchedAt, firstSeenAt, settled],
      );
      await keepEntry(open, entry);
    }
  });
}
