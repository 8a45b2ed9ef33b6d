// `vds-collector accounts`: who is collected for.
import { isAbsolute } from 'node:path';
import { type Given, whole } from '../config/options.js';
import { brandOf } from '../config/settings.js';
import { accountName, addAccount, listAccounts, removeAccount, setAccountState } from '../ledger/accounts.js';
import type { Database } from '../ledger/database.js';
import type { VehicleName } from '../ledger/windows.js';
import { beginPurge } from '../ledger/withdrawal.js';
import { UsageError } from '../usage-error.js';

/** Runs one of the commands. Returns what it prints. @throws UsageError */
export async function runAccounts(database: Database, given: Given): Promise<string> {
  const [, action = 'list', name = '', ...more] = given.words;
  if (more.length > 0) throw new UsageError('accounts takes one name');
  if (action === 'list') return accountsText(database, given.flag('json'));
  if (!accountName.test(name))
    throw new UsageError(
      'the name of an account has 1 to 63 letters a to z, digits, - and _, and begins with a letter or digit',
    );
  switch (action) {
    case 'add':
      return add(database, name, given);
    case 'pause':
    case 'resume':
      if (!(await setAccountState(database, name, action === 'pause' ? 'paused' : 'active'))) throw noSuch();
      return `Account ${name} is ${action === 'pause' ? 'paused' : 'active'}.\n`;
    case 'remove':
      return remove(database, name, given.text('confirm-purge'));
    default:
      throw new UsageError('accounts takes list, add, pause, resume or remove');
  }
}

const noSuch = () => new UsageError('there is no account of this name; see vds-collector accounts list');

async function add(database: Database, name: string, given: Given): Promise<string> {
  const brand = brandOf(given);
  const tokenFile = given.text('token-file') ?? null;
  if (tokenFile !== null && !isAbsolute(tokenFile)) throw new UsageError('--token-file must be an absolute path');
  if (!(await addAccount(database, { name, brand, tokenFile })))
    throw new UsageError('there is an account of this name already');
  return `Account ${name} is active.\n`;
}

/** Fences its vehicles off first; a running collector removes what the lake holds of them. */
async function remove(database: Database, name: string, confirmed: string | undefined): Promise<string> {
  if (!(await setAccountState(database, name, 'paused'))) throw noSuch();
  const held = await database.query<VehicleName>(
    `select brand, vehicle from vds.vehicles where account = $1 and state = 'active'`,
    [name],
  );
  const count = confirmed === undefined ? 0 : whole('--confirm-purge', confirmed, 0, 1_000_000);
  if (count !== held.length)
    throw new UsageError(
      `the account has ${held.length} vehicles and is paused now; to purge them and remove it: --confirm-purge ${held.length}`,
    );
  for (const vehicle of held) await beginPurge(database, vehicle, false, 'request');
  if (await removeAccount(database, name)) return `Account ${name} is removed.\n`;
  return `Account ${name} is paused, and ${held.length} vehicles are being purged; run the same command without --confirm-purge when they are gone.\n`;
}

async function accountsText(database: Database, asJson: boolean): Promise<string> {
  const accounts = await listAccounts(database);
  if (asJson) return `${JSON.stringify(accounts, null, 2)}\n`;
  const rows = accounts.map(({ name, brand, state, vehicles, due, parkedUntil, parkedFor, listedAt }) => [
    ...[name, brand, parkedUntil === null ? state : 'parked', String(vehicles), String(due), listedAt ?? 'never'],
    parkedUntil === null ? '' : `${parkedFor}, next try ${parkedUntil}`,
  ]);
  const all = [['ACCOUNT', 'BRAND', 'STATE', 'VEHICLES', 'DUE', 'LISTED', ''], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
