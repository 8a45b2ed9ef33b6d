// `vds-collector status`: one screen of what the ledger knows.
import { countLedger } from '../ledger/counts.js';
import type { Queries } from '../ledger/database.js';
import { readWaits } from '../ledger/waits.js';
import { ageText } from './age-text.js';

/** Returns the screen, or the same as JSON. */
export async function statusText(database: Queries, asJson: boolean): Promise<string> {
  const counts = await countLedger(database);
  const { rates, upstreams } = await readWaits(database);
  if (asJson) return `${JSON.stringify({ ...counts, rates, upstreams }, null, 2)}\n`;
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
    ...upstreams.map(({ name, failures }) => [`upstream ${name}`, `${failures} failures in a row`] as const),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join('');
}
