// `vds-collector purge`: a person decides that vehicles are forgotten. A running collector, or the next one, removes what the lake holds.

import { type Given, whole } from '../config/options.js';
import { confirmPurge } from '../ledger/accounts.js';
import type { Database } from '../ledger/database.js';
import { beginPurge } from '../ledger/withdrawal.js';
import { UsageError } from '../usage-error.js';

/** Fences one vehicle off for good, or confirms that vehicles of an account are missing. Returns what it prints. @throws UsageError */
export async function runPurge(database: Database, given: Given): Promise<string> {
  const [vehicle, account, confirmed] = [given.text('vehicle'), given.text('account'), given.text('confirm-purge')];
  if (account !== undefined && confirmed !== undefined && vehicle === undefined) {
    const count = whole('--confirm-purge', confirmed, 1, 1_000_000);
    if (!(await confirmPurge(database, account, count)))
      throw new UsageError('there is no account of this name; see vds-collector accounts list');
    return `If the next list of account ${account} misses ${count} vehicles, they are purged.\n`;
  }
  if (vehicle === undefined || account !== undefined)
    throw new UsageError('purge takes --vehicle PSEUDONYM, or --account NAME with --confirm-purge NUMBER');
  if (!/^[0-9a-f]{32}$/.test(vehicle)) throw new UsageError('--vehicle must be a pseudonym of 32 hexadecimal digits');
  const held = await database.query<{ brand: string }>('select brand from vds.vehicles where vehicle = $1', [vehicle]);
  if (held.length === 0) throw new UsageError('the ledger has no such vehicle');
  for (const { brand } of held) await beginPurge(database, { brand, vehicle }, true);
  return 'The vehicle is fenced off: nothing of it is stored any more, and a running collector removes its files.\n';
}
