// Windows of vehicles: who fetches one, and the one step in which a file becomes part of the lake.
import { randomUUID } from 'node:crypto';
import type { FetchedWindow, WindowTask } from '@vehicle-data/archive/store';
import type { Database, Queries } from './database.js';

/** The right to fetch one window, for as long as its lease lasts and its vehicle is not withdrawn. */
export interface Claim {
  readonly task: WindowTask;
  readonly generation: number;
  readonly lease: string;
}

type Key = Pick<WindowTask, 'brand' | 'vehicle' | 'series' | 'from'>;
const keyOf = ({ brand, vehicle, series, from }: Key) => [brand, vehicle, series, from];
const isKey = 'w.brand = $1 and w.vehicle = $2 and w.series = $3 and w.from_day = $4';

/** Adds a vehicle. One that was forgotten comes back under the generation after its last. */
export async function addVehicle(
  database: Queries,
  { brand, vehicle, vin }: Pick<WindowTask, 'brand' | 'vehicle' | 'vin'>,
  account: string,
): Promise<void> {
  await database.query(
    `insert into vds.vehicles as v (brand, vehicle, vin, account) values ($1, $2, $3, $4)
     on conflict (brand, vehicle) do update set vin = $3, account = $4, state = 'active', generation = v.generation + 1
     where v.state = 'gone'`,
    [brand, vehicle, vin, account],
  );
}

/** Adds a window that is due now. One that is there already is left as it is; a withdrawn vehicle gets none. */
export async function addWindow(database: Queries, window: Key & Pick<WindowTask, 'to'>): Promise<void> {
  // The row of the vehicle is locked, so that none is added while it is withdrawn.
  await database.query(
    `insert into vds.windows (brand, vehicle, series, from_day, to_day, due_at)
     select v.brand, v.vehicle, $3, $4::date, $5::date, clock_timestamp() from vds.vehicles v
     where v.brand = $1 and v.vehicle = $2 and v.state = 'active' for share
     on conflict do nothing`,
    [...keyOf(window), window.to],
  );
}

/** Claims a due window for `ms`; `undefined` where it is not due, another has it or its vehicle is withdrawn. */
export async function claimWindow(database: Database, window: Key, ms: number): Promise<Claim | undefined> {
  const lease = randomUUID();
  return database.transaction(async (open) => {
    const [vehicle] = await open.query<{ vin: string; generation: number }>(
      `select vin, generation from vds.vehicles where brand = $1 and vehicle = $2 and state = 'active' for share`,
      [window.brand, window.vehicle],
    );
    if (!vehicle) return undefined;
    const [row] = await open.query<{ to: string }>(
      `update vds.windows w set lease = $5, lease_until = clock_timestamp() + $6::float8 * interval '1 millisecond'
       where ${isKey} and w.due_at <= clock_timestamp() and (w.lease is null or w.lease_until <= clock_timestamp())
       returning to_char(w.to_day, 'YYYY-MM-DD') as to`,
      [...keyOf(window), lease, ms],
    );
    if (!row) return undefined;
    const { brand, vehicle: name, series, from } = window;
    const task = { brand, vehicle: name, series, from, to: row.to, vin: vehicle.vin };
    return { task, generation: vehicle.generation, lease };
  });
}

/** Claims the window that has been due for longest, for `ms`; `undefined` where none is due that nobody has. */
export async function claimNext(database: Queries, ms: number): Promise<Claim | undefined> {
  const lease = randomUUID();
  // Whoever comes while a row is locked takes the next one.
  const [row] = await database.query<WindowTask & { readonly generation: number }>(
    `with next as (
       select w.brand, w.vehicle, w.series, w.from_day, v.vin, v.generation
       from vds.windows w join vds.vehicles v on v.brand = w.brand and v.vehicle = w.vehicle
       where w.due_at <= clock_timestamp() and (w.lease is null or w.lease_until <= clock_timestamp()) and v.state = 'active'
       order by w.due_at limit 1 for update of w skip locked for share of v)
     update vds.windows w set lease = $1, lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond' from next n
     where w.brand = n.brand and w.vehicle = n.vehicle and w.series = n.series and w.from_day = n.from_day
     returning w.brand, w.vehicle, w.series, to_char(w.from_day, 'YYYY-MM-DD') as from, to_char(w.to_day, 'YYYY-MM-DD') as to,
       n.vin, n.generation`,
    [lease, ms],
  );
  if (!row) return undefined;
  const { generation, ...task } = row;
  return { task, generation, lease };
}

/** Makes a window due only after some milliseconds, where it is due already. */
export async function deferWindow(database: Queries, window: Key, ms: number): Promise<void> {
  await database.query(
    `update vds.windows w set due_at = clock_timestamp() + $5::float8 * interval '1 millisecond'
     where ${isKey} and w.due_at <= clock_timestamp()`,
    [...keyOf(window), ms],
  );
}

/** What a ledger holds. */
export interface LedgerCounts {
  readonly vehicles: number;
  readonly windows: number;
  /** Windows that were fetched at least once. */
  readonly collected: number;
  /** Windows that are due now. */
  readonly due: number;
  readonly trips: number;
  readonly bytes: number;
}

/** Counts what a ledger holds. */
export async function countLedger(database: Queries): Promise<LedgerCounts> {
  const [counts] = await database.query<LedgerCounts>(
    `select (select count(*)::int from vds.vehicles where state = 'active') as vehicles, count(*)::int as windows,
       count(fetched_at)::int as collected, count(*) filter (where due_at <= clock_timestamp())::int as due,
       coalesce(sum(trips), 0)::float8 as trips, coalesce(sum(bytes), 0)::float8 as bytes from vds.windows`,
  );
  if (!counts) throw new Error('The database gave no counts.');
  return counts;
}

/** Whether a claim still holds; with this a file may be put, and only then. */
export async function holds(database: Queries, { task, generation, lease }: Claim): Promise<boolean> {
  const rows = await database.query(
    `select from vds.windows w join vds.vehicles v on v.brand = w.brand and v.vehicle = w.vehicle
     where ${isKey} and w.lease = $5 and w.lease_until > clock_timestamp() and v.state = 'active' and v.generation = $6`,
    [...keyOf(task), lease, generation],
  );
  return rows.length === 1;
}

/** Ends the claims of a process that died. Only for the one process that has the lease of the lake: it knows that nobody else works. */
export async function releaseAll(database: Queries): Promise<void> {
  await database.query('update vds.windows set lease = null, lease_until = null where lease is not null');
}

/** Ends a claim without a result: the window stays due. */
export async function releaseWindow(database: Queries, { task, lease }: Claim): Promise<void> {
  await database.query(`update vds.windows w set lease = null, lease_until = null where ${isKey} and w.lease = $5`, [
    ...keyOf(task),
    lease,
  ]);
}

/**
 * The step in which a file becomes part of the lake.
 *
 * @param dueAgain milliseconds until the window is fetched again; `undefined` where it is settled
 * @returns `false` where the lease is lost or the vehicle withdrawn: nothing was stored.
 */
export async function settleWindow(
  database: Database,
  { task, generation, lease }: Claim,
  file: FetchedWindow,
  dueAgain: number | undefined,
): Promise<boolean> {
  return database.transaction(async (open) => {
    const [vehicle] = await open.query(
      `select from vds.vehicles where brand = $1 and vehicle = $2 and state = 'active' and generation = $3 for share`,
      [task.brand, task.vehicle, generation],
    );
    if (!vehicle) return false;
    const at = new Date(file.fetchedAt).toISOString();
    const rows = await open.query(
      `update vds.windows w set path = $6, bytes = $7, sha256 = $8, trips = $9, fetched_at = $10::timestamptz,
         first_seen_at = coalesce(w.first_seen_at, $10::timestamptz), lease = null, lease_until = null,
         due_at = clock_timestamp() + $11::float8 * interval '1 millisecond'
       where ${isKey} and w.lease = $5 and w.lease_until > clock_timestamp() returning w.brand`,
      [...keyOf(task), lease, file.path, file.content?.byteLength ?? 0, file.sha256, file.trips, at, dueAgain ?? null],
    );
    return rows.length === 1;
  });
}
