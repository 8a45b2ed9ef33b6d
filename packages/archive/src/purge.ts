import type { OpenArchive } from './export-windows.js';
import { vehiclePrefix } from './format/layout.js';
import type { Purge } from './store/state-store.js';

/**
 * Removes everything of a vehicle, or of a vehicle in one brand, so that not even its pseudonym is left. The intent is stored first;
 * a purge that a crash ended is finished when the archive is opened.
 *
 * @returns how many files there were
 */
export async function purgeVehicle(
  { blobs, state }: Pick<OpenArchive, 'blobs' | 'state'>,
  purge: Purge,
): Promise<number> {
  const { vehicle, brand, erase } = purge;
  // Also what an earlier attempt began.
  const begun = (await state.unfinishedPurges()).filter((one) => one.vehicle === vehicle);
  const brands = new Set(begun.flatMap((one) => one.brand ?? []).filter((one) => one === (brand ?? one)));
  for await (const each of state.vehicles({ vehicle, brand })) brands.add(each.brand);
  let files = 0;
  for (const each of brands) {
    await state.beginPurge({ vehicle, brand: each, erase });
    files += await blobs.removeAll(vehiclePrefix({ vehicle, brand: each }));
    await state.finishPurge({ vehicle, brand: each, erase });
  }
  // One that the archive never had must not come either.
  if (brands.size === 0 && erase) await state.finishPurge(purge);
  return files;
}
