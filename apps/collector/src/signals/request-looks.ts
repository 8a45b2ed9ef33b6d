// Has the lists of accounts fetched because somebody said that consent has changed. Nothing else follows from that: the list decides.
import type { Queries } from '../ledger/database.js';

/** Has accounts listed. Resolves when the ledger says so. */
export interface RequestLooks {
  /** The account of a vehicle; `false` where the ledger has no such vehicle, or only one that is being purged. */
  ofVehicle(brand: string, pseudonym: string): Promise<boolean>;
  ofBrand(brand: string): Promise<boolean>;
  ofAll(): Promise<boolean>;
}

/** However often it is asked for, a process has an account listed no more than once in this time, in milliseconds. */
export const lookEveryMs = 1000;
const mostKept = 10_000;

/** @param now milliseconds of a clock that never goes back */
export function requestLooks(database: Queries, now: () => number = () => performance.now()): RequestLooks {
  /** When what was asked for last is listed, or was. */
  const askedFor = new Map<string, number>();

  async function request(key: string, accounts: string, values: readonly string[]): Promise<boolean> {
    const at = now();
    const last = askedFor.get(key) ?? Number.NEGATIVE_INFINITY;
    // That list is fetched later than this moment, so it has what changed.
    if (last > at) return true;
    const next = Math.max(at, last + lookEveryMs);
    const rows = await database.query(
      // While a list is fetched, nobody else may fetch it: the other time makes it come again afterwards.
      `update vds.accounts set list_at = case when list_lease is not null then list_at - interval '1 millisecond'
         else least(list_at, clock_timestamp() + $1::float8 * interval '1 millisecond') end
       where state = 'active' and ${accounts} returning name`,
      [next - at, ...values],
    );
    askedFor.delete(key);
    askedFor.set(key, next);
    for (const [oldest, time] of askedFor) {
      if (askedFor.size <= mostKept && time > at - lookEveryMs) break;
      if (oldest !== key) askedFor.delete(oldest);
      else break;
    }
    return rows.length > 0;
  }

  return {
    async ofVehicle(brand, pseudonym) {
      const [held] = await database.query<{ account: string }>(
        `select account from vds.vehicles where brand = $1 and vehicle = $2 and state = 'active'`,
        [brand, pseudonym],
      );
      return held !== undefined && request(`account ${held.account}`, 'name = $2', [held.account]);
    },
    ofBrand: (brand) => request(`brand ${brand}`, 'brand = $2', [brand]),
    ofAll: () => request('all', 'true', []),
  };
}
