import { randomUUID } from 'node:crypto';
import type { OpenArchive } from './export-windows.js';
import { isDiskFull } from './folder/folder-lease.js';
import type { DraftedReceipt } from './folder/folder-receipts.js';
import type { PurgedVehicle } from './folder/folder-state.js';
import { vehiclePrefix, windowPath } from './format/layout.js';
import type { ReceiptStorage } from './receipts/receipt.js';
import type { Purge, VehicleKey } from './store/state-store.js';

/** What the purge of a vehicle did. */
interface Purged {
  readonly files: number;
  /** Paths of the receipts: one for each brand that the vehicle was held of. */
  readonly receipts: readonly string[];
}

/**
 * Removes everything of a vehicle, or of a vehicle in one brand, and issues receipts. The intent is stored first; a purge that a crash
 * ended is finished when the archive is opened, receipts included.
 */
export async function purgeVehicle(archive: OpenArchive, purge: Purge): Promise<Purged> {
  const { blobs, state, now } = archive;
  const { vehicle, brand, erase } = purge;
  // Also what an earlier attempt began.
  const begun = (await state.unfinishedPurges()).filter((one) => one.vehicle === vehicle);
  const brands = new Set(begun.flatMap((one) => one.brand ?? []).filter((one) => one === (brand ?? one)));
  for await (const each of state.vehicles({ vehicle, brand })) brands.add(each.brand);
  let files = 0;
  const receipts: string[] = [];
  for (const each of brands) {
    const key = { vehicle, brand: each };
    await state.beginPurge({ ...key, erase, at: purge.at ?? now() });
    const writeDraft = await drafting(archive, key);
    files += await blobs.removeAll(vehiclePrefix(key));
    await writeDraft?.();
    await state.finishPurge({ ...key, erase });
    receipts.push(...(await issueReceipts(archive, key)));
  }
  // One that the archive never had must not come either.
  if (brands.size === 0 && erase) await state.finishPurge(purge);
  return { files, receipts };
}

/** Issues receipts of vehicles that are gone: those that a crash prevented, or that of one vehicle. */
export async function issueReceipts(
  { blobs, receipts, state }: OpenArchive,
  of?: VehicleKey,
): Promise<readonly string[]> {
  const issued: string[] = [];
  const isOne = (key: VehicleKey) => of === undefined || (key.brand === of.brand && key.vehicle === of.vehicle);
  const unfinished = await state.unfinishedPurges();
  for (const key of (await receipts.drafts()).filter(isOne)) {
    const isUnfinished = unfinished.some((one) => one.vehicle === key.vehicle && one.brand === key.brand);
    const { blobs: left } = await blobs.list(vehiclePrefix(key));
    if (!isUnfinished && left.length === 0) issued.push(await receipts.issue(key));
  }
  return issued;
}

/**
 * Writes down what the receipt will say, before anything is removed.
 *
 * @returns where the disk is full: how to write it once there is room. Until then the manifest of the vehicle stays.
 */
async function drafting(archive: OpenArchive, key: VehicleKey): Promise<(() => Promise<void>) | undefined> {
  const { receipts, state, now } = archive;
  if (await receipts.hasDraft(key)) return undefined;
  const hidden = (await state.unfinishedPurges()).filter(
    (one) => one.vehicle === key.vehicle && one.brand === key.brand,
  );
  const isRequest = hidden.some(({ erase }) => erase === true);
  // None where another process has finished the purge meanwhile.
  const time = hidden.length === 0 ? now() : Math.max(...hidden.map(({ at = now() }) => at));
  const draft: DraftedReceipt = {
    record_id: randomUUID(),
    signal: {
      event_type: isRequest ? 'request' : 'list',
      event_state: isRequest ? null : 'dpv:ConsentWithdrawn',
      event_time: new Date(time).toISOString(),
    },
    ...storageOf(await archive.purged(key)),
  };
  const write = () => receipts.draft(key, draft);
  try {
    await write();
    return undefined;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    return write;
  }
}

/** What was held of each series. */
function storageOf({ entries, files, isDamaged }: PurgedVehicle): Omit<DraftedReceipt, 'record_id' | 'signal'> {
  const unlisted = files.flatMap(({ path, bytes }) => {
    const { series, from, to } = windowPath.exec(path)?.groups ?? {};
    return series === undefined || from === undefined || to === undefined ? [] : [{ series, from, to, path, bytes }];
  });
  const storage = new Map<string, ReceiptStorage>();
  for (const { series, from, to, path, bytes } of [...entries, ...unlisted]) {
    const before = storage.get(series) ?? { series, first_day: from, last_day: to, files: 0, bytes: 0 };
    storage.set(series, {
      series,
      first_day: [from, before.first_day].sort()[0] ?? from,
      last_day: [to, before.last_day].sort()[1] ?? to,
      files: before.files + (path === null ? 0 : 1),
      bytes: before.bytes + bytes,
    });
  }
  return { storage: [...storage.values()], storage_complete: !isDamaged };
}
