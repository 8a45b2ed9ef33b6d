// `vds-collector status`: one screen of what the ledger knows.
import { countLedger } from '../ledger/counts.js';
import type { Queries } from '../ledger/database.js';

/** How fast an account, or an API key at a brand, may call. */
interface Rate {
  readonly name: string;
  readonly rate: number;
  /** Seconds until the service may be called again; 0 where it may now. */
  readonly held: number;
}

/** Returns the screen, or the same as JSON. */
export async function statusText(database: Queries, asJson: boolean): Promise<string> {
  const counts = await countLedger(database);
  const rates = await database.query<Rate>(
    `select name, rate, coalesce(case when not_before > clock_timestamp()
       then extract(epoch from not_before - clock_timestamp()) end, 0)::float8 as held
     from vds.buckets order by not_before desc, name limit 10`,
  );
  const down = await database.query<{ name: string; failures: number }>(
    'select name, failures from vds.breakers where failures > 0 order by failures desc limit 10',
  );
  if (asJson) return `${JSON.stringify({ ...counts, rates, upstreams: down }, null, 2)}\n`;
  const lines: readonly (readonly [string, string])[] = [
    ['accounts', `${counts.accounts} (${counts.accountsParked} parked, ${counts.accountsPaused} paused)`],
    ['vehicles', `${counts.vehicles}`],
    ['windows', `${counts.windows}, ${counts.collected} collected, ${counts.provisional} of them provisional`],
    ['due', `${counts.due}, the oldest for ${ageText(counts.oldestDueSeconds)}`],
    ['backfill left', `${counts.backfill} windows`],
    ['failing', `${counts.failing} windows`],
    ['purging', `${counts.purging} vehicles, the oldest for ${ageText(counts.oldestPurgeSeconds)}`],
    ['unconfirmed', `${counts.unconfirmed} vehicles are missing from a list; see accounts list`],
    ['receipts', `${counts.receipts}`],
    ['trips', `${counts.trips}, ${(counts.bytes / 1e6).toFixed(1)} MB`],
    ...rates.map(({ name, rate, held }) => {
      const wait = held > 0 ? `, the service asked to wait: ${ageText(held)} left` : '';
      return [`rate of ${name}`, `${rate} calls/s${wait}`] as const;
    }),
    ...down.map(({ name, failures }) => [`upstream ${name}`, `${failures} failures in a row`] as const),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join('');
}

function ageText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
