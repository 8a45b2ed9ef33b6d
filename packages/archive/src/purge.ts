import type { OpenArchive } from './export-windows.js';
import { removeFile } from './file-layer.js';
import type { Purge } from './manifest.js';

/**
 * Removes everything of a vehicle, or of a vehicle in one brand: its files, their folders, and every line of the manifest, so
 * that not even its pseudonym is left. The intent is written first; a purge that a crash ended is finished when the archive is opened.
 */
export async function purgeVehicle({ files, folder, manifest }: OpenArchive, purge: Purge): Promise<number> {
  await manifest.beginPurge(purge);
  // Asked from the folder, not from the manifest: a file whose line a crash prevented has to go as well.
  const mark = `${purge.brand === undefined ? '' : `/brand=${purge.brand}`}/vehicle=${purge.vehicle}/`;
  const paths = (await files.list(folder)).filter((path) => `/${path}`.includes(mark));
  for (const path of paths) await removeFile(files, folder, path);
  await manifest.finishPurge(purge);
  return paths.length;
}
