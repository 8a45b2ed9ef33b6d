// Opens what a collector works on: a lake in a folder with its lock, or in a bucket, and the ledger that belongs to it.
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ArchiveError, createArchive, openArchive } from '@vehicle-data/archive';
import { type FileContext, folderStores, type Lease } from '@vehicle-data/archive/store';
import type { LedgerSettings, Settings } from '../config/settings.js';
import { folderLakeState, ledgerState } from '../lake/ledger-state.js';
import { openBucket } from '../lake/open-bucket.js';
import type { S3Place } from '../lake/s3-client.js';
import { type Database, onPglite, onPostgres, openPool } from '../ledger/database.js';
import { openEmbedded } from '../ledger/embedded.js';
import { endHolder, hasHolder, noteHolder } from '../ledger/holder.js';
import { bindLedger, migrate } from '../ledger/migrations.js';
import { openSigner } from '../ledger/receipts.js';
import { releaseAll } from '../ledger/windows.js';
import { startLeases } from './leases.js';
import { writeDueManifests } from './manifests.js';
import { mergeLake } from './merge.js';
import type { Places } from './purge.js';

const heartbeatMs = 5_000;

/** An archive and its ledger. */
export interface OpenLake extends Places {
  readonly context: FileContext;
  readonly pseudonymOf: (vin: string) => string;
  /** Whether the ledger is in this process, so that no other works on it. */
  readonly isAlone: boolean;
  /**
   * Whether a process of this ledger has the lock of the archive.
   *
   * @throws ArchiveError `archive-locked` where this process has lost it.
   */
  isOurs(): Promise<boolean>;
  /** Renews what readers of a bucket need beside the files of windows: manifests that are behind, and its views too if `views`. */
  refresh(views: boolean): Promise<void>;
  /** Whether the ledger keeps what a folder has in its manifests. */
  readonly isBucket: boolean;
  /** Lets other programs work on the archive, and renews its views. */
  close(): Promise<void>;
}

/** A ledger that is open. */
export interface OpenLedger {
  readonly database: Database;
  readonly isAlone: boolean;
  close(): Promise<void>;
}

/** @throws ArchiveError where the archive is locked, of other settings or damaged; where the ledger is not that of the archive. */
export async function openLake(settings: Settings): Promise<OpenLake> {
  return settings.bucket === undefined ? openFolderLake(settings) : openBucketLake(settings, settings.bucket);
}

/** Nobody but the ledger says who works on a bucket: as many processes as share it. */
async function openBucketLake(settings: Settings, place: S3Place): Promise<OpenLake> {
  const lock = await lockLedger(settings);
  let ledger: OpenLedger | undefined;
  try {
    ledger = await openLedger(settings);
    const { database, isAlone } = ledger;
    await migrate(database);
    if (isAlone) await releaseAll(database);
    const { blobs, identity, isOurs, writeViews } = await openBucket(database, place, settings);
    const { settings: context, pseudonymOf } = identity;
    const leases = startLeases(database, settings.leaseMs);
    const state = ledgerState(database, blobs);
    const signer = await openSigner(database, settings.receiptKey);
    const { close } = ledger;
    return {
      ...{ signer, database, blobs, context, pseudonymOf, isAlone, isOurs, isBucket: true },
      readState: () => state,
      async refresh(views) {
        await writeDueManifests(database, blobs, leases);
        await mergeLake({ database, blobs, settings: identity.settings, leases }, Date.now(), true);
        if (views) await writeViews();
      },
      async close() {
        leases.stop();
        try {
          await writeViews();
        } finally {
          await close();
          await lock?.release();
        }
      },
    };
  } catch (error) {
    await ledger?.close().catch(() => undefined);
    await lock?.release();
    throw error;
  }
}

async function openFolderLake(settings: Settings): Promise<OpenLake> {
  const folder = resolve(settings.lake);
  const { blobs } = folderStores(folder);
  // With PostgreSQL, the ledger says whether it is one of ours that has the lock. An embedded one is opened under the lock alone.
  let ledger = settings.databaseUrl === undefined ? undefined : await openLedger(settings);
  let lease: Lease | undefined;
  const process = randomUUID();
  try {
    if (ledger) await migrate(ledger.database);
    lease = await takeLock(settings, folder, ledger?.database);
    ledger ??= await openLedger(settings);
    const { database, isAlone } = ledger;
    await migrate(database);
    const { settings: context, pseudonymOf } = await readArchive(folder);
    await bindLedger(database, context.keyId, context.source);
    if (isAlone) await releaseAll(database);
    if (lease) await noteHolder(database, process);
    const signer = await openSigner(database, settings.receiptKey);
    const lock = keepLock(database, folder, process, lease);
    const { close } = ledger;
    return {
      ...{ signer, database, blobs, context, pseudonymOf, isAlone, isBucket: false },
      readState: () => folderLakeState(folderStores(folder).state),
      isOurs: lock.isOurs,
      refresh: async () => undefined,
      async close() {
        const last = await lock.end();
        await endHolder(database, process).catch(() => undefined);
        await close();
        await last?.release();
        if (last) await writeViews(settings, folder);
      },
    };
  } catch (error) {
    await ledger?.close().catch(() => undefined);
    await lease?.release();
    throw error;
  }
}

/** Makes the archive where there is none and takes its lock; `undefined` where another process of the ledger has it. */
async function takeLock(
  settings: Settings,
  folder: string,
  database: Database | undefined,
): Promise<Lease | undefined> {
  const deadline = performance.now() + 2 * heartbeatMs;
  for (;;) {
    try {
      await prepare(settings, folder);
      return await folderStores(folder).state.lease('archive');
    } catch (error) {
      const isLocked = error instanceof ArchiveError && error.code === 'archive-locked';
      if (!isLocked || !database) throw error;
      if (await hasHolder(database)) return undefined;
      // Another process of ours may be between the lock and its note.
      if (performance.now() > deadline) throw error;
      await wait(200);
    }
  }
}

/** Keeps the lock, or takes it over when the process that has it ends. */
function keepLock(database: Database, folder: string, process: string, first: Lease | undefined) {
  let lease = first;
  let isHeld = true;
  let lost: unknown;
  async function beat(): Promise<void> {
    if (lease) {
      await lease.check();
      await noteHolder(database, process);
      isHeld = true;
      return;
    }
    isHeld = await hasHolder(database);
    if (isHeld) return;
    lease = await folderStores(folder)
      .state.lease('archive')
      .catch(() => undefined);
    if (lease) await noteHolder(database, process);
    isHeld = lease !== undefined;
  }
  let beating = Promise.resolve();
  const timer = setInterval(() => {
    beating = beating.then(beat).catch((error: unknown) => {
      // One that the database missed may work the next time.
      if (error instanceof ArchiveError) lost = error;
    });
  }, heartbeatMs);
  timer.unref();
  return {
    async isOurs() {
      if (lost !== undefined) throw lost;
      return isHeld;
    },
    async end(): Promise<Lease | undefined> {
      clearInterval(timer);
      await beating;
      return lease;
    },
  };
}

async function readArchive(folder: string) {
  await using archive = await openArchive({ folder, readOnly: true });
  const { settings } = archive;
  return { settings, pseudonymOf: (vin: string) => archive.pseudonymOf(vin) };
}

/** Makes the archive where there is none, finishes what a crash left, and writes the views of the series that it has files of. */
async function prepare({ baseUrl, zone, since, acceptContract }: Settings, folder: string): Promise<void> {
  await using archive = await createArchive({ folder, source: baseUrl, zoneId: zone, format: 'parquet' });
  const readWindow = () => Promise.reject(new Error('Nothing is fetched here.'));
  await archive.export({ vehicles: [], from: since, to: since, readWindow, acceptContract });
}

/** Where another process has taken the lock by now, the views are its affair. */
async function writeViews(settings: Settings, folder: string): Promise<void> {
  await prepare(settings, folder).catch((error: unknown) => {
    if (!(error instanceof ArchiveError && error.code === 'archive-locked')) throw error;
  });
}

/**
 * Makes this process the only one that has an embedded ledger open, where no lake in a folder is locked for it.
 *
 * @throws ArchiveError `archive-locked`
 */
export async function lockLedger({ ledger, databaseUrl }: LedgerSettings): Promise<Lease | undefined> {
  if (databaseUrl !== undefined) return undefined;
  const folder = `${resolve(ledger)}.lock`;
  await mkdir(folder, { recursive: true });
  return folderStores(folder).state.lease('archive');
}

/** Opens the database of a ledger. */
export async function openLedger({ ledger, databaseUrl }: LedgerSettings): Promise<OpenLedger> {
  if (databaseUrl === undefined) {
    const database = await openEmbedded(resolve(ledger));
    return { database: onPglite(database), isAlone: true, close: () => database.close() };
  }
  const pool = openPool(databaseUrl);
  return { database: onPostgres(pool), isAlone: false, close: () => pool.end() };
}
