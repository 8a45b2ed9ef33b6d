// Databases for tests: PGlite, and Debian's PostgreSQL where the machine has it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import { type Database, onPglite, onPostgres } from '../../dist/ledger/database.js';
import { openEmbedded } from '../../dist/ledger/embedded.js';
import { hasPostgres } from './postgres.ts';
import { newDatabase } from './shared-postgres.ts';

interface Opened {
  readonly database: Database;
  close(): Promise<void>;
}

/** The databases that tests run on. */
export const databases: readonly { readonly name: string; readonly open: () => Promise<Opened> }[] = [
  { name: 'PGlite', open: openPglite },
  ...(hasPostgres ? [{ name: 'PostgreSQL', open: openPostgres }] : []),
];

/** A database for tests that any will do for: in PostgreSQL where the machine has it, which takes less of a processor. */
export const openDatabase = (): Promise<Opened> => (hasPostgres ? openPostgres() : openPglite());

async function openPglite(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-pglite-'));
  const database = await openEmbedded(join(folder, 'data'));
  return {
    database: onPglite(database),
    async close() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openPostgres(): Promise<Opened> {
  const pool = new Pool({ connectionString: await newDatabase(), max: 8 });
  return { database: onPostgres(pool), close: () => pool.end() };
}

/** The settings of a new ledger for commands: in PostgreSQL where the machine has it, or an embedded one in a folder. */
export const newLedger = async (folder: string): Promise<Readonly<Record<string, string>>> =>
  hasPostgres
    ? { VDS_DATABASE_URL: await newDatabase() }
    : { VDS_LEDGER: join(await mkdtemp(join(folder, 'ledger-')), 'data') };

/** Waits until processes on a PostgreSQL have brought in the whole list of an account, and collected every window that it names. */
export async function untilCollected(url: string, account: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  const left = `select 1 from vds.accounts where name = $1 and (listed_at is null or list_lease is not null)
    union all select 1 from vds.windows where fetched_at is null or due_at <= clock_timestamp()`;
  while ((await pool.query(left, [account])).rowCount !== 0) await wait(50);
  await pool.end();
}
