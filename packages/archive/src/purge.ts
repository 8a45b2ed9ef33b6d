import { ArchiveError } from './archive-error.js';
import type { OpenArchive } from './export-windows.js';
import { removeFile } from './file-layer.js';

/** What a purge removed. */
export interface PurgeReport {
  readonly vehicles: readonly string[];
  readonly files: number;
}

/**
 * Removes everything of a vehicle: its files, their folders, and every line of the manifest, so that not even its pseudonym
 * is left. The intent is written first; a purge that a crash ended is finished when the archive is opened.
 */
export async function purgeVehicle({ files, folder, manifest }: OpenArchive, vehicle: string): Promise<number> {
  await manifest.beginPurge(vehicle);
  // Asked from the folder, not from the manifest: a file whose line a crash prevented has to go as well.
  const mark = `/vehicle=${vehicle}/`;
  const paths = (await files.list(folder)).filter((path) => `/${path}`.includes(mark));
  for (const path of paths) await removeFile(files, folder, path);
  await manifest.finishPurge(vehicle);
  return paths.length;
}

/** Who shares data according to the service. */
export interface ConsentList {
  readonly brand: string;
  /** VINs of all vehicles of the brand that share data, from `listVehicles`. */
  readonly vins: readonly string[];
  /** How many vehicles may be purged. Needed where that is more than half of the brand's. */
  readonly confirmPurge?: number | undefined;
}

/**
 * The vehicles of a brand that no longer share data.
 *
 * @throws ArchiveError `purge-not-confirmed` where these are more than half of the brand's vehicles in the archive: an empty
 *   list by mistake must not empty the archive.
 */
export function goneVehicles(
  { manifest, pseudonymOf }: OpenArchive,
  { brand, vins, confirmPurge }: ConsentList,
): readonly string[] {
  if (!Array.isArray(vins))
    throw new ArchiveError('invalid-argument', 'vins must be the list of vehicles that share data');
  const sharing = new Set(vins.map((vin) => pseudonymOf(vin)));
  const held = [...new Set(manifest.entries().flatMap((entry) => (entry.brand === brand ? entry.vehicle : [])))];
  const gone = held.filter((vehicle) => !sharing.has(vehicle));
  if (gone.length * 2 > held.length && confirmPurge !== gone.length) {
    throw new ArchiveError(
      'purge-not-confirmed',
      `${gone.length} of ${held.length} vehicles no longer share data; check the list, then confirm the number to purge them`,
      { count: gone.length },
    );
  }
  return gone;
}
