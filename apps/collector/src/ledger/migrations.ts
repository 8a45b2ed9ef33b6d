// The tables of a ledger, forward only: a step that was released is never changed, a new one is added at the end.
import type { Database, Queries } from './database.js';

const steps: readonly (readonly string[])[] = [
  [
    `create table vds.vehicles (
       brand text not null, vehicle text not null, account text not null, vin text,
       generation integer not null default 1,
       state text not null default 'active' check (state in ('active', 'purging', 'gone')),
       primary key (brand, vehicle))`,
    // The generation of a claim is that of the vehicle when the window was claimed.
    `create table vds.windows (
       brand text not null, vehicle text not null, series text not null, from_day date not null, to_day date not null,
       due_at timestamptz, lease uuid, lease_until timestamptz,
       path text, bytes integer, sha256 text, trips integer, first_seen_at timestamptz, fetched_at timestamptz,
       primary key (brand, vehicle, series, from_day),
       foreign key (brand, vehicle) references vds.vehicles)`,
    // The one lake that a ledger belongs to.
    `create table vds.lake (one boolean primary key default true check (one), key_id text not null, source text not null)`,
    `create index windows_due on vds.windows (due_at) where due_at is not null`,
    `create table vds.buckets (
       name text primary key, rate double precision not null check (rate > 0), burst double precision not null check (burst >= 1),
       tokens double precision not null, filled_at timestamptz not null, not_before timestamptz not null default '-infinity')`,
  ],
  [
    // The turn of an account is that of its vehicle that waits for longest behind the others.
    `create table vds.accounts (
       name text primary key, brand text not null, token_file text,
       state text not null default 'active' check (state in ('active', 'paused')),
       turn double precision not null default 0,
       list_at timestamptz not null default clock_timestamp(), list_lease uuid, listed_at timestamptz,
       parked_until timestamptz not null default '-infinity', parked_for text, failures integer not null default 0,
       confirm_purge integer)`,
    `insert into vds.accounts (name, brand) select account, min(brand) from vds.vehicles group by account`,
    // A worker has a vehicle, not a window: windows of one vehicle share a manifest.
    `alter table vds.windows drop column lease, drop column lease_until,
       add column fresh boolean not null default true, add column failures integer not null default 0, add column error text`,
    `alter table vds.vehicles add column lease uuid, add column lease_until timestamptz,
       add column fresh_at timestamptz default clock_timestamp(), add column backfill_at timestamptz,
       add column turn double precision not null default 0, add column planned_from date, add column planned_to date,
       add column erased boolean not null default false, add column denied_at timestamptz,
       add column missing_since timestamptz, add column withdrawn_at timestamptz`,
    `drop index vds.windows_due`,
    `create index windows_due on vds.windows (brand, vehicle, fresh, due_at) where due_at is not null`,
    `create index vehicles_fresh on vds.vehicles (turn) where state = 'active' and fresh_at is not null`,
    `create index vehicles_backfill on vds.vehicles (turn) where state = 'active' and backfill_at is not null`,
    `create index vehicles_account on vds.vehicles (account)`,
    `create table vds.breakers (name text primary key, failures integer not null, open_until timestamptz not null)`,
    // The process that has the lock of a lake in a folder, for those that work beside it.
    `create table vds.holder (one boolean primary key default true check (one), process uuid not null, until timestamptz not null)`,
  ],
  [
    // What a lake in a bucket knows of its windows; a folder keeps that in its manifests.
    `alter table vds.windows add column rows integer, add column settled boolean not null default false,
       add column contract text, add column extra jsonb`,
    // Why a vehicle is forgotten, what the lake had of it, and since when its manifest in a bucket is older than its rows.
    `alter table vds.vehicles add column withdrawn_by text, add column held jsonb,
       add column manifest_due timestamptz`,
    `create index vehicles_manifest on vds.vehicles (brand, vehicle) where manifest_due is not null`,
    `alter table vds.lake add column ledger uuid not null default gen_random_uuid()`,
    // Keys that were not given are made once. There is at most one of a name.
    `create table vds.keys (name text primary key, value text not null)`,
    `create table vds.receipts (
       record uuid primary key, brand text not null, vehicle text not null, issued_at timestamptz not null, receipt text not null)`,
    `create index receipts_time on vds.receipts (issued_at)`,
    // Public keys of receipts, also those that are not used any more.
    `create table vds.receipt_keys (key text primary key, pem text not null)`,
  ],
  // A hash is half as long as its letters.
  [`alter table vds.windows alter column sha256 type bytea using decode(sha256, 'hex')`],
  [
    // What somebody has said of a vehicle, or of all vehicles of an account, since the last list: why a purge begins, if the list agrees.
    `alter table vds.vehicles add column signal text, add column signal_at timestamptz`,
    `alter table vds.accounts add column signal text, add column signal_at timestamptz`,
  ],
  [
    // Windows are searched for by their vehicle alone. Without an index of what changes, and with room beside them, rows change in their page.
    `drop index vds.windows_due`,
    `alter table vds.windows set (fillfactor = 50)`,
    `alter table vds.vehicles set (fillfactor = 50)`,
    `alter table vds.accounts set (fillfactor = 20)`,
    `alter table vds.buckets set (fillfactor = 20)`,
    // Vehicles that are not due are passed over within the index.
    `drop index vds.vehicles_fresh`,
    `drop index vds.vehicles_backfill`,
    `create index vehicles_fresh on vds.vehicles (turn, fresh_at) where state = 'active' and fresh_at is not null`,
    `create index vehicles_backfill on vds.vehicles (turn, backfill_at) where state = 'active' and backfill_at is not null`,
    // Since when files of windows may be there beside that of their month.
    `alter table vds.vehicles add column merge_begun timestamptz`,
    `create index vehicles_merge on vds.vehicles (brand, vehicle) where merge_begun is not null`,
    // Where few of many are due, they are found by time and not by turn.
    `create index vehicles_fresh_due on vds.vehicles (fresh_at) where state = 'active' and fresh_at is not null`,
    `create index vehicles_backfill_due on vds.vehicles (backfill_at) where state = 'active' and backfill_at is not null`,
  ],
];

/**
 * Makes a ledger that of a lake.
 *
 * @returns the name of the ledger
 * @throws where it is that of another one: its windows say nothing about this lake.
 */
export async function bindLedger(database: Database, keyId: string, source: string): Promise<string> {
  await database.query('insert into vds.lake (key_id, source) values ($1, $2) on conflict do nothing', [keyId, source]);
  const [same] = await database.query<{ ledger: string }>(
    'select ledger from vds.lake where key_id = $1 and source = $2',
    [keyId, source],
  );
  if (!same) throw new Error('The ledger belongs to another archive: use the ledger of this one, or an empty one.');
  return same.ledger;
}

/**
 * Brings a ledger to the version of this program. Processes that start together wait for each other. A ledger of this version is only
 * read, so that a role without the right to change tables can do it.
 *
 * @param to version to stop at. Default: that of this program.
 * @returns the version before and after; 0 for a database without a ledger
 * @throws where the ledger is of a newer program.
 */
export async function migrate(
  database: Database,
  to = steps.length,
): Promise<{ readonly from: number; readonly to: number }> {
  const before = await versionOf(database);
  if (before === to) return { from: before, to };
  return database.transaction(async (open) => {
    // Any number, the same in every process.
    await open.query('select pg_advisory_xact_lock(7163540)');
    const from = await versionOf(open);
    if (from > to)
      throw new Error(`The database is at version ${from}, this program knows ${steps.length}: start a newer program.`);
    if (from === 0) {
      await open.query('create schema if not exists vds');
      await open.query('create table if not exists vds.version (step integer not null)');
      await open.query('insert into vds.version values (0)');
    }
    for (const statement of steps.slice(from, to).flat()) await open.query(statement);
    await open.query('update vds.version set step = $1', [to]);
    return { from, to };
  });
}

async function versionOf(database: Queries): Promise<number> {
  // Not by to_regclass, which may remember what was before the lock.
  const tables = await database.query(
    `select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'vds' and c.relname = 'version'`,
  );
  if (tables.length === 0) return 0;
  return (await database.query<{ step: number }>('select step from vds.version'))[0]?.step ?? 0;
}
