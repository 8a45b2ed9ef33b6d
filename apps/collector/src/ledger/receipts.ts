// Receipts of what was purged. What the lake had is written down before the first file goes, and the receipt is issued in the step that forgets the vehicle.
import { randomUUID } from 'node:crypto';
import { vehiclePrefix, windowPath } from '@vehicle-data/archive/format';
import {
  createReceiptKey,
  type ReceiptSignal,
  type ReceiptSigner,
  type ReceiptStorage,
  receiptSigner,
  receiptText,
  signReceipt,
} from '@vehicle-data/archive/receipts';
import type { BlobStore, VehicleKey } from '@vehicle-data/archive/store';
import { version } from '../version.js';
import type { Queries } from './database.js';
import { keepKey } from './keys.js';

/** What begins a purge. */
export type PurgeReason = ReceiptSignal['event_type'];

/**
 * What signs receipts. Its public key is kept in the ledger, so that old receipts verify after a change of keys.
 *
 * @param key PEM; `undefined` for a key of the ledger, which is made once
 * @throws Error where it is no key. The message does not repeat it.
 */
export async function openSigner(database: Queries, key: string | undefined): Promise<ReceiptSigner> {
  const signer = await receiptSigner(key ?? (await keepKey(database, 'receipts', createReceiptKey)));
  await database.query('insert into vds.receipt_keys (key, pem) values ($1, $2) on conflict do nothing', [
    ...[signer.key, signer.publicKey],
  ]);
  return signer;
}

/** Writes down what the lake has of a fenced vehicle, once. */
export async function noteHeld(database: Queries, blobs: BlobStore, vehicle: VehicleKey): Promise<void> {
  const key = [vehicle.brand, vehicle.vehicle];
  const [noted] = await database.query(
    'select from vds.vehicles where brand = $1 and vehicle = $2 and held is not null',
    key,
  );
  if (noted) return;
  const held = JSON.stringify(await storageOf(blobs, vehicle));
  await database.query('update vds.vehicles set held = $3::jsonb where brand = $1 and vehicle = $2', [...key, held]);
}

/** What there is of each series. */
async function storageOf(blobs: BlobStore, vehicle: VehicleKey): Promise<readonly ReceiptStorage[]> {
  const held = new Map<string, ReceiptStorage>();
  let cursor: string | undefined;
  do {
    const page = await blobs.list(vehiclePrefix(vehicle), cursor);
    for (const { key, bytes } of page.blobs) {
      const { series, from, to } = windowPath.exec(key)?.groups ?? {};
      if (series === undefined || from === undefined || to === undefined) continue;
      const before = held.get(series) ?? { series, first_day: from, last_day: to, files: 0, bytes: 0 };
      held.set(series, {
        series,
        first_day: [from, before.first_day].sort()[0] ?? from,
        last_day: [to, before.last_day].sort()[1] ?? to,
        files: before.files + 1,
        bytes: before.bytes + bytes,
      });
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return [...held.values()].sort((one, other) => (one.series < other.series ? -1 : 1));
}

interface Withdrawn {
  readonly account: string;
  readonly generation: number;
  readonly reason: PurgeReason | null;
  readonly at: string;
  readonly now: string;
  readonly held: readonly ReceiptStorage[] | null;
}

/**
 * Issues the receipt of a vehicle whose prefix was listed and had nothing in it.
 *
 * @param listed files that the ledger had of it
 */
export async function issueReceipt(
  database: Queries,
  signer: ReceiptSigner,
  { brand, vehicle }: VehicleKey,
  listed: number,
): Promise<void> {
  const iso = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const [gone] = await database.query<Withdrawn>(
    `select account, generation, withdrawn_by as reason, held, ${iso('clock_timestamp()')} as now,
       ${iso('coalesce(signal_at, withdrawn_at, clock_timestamp())')} as at
     from vds.vehicles where brand = $1 and vehicle = $2`,
    [brand, vehicle],
  );
  if (!gone) throw new Error('the vehicle of a receipt is not in the ledger');
  const { account, generation, reason, at, now, held } = gone;
  const storage = held ?? [];
  const record = randomUUID();
  const receipt = await signReceipt(
    {
      record_id: record,
      issuer: { component: 'collector', software: '@vehicle-data/collector', software_version: version },
      pii_principal_id: vehicle,
      account,
      brand,
      signal: {
        event_type: reason ?? 'list',
        event_state: reason === 'request' ? null : 'dpv:ConsentWithdrawn',
        event_time: at,
      },
      processing: 'dpv:Erase',
      storage,
      storage_complete: storage.reduce((sum, { files }) => sum + files, 0) >= listed,
      completed: { time: now, method: 'listed-empty' },
      // The first purge ends generation 1, the next one that of a vehicle that came back.
      generation: Math.max(1, Math.floor(generation / 2)),
    },
    signer,
  );
  await database.query(
    'insert into vds.receipts (record, brand, vehicle, issued_at, receipt) values ($1, $2, $3, $4::timestamptz, $5)',
    [record, brand, vehicle, now, receiptText(receipt)],
  );
}

/** Receipts in the order in which they were issued, a page at a time. */
export async function* storedReceipts(database: Queries, vehicle?: string): AsyncGenerator<string, void, undefined> {
  let after: readonly [string, string] | undefined;
  for (;;) {
    const rows = await database.query<{ receipt: string; record: string; at: string }>(
      `select receipt, record, issued_at::text as at from vds.receipts
       where ($1::text is null or vehicle = $1) and ($2::timestamptz is null or (issued_at, record) > ($2, $3::uuid))
       order by issued_at, record limit 1000`,
      [vehicle ?? null, after?.[0] ?? null, after?.[1] ?? null],
    );
    for (const { receipt } of rows) yield receipt;
    const last = rows.at(-1);
    if (!last) return;
    after = [last.at, last.record];
  }
}

/** Public keys of all receipts, as PEM. */
export async function receiptKeys(database: Queries): Promise<readonly string[]> {
  return (await database.query<{ pem: string }>('select pem from vds.receipt_keys order by key')).map(({ pem }) => pem);
}
