// What a ledger holds, in numbers.
import type { Queries } from './database.js';

/** What a ledger holds. */
export interface LedgerCounts {
  readonly accounts: number;
  readonly accountsPaused: number;
  readonly accountsParked: number;
  readonly vehicles: number;
  readonly windows: number;
  /** Windows that were fetched at least once. */
  readonly collected: number;
  /** Windows that are due now. */
  readonly due: number;
  /** Of those, days that are older than the newest ones and were never fetched. */
  readonly backfill: number;
  /** Windows that were fetched and are fetched again: trips may still arrive. */
  readonly provisional: number;
  /** Windows whose last attempt failed. */
  readonly failing: number;
  /** How long the window has been due that waits for longest, in seconds. */
  readonly oldestDueSeconds: number;
  /** Vehicles that are fenced off and whose files are not gone yet. */
  readonly purging: number;
  /** How long the oldest of them has been, in seconds. */
  readonly oldestPurgeSeconds: number;
  /** Vehicles that are missing from a list and wait for a person, or for a second list. */
  readonly unconfirmed: number;
  readonly receipts: number;
  readonly trips: number;
  readonly bytes: number;
}

/** Counts what a ledger holds, in one pass over its windows. */
export async function countLedger(database: Queries): Promise<LedgerCounts> {
  const [counts] = await database.query<LedgerCounts>(
    `select a.*, v.*, w.* from
       (select count(*)::int as accounts, count(*) filter (where state = 'paused')::int as "accountsPaused",
          count(*) filter (where parked_until > clock_timestamp())::int as "accountsParked" from vds.accounts) a,
       (select count(*) filter (where state = 'active')::int as vehicles, count(*) filter (where state = 'purging')::int as purging,
          count(*) filter (where state = 'active' and missing_since is not null)::int as unconfirmed,
          (select count(*)::int from vds.receipts) as receipts,
          coalesce(extract(epoch from clock_timestamp() - min(withdrawn_at) filter (where state = 'purging')), 0)::float8 as "oldestPurgeSeconds"
        from vds.vehicles) v,
       (select count(*)::int as windows, count(fetched_at)::int as collected,
          count(*) filter (where due_at <= clock_timestamp())::int as due,
          count(*) filter (where due_at is not null and fetched_at is null and not fresh)::int as backfill,
          count(*) filter (where due_at is not null and fetched_at is not null)::int as provisional,
          count(*) filter (where failures > 0)::int as failing,
          coalesce(greatest(0, extract(epoch from clock_timestamp() - min(due_at))), 0)::float8 as "oldestDueSeconds",
          coalesce(sum(trips), 0)::float8 as trips, coalesce(sum(bytes), 0)::float8 as bytes from vds.windows) w`,
  );
  if (!counts) throw new Error('The database gave no counts.');
  return counts;
}

interface Counted {
  readonly counts: Promise<LedgerCounts>;
  /** Until when others take the same, if it may be so old in milliseconds. */
  readonly until: (freshMs: number) => number;
}
const counted = new WeakMap<Queries, Counted>();

/** The same, counted anew after `freshMs` at the earliest, and with many windows so that a database spends a tenth of its time with it at most. */
export function recentCounts(database: Queries, freshMs: number): Promise<LedgerCounts> {
  const known = counted.get(database);
  if (known && performance.now() < known.until(freshMs)) return known.counts;
  const begin = performance.now();
  let end = Number.POSITIVE_INFINITY;
  const counts = countLedger(database);
  counts.then(
    () => {
      end = performance.now();
    },
    () => counted.delete(database),
  );
  counted.set(database, { counts, until: (ms) => end + Math.max(ms, 10 * (end - begin)) });
  return counts;
}
