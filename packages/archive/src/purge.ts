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
