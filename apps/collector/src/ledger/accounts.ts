// Accounts: owners at a brand. One that fails is parked, with the time of the next try; the others go on.
import { randomUUID } from 'node:crypto';
import type { Queries } from './database.js';

/** One owner at one brand. */
export interface Account {
  readonly name: string;
  readonly brand: string;
  /** The file of its access token; `null` where the deployment says where tokens come from. */
  readonly tokenFile: string | null;
}

/** An account and how it is. */
export interface AccountState extends Account {
  readonly state: 'active' | 'paused';
  readonly vehicles: number;
  readonly due: number;
  /** ISO 8601 in UTC; `null` where it is not parked. */
  readonly parkedUntil: string | null;
  /** Why: the code of an error. */
  readonly parkedFor: string | null;
  /** When its vehicles were listed last. */
  readonly listedAt: string | null;
}

/** Names are for people and may be printed; they are no place for a VIN or an address. */
export const accountName = /^[a-z0-9][a-z0-9_-]{0,62}$/;

const firstParkMs = 60_000;
const longestParkMs = 3_600_000;
/** An account whose list was neither brought in by then nor renewed is listed by another process. */
const listLeaseMs = 15_000;
/** How often whoever lists it says so, in milliseconds. */
export const renewListMs = 5_000;
/** After a list during which another was asked for, in milliseconds. */
const nextListMs = 1_000;

/** Adds an account; `false` where there is one of this name. */
export async function addAccount(database: Queries, { name, brand, tokenFile }: Account): Promise<boolean> {
  const rows = await database.query(
    'insert into vds.accounts (name, brand, token_file) values ($1, $2, $3) on conflict do nothing returning name',
    [name, brand, tokenFile],
  );
  return rows.length === 1;
}

/** Accounts by name, each with what is due. */
export async function listAccounts(database: Queries): Promise<readonly AccountState[]> {
  const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  return database.query<AccountState>(
    `select a.name, a.brand, a.token_file as "tokenFile", a.state, a.parked_for as "parkedFor",
       case when a.parked_until > clock_timestamp() then ${iso('a.parked_until')} end as "parkedUntil",
       ${iso('a.listed_at')} as "listedAt",
       (select count(*)::int from vds.vehicles v where v.account = a.name and v.state = 'active') as vehicles,
       (select count(*)::int from vds.vehicles v join vds.windows w on w.brand = v.brand and w.vehicle = v.vehicle
        where v.account = a.name and w.due_at <= clock_timestamp()) as due
     from vds.accounts a order by a.name`,
  );
}

/** Pauses an account, or lets it go on, and forgets why it was parked. `false` where there is none of this name. */
export async function setAccountState(database: Queries, name: string, state: AccountState['state']): Promise<boolean> {
  const rows = await database.query(
    `update vds.accounts set state = $2, parked_until = '-infinity', parked_for = null, failures = 0,
       list_at = case when $2 = 'active' then clock_timestamp() else list_at end where name = $1 returning name`,
    [name, state],
  );
  return rows.length === 1;
}

/** Lets the next list of an account purge so many vehicles, and has it come now. `false` where there is no such account. */
export async function confirmPurge(database: Queries, name: string, count: number): Promise<boolean> {
  const rows = await database.query(
    'update vds.accounts set confirm_purge = $2, list_at = clock_timestamp() where name = $1 returning name',
    [name, count],
  );
  return rows.length === 1;
}

/** Removes an account without vehicles. `false` where it has some that are not gone, or does not exist. */
export async function removeAccount(database: Queries, name: string): Promise<boolean> {
  const rows = await database.query(
    `delete from vds.accounts a where a.name = $1
       and not exists (select from vds.vehicles v where v.account = a.name and v.state <> 'gone') returning name`,
    [name],
  );
  return rows.length === 1;
}

/** What makes a collector look at a list before its time: the event of a withdrawal or of an error, or a callback of the service. */
export type Signal = 'withdrawal' | 'error' | 'callback';

/** The right to bring in the list of an account. */
export interface LookClaim extends Account {
  readonly lease: string;
  /** When another process may list it, as the ledger has it. Once it is another time, somebody asked for a list meanwhile. */
  readonly until: string;
  readonly confirmPurge: number | null;
  /** What was said of the whole account since its last list, and when, as the ledger has it; `null` for nothing. */
  readonly signal: Signal | null;
  readonly signalAt: string | null;
  /** When it was taken, before the list is fetched. */
  readonly claimedAt: string;
}

/** Takes the account whose list is most overdue; `undefined` where none is. */
export async function claimLook(database: Queries): Promise<LookClaim | undefined> {
  const lease = randomUUID();
  const [row] = await database.query<Omit<LookClaim, 'lease'>>(
    `with next as (
       select name from vds.accounts where state = 'active' and list_at <= clock_timestamp() and parked_until <= clock_timestamp()
       order by list_at limit 1 for update skip locked)
     update vds.accounts a set list_lease = $1, list_at = clock_timestamp() + ${listLeaseMs} * interval '1 millisecond'
     from next where a.name = next.name
     returning a.name, a.brand, a.token_file as "tokenFile", a.confirm_purge as "confirmPurge",
       a.list_at::text as until, a.signal, a.signal_at::text as "signalAt", clock_timestamp()::text as "claimedAt"`,
    [lease],
  );
  return row && { ...row, lease };
}

/** Keeps an account from others while its list is fetched. A list that was asked for meanwhile stays asked for. */
export async function renewLook(database: Queries, { name, lease }: LookClaim): Promise<boolean> {
  const rows = await database.query(
    `update vds.accounts set list_at = list_at + ${renewListMs} * interval '1 millisecond' where name = $1 and list_lease = $2 returning name`,
    [name, lease],
  );
  return rows.length === 1;
}

/** Whether a list may still be brought in; locks the account until the end of the transaction. */
export async function holdsLook(database: Queries, { name, lease }: LookClaim): Promise<boolean> {
  const rows = await database.query(
    `select from vds.accounts where name = $1 and list_lease = $2 and state = 'active' for update`,
    [name, lease],
  );
  return rows.length === 1;
}

/** Says in how many milliseconds an account is listed again. One that was asked for meanwhile comes at once. */
export async function finishLook(
  database: Queries,
  { name, lease, until, confirmPurge }: LookClaim,
  ms: number,
  done: boolean,
  renewals = 0,
): Promise<void> {
  await database.query(
    `update vds.accounts set list_lease = null,
       list_at = case when list_at = $5::timestamptz + $6::int * ${renewListMs} * interval '1 millisecond' then clock_timestamp() + $3::float8 * interval '1 millisecond'
         else least(list_at, clock_timestamp() + ${nextListMs} * interval '1 millisecond') end,
       listed_at = case when $4 then clock_timestamp() else listed_at end,
       confirm_purge = case when $4 and confirm_purge is not distinct from $7 then null else confirm_purge end
     where name = $1 and list_lease = $2`,
    // What was confirmed while the list was fetched is of the next one.
    [name, lease, ms, done, until, renewals, confirmPurge],
  );
}

/**
 * When an account is listed again that somebody asks for: in so many milliseconds, or after the list that is under way, which nobody takes
 * over for that. The other time makes it come again.
 */
export const askedListAt = (ms: string) =>
  `case when list_lease is not null then list_at - interval '1 millisecond'
     else least(list_at, clock_timestamp() + ${ms}::float8 * interval '1 millisecond') end`;

/** Has an account listed: now, or once more after the list that is under way. */
export async function askForLook(database: Queries, name: string): Promise<void> {
  await database.query(`update vds.accounts set list_at = ${askedListAt('0')} where name = $1`, [name]);
}

/** Has an account listed now, also where its list is under way: that one comes to nothing. With no name: every account. */
export async function lookNow(database: Queries, name?: string): Promise<void> {
  await database.query('update vds.accounts set list_at = clock_timestamp() where ($1::text is null or name = $1)', [
    name ?? null,
  ]);
}

/** Parks an account: for `ms`, or for a minute that doubles up to an hour while it goes on failing. Returns for how long. */
export async function parkAccount(database: Queries, name: string, code: string, ms?: number): Promise<number> {
  const [row] = await database.query<{ ms: number }>(
    `with pause as (select name, coalesce($3::float8, least(${longestParkMs}, ${firstParkMs} * power(2, least(failures, 10)))) as ms
       from vds.accounts where name = $1)
     update vds.accounts a set failures = a.failures + 1, parked_for = $2,
       parked_until = greatest(a.parked_until, clock_timestamp() + p.ms * interval '1 millisecond')
     from pause p where a.name = p.name returning p.ms::float8 as ms`,
    [name, code, ms ?? null],
  );
  return row?.ms ?? 0;
}

/** The account works. */
export async function noteAccountWorks(database: Queries, name: string): Promise<void> {
  await database.query('update vds.accounts set failures = 0, parked_for = null where name = $1 and failures > 0', [
    name,
  ]);
}

/** Milliseconds until the first account may go on that only waits for a `Retry-After`; `undefined` where none waits. */
export async function nextAfterLimit(database: Queries): Promise<number | undefined> {
  const [row] = await database.query<{ ms: number | null }>(
    `select (extract(epoch from min(parked_until) - clock_timestamp()) * 1000)::float8 as ms from vds.accounts
     where parked_for = '${limited}' and parked_until > clock_timestamp() and state = 'active'`,
  );
  return row?.ms ?? undefined;
}

/** Milliseconds until the first lease ends of a vehicle that has windows due; `undefined` where nobody has such a vehicle. */
export async function nextAfterLease(database: Queries): Promise<number | undefined> {
  const [row] = await database.query<{ ms: number | null }>(
    `select (extract(epoch from min(v.lease_until) - clock_timestamp()) * 1000)::float8 as ms
     from vds.vehicles v join vds.accounts a on a.name = v.account
     where v.state = 'active' and v.lease_until > clock_timestamp()
       and (v.fresh_at <= clock_timestamp() or v.backfill_at <= clock_timestamp())
       and a.state = 'active' and a.parked_until <= clock_timestamp()`,
  );
  return row?.ms ?? undefined;
}

/** Why an account is parked that is over its limit. */
export const limited = 'rate-limited';
