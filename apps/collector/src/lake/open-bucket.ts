// Opens a lake in a bucket: what it is bound to, whose it is, and whether it can be written.
import { createHash, randomBytes } from 'node:crypto';
import { ArchiveError } from '@vehicle-data/archive';
import {
  type ArchiveIdentity,
  type BlobStore,
  newPseudonymKey,
  settleArchive,
  viewTexts,
} from '@vehicle-data/archive/store';
import { seriesTable } from '@vehicle-data/client/series';
import type { Database, Queries } from '../ledger/database.js';
import { keepKey } from '../ledger/keys.js';
import { bindLedger } from '../ledger/migrations.js';
import { s3Blobs } from './s3-blobs.js';
import { S3Error, type S3Place } from './s3-client.js';

const settingsName = 'archive.json';
const checkEveryMs = 30_000;
/** Whose the lake is stands in its settings, under this name. */
const ledgerMember = 'ledger';

/** A lake in a bucket. */
export interface BucketLake {
  readonly blobs: BlobStore;
  readonly identity: ArchiveIdentity;
  /** @throws ArchiveError `archive-locked` where another ledger has taken the lake over. */
  isOurs(): Promise<boolean>;
  /** Writes the views of the series that the lake has files of. */
  writeViews(): Promise<void>;
}

interface Wanted {
  /** Address of the service or its proxy. */
  readonly baseUrl: string;
  readonly zone: string | undefined;
  /** Key of the pseudonyms; `undefined` for that of the ledger. */
  readonly pseudonymKey: string | undefined;
  readonly adoptLake: boolean;
  readonly acceptContract: boolean;
}

/**
 * Opens the lake of a ledger, or makes it.
 *
 * @throws ArchiveError `settings-differ`, `archive-locked` where it is that of another ledger, `archive-missing`.
 */
export async function openBucket(database: Database, place: S3Place, wanted: Wanted): Promise<BucketLake> {
  const blobs = s3Blobs(place);
  const stored = await readStored(blobs);
  if (!stored && (await blobs.list('brand=')).blobs.length > 0)
    throw new ArchiveError(
      'archive-missing',
      'the prefix has files and no archive.json; restore it, or use another prefix',
    );
  const key = wanted.pseudonymKey ?? (await keepKey(database, 'pseudonyms', newPseudonymKey));
  const found = settleArchive(key, stored, { source: wanted.baseUrl, zoneId: wanted.zone, format: 'parquet' });
  const identity = acceptContract(found, key, wanted.acceptContract);
  const ledger = await bindLedger(database, identity.settings.keyId, identity.settings.source);
  const owner = stored?.[ledgerMember];
  if (owner !== undefined && owner !== ledger && !wanted.adoptLake)
    throw new ArchiveError(
      'archive-locked',
      'the lake belongs to another ledger; use that one, or if it is gone start once with --adopt-lake',
    );
  const content = { ...identity.stored, [ledgerMember]: ledger };
  await checkRights(blobs);
  if (JSON.stringify(content) !== JSON.stringify(stored))
    await putText(blobs, settingsName, `${JSON.stringify(content, null, 2)}\n`);
  let checkedAt = performance.now();
  return {
    blobs,
    identity,
    async isOurs() {
      if (performance.now() - checkedAt < checkEveryMs) return true;
      checkedAt = performance.now();
      const now = await readStored(blobs);
      if (now && now[ledgerMember] !== ledger)
        throw new ArchiveError('archive-locked', 'another ledger has taken the lake over; one of the two must end');
      return true;
    },
    async writeViews() {
      const location = `s3://${place.bucket}/${place.prefix}`;
      for (const [name, text] of viewTexts(await heldSeries(database), identity.settings, location)) {
        const there = await blobs.get(name);
        if (!there || Buffer.from(there).toString('utf8') !== text) await putText(blobs, name, text);
      }
    },
  };
}

async function readStored(blobs: BlobStore): Promise<Readonly<Record<string, unknown>> | undefined> {
  const bytes = await blobs.get(settingsName);
  if (!bytes) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // As one that is no object.
  }
  throw new ArchiveError('archive-damaged', 'archive.json of the bucket cannot be read');
}

/** Files of another contract stay; new ones are written with the current one. */
function acceptContract(found: ArchiveIdentity, key: string, isAccepted: boolean): ArchiveIdentity {
  const current = settleArchive(key, undefined, {}).settings.contract;
  if (found.settings.contract === current) return found;
  if (!isAccepted)
    throw new ArchiveError(
      'settings-differ',
      'the lake was written with another contract; start once with --accept-contract to continue it with the current one',
      { differences: ['contract'] },
    );
  return settleArchive(key, { ...found.stored, contract: current, oneSchema: false }, {});
}

/** A bucket that can be read and not written, or not emptied, is found now and not when an owner withdraws. */
async function checkRights(blobs: BlobStore): Promise<void> {
  const probe = `probe/${randomBytes(8).toString('hex')}/`;
  try {
    await putText(blobs, `${probe}may-be-removed`, 'May be removed.\n');
    await blobs.removeAll(probe);
  } catch (error) {
    if (!(error instanceof S3Error) || error.status === undefined) throw error;
    throw new S3Error(error.code, `the bucket must be writable, and what is written removable: ${error.message}`, {
      status: error.status,
      cause: error,
    });
  }
}

async function putText(blobs: BlobStore, key: string, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  await blobs.put(key, bytes, { sha256: createHash('sha256').update(bytes).digest('hex') });
}

async function heldSeries(database: Queries): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const series of Object.keys(seriesTable)) {
    const rows = await database.query('select from vds.windows where series = $1 and path is not null limit 1', [
      series,
    ]);
    if (rows.length > 0) held.add(series);
  }
  return held;
}
