// Has the lists of accounts fetched because somebody said that consent has changed. Nothing else follows from that: the list decides.
import { askedListAt, type Signal } from '../ledger/accounts.js';
import type { Queries } from '../ledger/database.js';

/** Has accounts listed, and notes why. Resolves when the ledger says so. */
export interface RequestLooks {
  /** The account of a vehicle; `false` where the ledger has no such vehicle, or only one that is being purged. */
  ofVehicle(brand: string, pseudonym: string, signal: Signal): Promise<boolean>;
  ofBrand(brand: string, signal: Signal): Promise<boolean>;
  ofAll(signal: Signal): Promise<boolean>;
}

/** However often it is asked for, a process has an account listed no more than once in this time, in milliseconds. */
export const lookEveryMs = 1000;
const mostKept = 10_000;

/** @param now milliseconds of a clock that never goes back */
export function requestLooks(database: Queries, now: () => number = () => performance.now()): RequestLooks {
  /** When what was asked for last is listed, or was. */
  const askedFor = new Map<string, number>();

  /** @param signal what is said of each vehicle of the accounts; `null` for nothing */
  async function request(key: string, accounts: string, values: readonly string[], signal: Signal | null = null) {
    const at = now();
    const last = askedFor.get(key) ?? Number.NEGATIVE_INFINITY;
    // That list is fetched later than this moment, so it has what changed.
    if (last > at) return true;
    const next = Math.max(at, last + lookEveryMs);
    const rows = await database.query(
      `update vds.accounts set list_at = ${askedListAt('$1')},
         signal = coalesce(signal, $2), signal_at = coalesce(signal_at, case when $2::text is not null then clock_timestamp() end)
       where state = 'active' and ${accounts} returning name`,
      [next - at, signal, ...values],
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
    async ofVehicle(brand, pseudonym, signal) {
      const [held] = await database.query<{ account: string; signal: Signal | null }>(
        `select account, signal from vds.vehicles where brand = $1 and vehicle = $2 and state = 'active'`,
        [brand, pseudonym],
      );
      if (held === undefined) return false;
      if (held.signal === null)
        await database.query(
          `update vds.vehicles set signal = $3, signal_at = clock_timestamp()
           where brand = $1 and vehicle = $2 and state = 'active' and signal is null`,
          [brand, pseudonym, signal],
        );
      return request(`account ${held.account}`, 'name = $3', [held.account]);
    },
    ofBrand: (brand, signal) => request(`brand ${brand}`, 'brand = $3', [brand], signal),
    ofAll: (signal) => request('all', 'true', [], signal),
  };
}
