// What a collector waits for: a service that asked to wait or is down, and accounts that are parked.
import type { Queries } from './database.js';
import { opensAfter } from './limits.js';

/** How fast an account, or an API key at a brand, may call. */
export interface CallRate {
  readonly name: string;
  /** Calls a second. */
  readonly rate: number;
  /** Seconds until the service may be called again; 0 where it may now. */
  readonly held: number;
}

/** What is waited for, the longest first; of each at most ten. */
export interface Waits {
  readonly rates: readonly CallRate[];
  /** Services whose last calls failed. */
  readonly upstreams: readonly {
    readonly name: string;
    readonly failures: number;
    /** Whether only one call at a time tries it. */
    readonly isDown: boolean;
  }[];
  /** Why accounts are parked, by the code of the error. */
  readonly parked: readonly { readonly code: string; readonly accounts: number }[];
}

export async function readWaits(database: Queries): Promise<Waits> {
  const [rates, upstreams, parked] = await Promise.all([
    database.query<CallRate>(
      `select name, rate, coalesce(case when not_before > clock_timestamp()
         then extract(epoch from not_before - clock_timestamp()) end, 0)::float8 as held
       from vds.buckets order by not_before desc, name limit 10`,
    ),
    database.query<Waits['upstreams'][number]>(
      'select name, failures, failures >= $1 as "isDown" from vds.breakers where failures > 0 order by failures desc, name limit 10',
      [opensAfter],
    ),
    database.query<Waits['parked'][number]>(
      `select coalesce(parked_for, 'unknown') as code, count(*)::int as accounts from vds.accounts
       where parked_until > clock_timestamp() group by 1 order by 2 desc, 1 limit 10`,
    ),
  ]);
  return { rates, upstreams, parked };
}
