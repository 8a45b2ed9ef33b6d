// Opens a ledger for one command. An embedded one is opened under the lock of its lake: a collector that runs has it open.
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { folderStores, type Lease } from '@vehicle-data/archive/store';
import { lockLedger, openLedger } from '../collect/open.js';
import type { Given } from '../config/options.js';
import { type LedgerSettings, lakeOf } from '../config/settings.js';
import type { Database } from '../ledger/database.js';
import { migrate } from '../ledger/migrations.js';

/** @throws ArchiveError `archive-locked` where a collector with an embedded ledger runs. */
export async function withLedger<Result>(
  given: Given,
  settings: LedgerSettings,
  work: (database: Database, migrated: Awaited<ReturnType<typeof migrate>>) => Promise<Result> | Result,
): Promise<Result> {
  let lease: Lease | undefined;
  if (settings.bucket !== undefined) lease = await lockLedger(settings);
  else if (settings.databaseUrl === undefined) {
    const folder = resolve(lakeOf(given));
    await mkdir(folder, { recursive: true });
    lease = await folderStores(folder).state.lease('archive');
  }
  try {
    const ledger = await openLedger(settings);
    try {
      return await work(ledger.database, await migrate(ledger.database));
    } finally {
      await ledger.close();
    }
  } finally {
    await lease?.release();
  }
}
