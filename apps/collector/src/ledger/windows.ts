// Vehicles and their windows: who works on a vehicle, and the one step in which a file becomes part of the lake.
import { randomUUID } from 'node:crypto';
import type { FetchedWindow, WindowEntry, WindowTask } from '@vehicle-data/archive/store';
import type { Database, Queries } from './database.js';
import { keepEntry, noteManifest } from './entries.js';

/** A vehicle by its pseudonym. */
export interface VehicleName {
  readonly brand: string;
  readonly vehicle: string;
}

/** The right to collect windows of one vehicle, for as long as its lease lasts and it is not withdrawn. */
export interface Claim extends VehicleName {
  readonly vin: string;
  readonly account: string;
  readonly generation: number;
  readonly lease: string;
  /** Whether the last call for its account failed. */
  readonly isAfterFailure: boolean;
}

/** A window without its vehicle; both days are written yyyy-MM-dd. */
export interface PlannedWindow {
  readonly series: string;
  readonly from: string;
  readonly to: string;
}

type Key = Pick<WindowTask, 'brand' | 'vehicle' | 'series' | 'from'>;
const keyOf = ({ brand, vehicle, series, from }: Key) => [brand, vehicle, series, from];
const isKey = 'w.brand = $1 and w.vehicle = $2 and w.series = $3 and w.from_day = $4';
/** A window whose last day is not longer ago is fetched before any backfill. */
const freshDays = 8;

/**
 * Adds a vehicle to an account. One that was forgotten comes back under the generation after its last, unless it was erased.
 *
 * @param lease of the list that has it. One that came late adds nothing: the vehicle may be missing from a newer list.
 * @returns the days whose windows it has; `undefined` where it is not collected for this account
 */
export async function addVehicle(
  database: Queries,
  { brand, vehicle, vin }: Pick<WindowTask, 'brand' | 'vehicle' | 'vin'>,
  account: string,
  lease: string | null = null,
): Promise<{ readonly from: string | null; readonly to: string | null } | undefined> {
  await database.query(
    // Locked for the moment: the list goes to nobody else meanwhile.
    `insert into vds.vehicles as v (brand, vehicle, vin, account)
     select $1, $2, $3, a.name from vds.accounts a where a.name = $4 and ($5::uuid is null or a.list_lease = $5) for share
     on conflict (brand, vehicle) do update set vin = $3, account = $4, state = 'active', generation = v.generation + 1,
       planned_from = null, planned_to = null, denied_at = null, missing_since = null, withdrawn_at = null, withdrawn_by = null, held = null
     where v.state = 'gone' and not v.erased`,
    [brand, vehicle, vin, account, lease],
  );
  const [planned] = await database.query<{ from: string | null; to: string | null }>(
    `select to_char(planned_from, 'YYYY-MM-DD') as from, to_char(planned_to, 'YYYY-MM-DD') as to from vds.vehicles
     where brand = $1 and vehicle = $2 and account = $3 and state = 'active'`,
    [brand, vehicle, account],
  );
  return planned;
}

/** Adds windows that are due now. Those that are there already are left as they are; a withdrawn vehicle gets none. */
export async function addWindows(
  database: Database,
  { brand, vehicle }: VehicleName,
  windows: readonly PlannedWindow[],
  days: { readonly from: string; readonly to: string },
): Promise<void> {
  const turn = await nextTurn(database, { brand, vehicle });
  await database.transaction(async (open) => {
    // Locked, so that none is added while it is withdrawn.
    const [found] = await open.query(
      `update vds.vehicles set planned_from = least(planned_from, $3::date), planned_to = greatest(planned_to, $4::date)
       where brand = $1 and vehicle = $2 and state = 'active' returning brand`,
      [brand, vehicle, days.from, days.to],
    );
    if (!found) return;
    const columns = [windows.map((one) => one.series), windows.map((one) => one.from), windows.map((one) => one.to)];
    await open.query(
      `insert into vds.windows (brand, vehicle, series, from_day, to_day, due_at, fresh)
       select $1, $2, w.series, w.from_day, w.to_day, clock_timestamp(), w.to_day >= current_date - ${freshDays}
       from unnest($3::text[], $4::date[], $5::date[]) as w (series, from_day, to_day) on conflict do nothing`,
      [brand, vehicle, ...columns],
    );
    await queueVehicle(open, { brand, vehicle }, turn);
  });
}

const firstDue = (fresh: string) =>
  `(select min(w.due_at) from vds.windows w where w.brand = v.brand and w.vehicle = v.vehicle and w.due_at is not null and ${fresh})`;

/** The lowest turn of a vehicle that has windows due. Each half is an index that is read from its beginning, however many vehicles there are. */
const firstTurn = `least(${['fresh_at', 'backfill_at']
  .map(
    (due) =>
      `(select v.turn from vds.vehicles v where v.state = 'active' and v.${due} <= statement_timestamp() order by v.turn limit 1)`,
  )
  .join(', ')})`;

/**
 * The next turn of the account of a vehicle. Turns grow by one for each time a vehicle of the account is worked on and begin where the others
 * are, so that accounts take turns however many vehicles they have.
 *
 * A statement by itself, never in a transaction: all workers need the row of the account, and would wait for each other's transactions.
 */
async function nextTurn(database: Database, { brand, vehicle }: VehicleName): Promise<number> {
  const [row] = await database.query<{ turn: number }>(
    `update vds.accounts a set turn = 1 + greatest(a.turn, ${firstTurn})
     where a.name = (select account from vds.vehicles where brand = $1 and vehicle = $2) returning a.turn`,
    [brand, vehicle],
  );
  return row?.turn ?? 0;
}

/**
 * Queues a vehicle for the first of its windows that is due. The transaction has locked it, in a statement of its own: this one has to see
 * every window that was added until then.
 */
async function queueVehicle(database: Queries, { brand, vehicle }: VehicleName, turn: number): Promise<void> {
  await database.query(
    `update vds.vehicles v set fresh_at = ${firstDue('w.fresh')}, backfill_at = ${firstDue('not w.fresh')}, turn = $3
     where v.brand = $1 and v.vehicle = $2`,
    [brand, vehicle, turn],
  );
}

/**
 * Claims a vehicle that has windows due, for `ms`: fresh days before backfill, accounts in turn. `undefined` where there is none that
 * nobody has.
 */
export async function claimVehicle(database: Queries, ms: number, only?: VehicleName): Promise<Claim | undefined> {
  const lease = randomUUID();
  for (const due of ['fresh_at', 'backfill_at']) {
    // Whoever comes while a row is locked takes the next one. The time is that of the statement, which an index can be searched for.
    const [row] = await database.query<Omit<Claim, 'lease'>>(
      `with next as (
         select v.brand, v.vehicle, a.failures from vds.vehicles v join vds.accounts a on a.name = v.account
         where v.state = 'active' and v.${due} <= statement_timestamp() and (v.lease is null or v.lease_until <= clock_timestamp())
           and a.state = 'active' and a.parked_until <= clock_timestamp() and ($3::text is null or (v.brand = $3 and v.vehicle = $4))
         order by v.turn limit 1 for update of v skip locked)
       update vds.vehicles v set lease = $1, lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond' from next n
       where v.brand = n.brand and v.vehicle = n.vehicle
       returning v.brand, v.vehicle, v.vin, v.account, v.generation, n.failures > 0 as "isAfterFailure"`,
      [lease, ms, only?.brand ?? null, only?.vehicle ?? null],
    );
    if (row) return { ...row, lease };
  }
  return undefined;
}

/** Claims a vehicle whose manifest is behind; `undefined` where there is none that nobody has. */
export async function claimManifest(database: Queries, ms: number): Promise<Claim | undefined> {
  const lease = randomUUID();
  const [row] = await database.query<Omit<Claim, 'lease' | 'isAfterFailure'>>(
    `with next as (
       select brand, vehicle from vds.vehicles
       where manifest_due is not null and state = 'active' and (lease is null or lease_until <= clock_timestamp()) limit 1 for update skip locked)
     update vds.vehicles v set lease = $1, lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond' from next n
     where v.brand = n.brand and v.vehicle = n.vehicle returning v.brand, v.vehicle, v.vin, v.account, v.generation`,
    [lease, ms],
  );
  return row && { ...row, lease, isAfterFailure: false };
}

/** Claims a vehicle that nobody has, whether windows of it are due or not; `undefined` where somebody has it, or it is not collected. */
export async function claimIdle(database: Queries, name: VehicleName, ms: number): Promise<Claim | undefined> {
  const lease = randomUUID();
  const [row] = await database.query<Omit<Claim, 'lease' | 'isAfterFailure'>>(
    `update vds.vehicles v set lease = $3, lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
     where v.brand = $1 and v.vehicle = $2 and v.state = 'active' and (v.lease is null or v.lease_until <= clock_timestamp())
     returning v.brand, v.vehicle, v.vin, v.account, v.generation`,
    [name.brand, name.vehicle, lease, ms],
  );
  return row && { ...row, lease, isAfterFailure: false };
}

/** The due windows of a claimed vehicle, the newest days first. */
export async function dueWindows(database: Queries, claim: Claim, most: number): Promise<readonly WindowTask[]> {
  const { brand, vehicle, vin } = claim;
  const rows = await database.query<Pick<WindowTask, 'series' | 'from' | 'to'>>(
    `select series, to_char(from_day, 'YYYY-MM-DD') as from, to_char(to_day, 'YYYY-MM-DD') as to from vds.windows
     where brand = $1 and vehicle = $2 and due_at <= clock_timestamp() order by fresh desc, from_day desc, series limit $3`,
    [brand, vehicle, most],
  );
  return rows.map((row) => ({ brand, vehicle, vin, ...row }));
}

/** Makes a window that failed due only after some milliseconds. `code` says why. */
export async function deferWindow(database: Queries, window: Key, ms: number, code: string): Promise<void> {
  await database.query(
    `update vds.windows w set due_at = clock_timestamp() + $5::float8 * least(power(2, w.failures), 100) * interval '1 millisecond',
       failures = w.failures + 1, error = $6
     where ${isKey} and w.due_at <= clock_timestamp()`,
    [...keyOf(window), ms, code],
  );
}

/** What is true of the row of a vehicle as long as a claim holds. */
const isHeld = (lease: string, generation: string) =>
  `v.brand = $1 and v.vehicle = $2 and v.lease = ${lease} and v.lease_until > clock_timestamp() and v.state = 'active'
   and v.generation = ${generation}`;

/** Whether a claim still holds; with this a file may be put, and only then. */
export async function holds(database: Queries, claim: Claim): Promise<boolean> {
  const { brand, vehicle, lease, generation } = claim;
  const held = `select from vds.vehicles v where ${isHeld('$3', '$4')}`;
  return (await database.query(held, [brand, vehicle, lease, generation])).length === 1;
}

/** The same, and until the end of the transaction a withdrawal waits. */
export async function lockHeld(database: Queries, { brand, vehicle, lease, generation }: Claim): Promise<boolean> {
  const held = `select from vds.vehicles v where ${isHeld('$3', '$4')} for update`;
  return (await database.query(held, [brand, vehicle, lease, generation])).length === 1;
}

/** Whether the service has denied a vehicle since its account was listed last. */
export async function isDenied(database: Queries, { brand, vehicle }: VehicleName): Promise<boolean> {
  const denied = 'select from vds.vehicles where brand = $1 and vehicle = $2 and denied_at is not null';
  return (await database.query(denied, [brand, vehicle])).length === 1;
}

/** Remembers that the service denies a vehicle. */
export async function noteDenied(database: Queries, { brand, vehicle }: VehicleName): Promise<void> {
  await database.query('update vds.vehicles set denied_at = clock_timestamp() where brand = $1 and vehicle = $2', [
    ...[brand, vehicle],
  ]);
}

/** The heartbeat of a process: its claims last `ms` from now. One that ran out is not brought back. */
export async function renewClaims(database: Queries, leases: readonly string[], ms: number): Promise<void> {
  await database.query(
    `update vds.vehicles set lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond'
     where lease = any($1::uuid[]) and lease_until > clock_timestamp()`,
    [leases, ms],
  );
}

/** Ends the claims of a process that died. Only for a ledger in this process: it knows that nobody else works. */
export async function releaseAll(database: Queries): Promise<void> {
  await database.query('update vds.vehicles set lease = null, lease_until = null where lease is not null');
}

/** Ends a claim. What is still due waits for its turn. */
export async function releaseVehicle(database: Database, claim: Claim): Promise<void> {
  const turn = await nextTurn(database, claim);
  await database.transaction(async (open) => {
    const rows = await open.query(
      `update vds.vehicles v set lease = null, lease_until = null where v.brand = $1 and v.vehicle = $2 and v.lease = $3
       returning v.brand`,
      [claim.brand, claim.vehicle, claim.lease],
    );
    if (rows.length === 1) await queueVehicle(open, claim, turn);
  });
}

/**
 * The step in which a file becomes part of the lake.
 *
 * @param dueAgain milliseconds until the window is fetched again; `undefined` where it is settled
 * @param entry what the ledger keeps of a lake in a bucket
 * @returns `false` where the lease is lost or the vehicle withdrawn: nothing was stored.
 */
export async function settleWindow(
  database: Database,
  claim: Claim,
  window: Key,
  file: FetchedWindow,
  dueAgain: number | undefined,
  entry?: WindowEntry & { readonly isNew: boolean },
): Promise<boolean> {
  const at = new Date(file.fetchedAt).toISOString();
  const step = async (open: Queries): Promise<boolean> => {
    // The lock keeps a withdrawal waiting; one that was first leaves nothing to lock.
    const rows = await open.query(
      `with held as (select from vds.vehicles v where ${isHeld('$11', '$12')} for share)
       update vds.windows w set path = $5, bytes = $6, sha256 = decode($7, 'hex'), trips = $8, fetched_at = $9::timestamptz,
         first_seen_at = coalesce(w.first_seen_at, $9::timestamptz), failures = 0, error = null,
         due_at = clock_timestamp() + $10::float8 * interval '1 millisecond'
       where ${isKey} and exists (select from held) returning w.from_day`,
      [
        ...keyOf(window),
        ...[file.path, file.content?.byteLength ?? 0, file.sha256, file.trips, at, dueAgain ?? null],
        ...[claim.lease, claim.generation],
      ],
    );
    if (rows.length === 0) return false;
    if (entry) await keepEntry(open, entry);
    if (entry?.isNew) await noteManifest(open, window);
    return true;
  };
  // One statement is a transaction already.
  return entry ? database.transaction(step) : step(database);
}
