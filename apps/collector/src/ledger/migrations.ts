// The tables of a ledger, forward only: a step that was released is never changed, a new one is added at the end.
import type { Database } from './database.js';

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
];

/**
 * Makes a ledger that of a lake.
 *
 * @throws where it is that of another one: its windows say nothing about this lake.
 */
export async function bindLedger(database: Database, keyId: string, source: string): Promise<void> {
  await database.query('insert into vds.lake (key_id, source) values ($1, $2) on conflict do nothing', [keyId, source]);
  const same = await database.query('select from vds.lake where key_id = $1 and source = $2', [keyId, source]);
  if (same.length === 0)
    throw new Error('The ledger belongs to another archive: use the ledger of this one, or an empty one.');
}

/** Brings a ledger to the version of this program. Processes that start together wait for each other. */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (open) => {
    // Any number, the same in every process.
    await open.query('select pg_advisory_xact_lock(7163540)');
    await open.query('create schema if not exists vds');
    await open.query('create table if not exists vds.version (step integer not null)');
    const [found] = await open.query<{ step: number }>('select step from vds.version');
    const step = found?.step ?? 0;
    if (step > steps.length) {
      throw new Error(`The database is at version ${step}, this program knows ${steps.length}: start a newer program.`);
    }
    for (const statement of steps.slice(step).flat()) await open.query(statement);
    if (found) await open.query('update vds.version set step = $1', [steps.length]);
    else await open.query('insert into vds.version values ($1)', [steps.length]);
  });
}
