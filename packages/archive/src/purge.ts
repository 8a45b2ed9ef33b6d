import { randomUUID } from 'node:crypto';
import { isDiskFull } from './folder/folder-lease.js';
import type { DraftedReceipt } from './folder/folder-receipts.js';
import type { PurgedVehicle } from './folder/folder-state.js';
import type { OpenArchive } from './folder/open-archive.js';
import { allOf, type PurgedFolder } from './folder/purged-folders.js';
import { vehiclePrefix, windowPath } from './format/layout.js';
import type { ReceiptStorage } from './receipts/receipt.js';
import type { Purge, VehicleKey } from './store/state-store.js';

/** What purges did. */
interface Purged {
  readonly files: number;
  /** Paths of the receipts: one for each vehicle and brand that it was held of. */
  readonly receipts: readonly string[];
}

/** A vehicle in one brand that is purged. */
interface BrandPurge extends VehicleKey {
  readonly erase: boolean;
  readonly at: number;
}

/** So many vehicles are purged at a time. Each step is forced to the disk once for all of them. */
const mostAtOnce = 64;

/**
 * Removes everything of vehicles, or of vehicles in one brand, and issues receipts. The intent is stored first; a purge that a crash
 * ended is finished when the archive is opened, receipts included.
 */
export async function purgeVehicles(archive: OpenArchive, purges: readonly Purge[]): Promise<Purged> {
  const { state, now } = archive;
  // Also what an earlier attempt began.
  const begun = await state.unfinishedPurges();
  const found = new Map<string, BrandPurge>();
  for (const { vehicle, brand, erase, at = now() } of purges) {
    const isPart = (one: VehicleKey) => one.vehicle === vehicle && one.brand === (brand ?? one.brand);
    const brands = new Set(begun.filter(isPart).map((one) => one.brand));
    for await (const each of state.vehicles({ vehicle, brand })) brands.add(each.brand);
    for (const each of brands) {
      const key = { vehicle, brand: each };
      // An earlier attempt may have left several folders of a vehicle.
      const isErase = erase === true || found.get(vehiclePrefix(key))?.erase === true;
      found.set(vehiclePrefix(key), { ...key, erase: isErase, at });
    }
    // One that the archive never had must not come either.
    if (brands.size === 0 && erase) await state.finishPurge({ vehicle, brand, erase });
  }
  const all = [...found.values()];
  let files = 0;
  const receipts: string[] = [];
  for (let at = 0; at < all.length; at += mostAtOnce) {
    const purged = await purgeTogether(archive, all.slice(at, at + mostAtOnce));
    files += purged.files;
    receipts.push(...purged.receipts);
  }
  return { files, receipts };
}

async function purgeTogether(archive: OpenArchive, purges: readonly BrandPurge[]): Promise<Purged> {
  const { blobs, state, receipts } = archive;
  await state.beginPurges(purges);
  const hidden = await state.unfinishedPurges();
  const late = await allOf(purges.map((purge) => drafting(archive, purge, hidden)));
  await receipts.syncDrafts();
  const files = await blobs.removeFolders(purges.map(vehiclePrefix));
  for (const write of late) await write?.();
  await receipts.syncDrafts();
  await state.finishPurges(purges);
  return { files, receipts: await issueReceipts(archive, purges) };
}

/** Issues receipts of vehicles that are gone: those that a crash prevented, or those of some vehicles. */
export async function issueReceipts(
  { blobs, receipts, state }: OpenArchive,
  of?: readonly VehicleKey[],
): Promise<readonly string[]> {
  const wanted = of && new Set(of.map(vehiclePrefix));
  const unfinished = new Set((await state.unfinishedPurges()).map(vehiclePrefix));
  const gone: VehicleKey[] = [];
  for (const key of await receipts.drafts()) {
    const prefix = vehiclePrefix(key);
    if ((wanted && !wanted.has(prefix)) || unfinished.has(prefix)) continue;
    const { blobs: left } = await blobs.list(prefix);
    if (left.length === 0) gone.push(key);
  }
  return receipts.issue(gone);
}

/**
 * Writes down what the receipt will say, before anything is removed.
 *
 * @returns where the disk is full: how to write it once there is room. Until then the manifest of the vehicle stays.
 */
async function drafting(
  archive: OpenArchive,
  key: VehicleKey,
  allHidden: readonly PurgedFolder[],
): Promise<(() => Promise<void>) | undefined> {
  const { receipts, now } = archive;
  if (await receipts.hasDraft(key)) return undefined;
  const hidden = allHidden.filter((one) => one.vehicle === key.vehicle && one.brand === key.brand);
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
    ...storageOf(await archive.state.purged(key, hidden)),
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
