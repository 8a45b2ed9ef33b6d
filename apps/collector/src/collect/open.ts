// Opens what a collector works on: the archive with its lease, and the ledger that belongs to it.
import { resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createArchive } from '@vehicle-data/archive';
import { type FileContext, folderStores, type Lease } from '@vehicle-data/archive/store';
import { Pool } from 'pg';
import type { Settings } from '../command/settings.js';
import { type Database, onPglite, onPostgres } from '../ledger/database.js';
import { bindLedger, migrate } from '../ledger/migrations.js';
import { releaseAll } from '../ledger/windows.js';
import type { Places } from './purge.js';

/** An archive and its ledger. */
export interface OpenLake extends Places {
  readonly context: FileContext;
  readonly lease: Lease;
  readonly pseudonymOf: (vin: string) => string;
  /** Lets other programs work on the archive, and renews its views. */
  close(): Promise<void>;
}

/** @throws ArchiveError where the archive is locked, of other settings or damaged; where the ledger is not that of the archive. */
export async function openLake(settings: Settings): Promise<OpenLake> {
  const folder = resolve(settings.lake);
  const { settings: context, pseudonymOf } = await prepare(settings, folder);
  const { blobs, state } = folderStores(folder);
  const lease = await state.lease('archive');
  let ledger: { readonly database: Database; close(): Promise<void> } | undefined;
  try {
    ledger = await openLedger(settings);
    await migrate(ledger.database);
    await bindLedger(ledger.database, context.keyId, context.source);
    await releaseAll(ledger.database);
    const { database, close } = ledger;
    return {
      ...{ database, blobs, state, context, lease, pseudonymOf },
      async close() {
        await close();
        await lease.release();
        await prepare(settings, folder);
      },
    };
  } catch (error) {
    await ledger?.close().catch(() => undefined);
    await lease.release();
    throw error;
  }
}

/** Makes the archive where there is none, finishes what a crash left, and writes the views of the series that it has files of. */
async function prepare({ baseUrl, zone, since }: Settings, folder: string) {
  await using archive = await createArchive({ folder, source: baseUrl, zoneId: zone, format: 'parquet' });
  const readWindow = () => Promise.reject(new Error('Nothing is fetched here.'));
  await archive.export({ vehicles: [], from: since, to: since, readWindow });
  const { settings } = archive;
  return { settings, pseudonymOf: (vin: string) => archive.pseudonymOf(vin) };
}

async function openLedger({ ledger, databaseUrl }: Settings) {
  if (databaseUrl === undefined) {
    const database = await PGlite.create(resolve(ledger));
    return { database: onPglite(database), close: () => database.close() };
  }
  const pool = new Pool({ connectionString: databaseUrl, max: 8, connectionTimeoutMillis: 30_000 });
  return { database: onPostgres(pool), close: () => pool.end() };
}
