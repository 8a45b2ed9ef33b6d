import { join } from 'node:path';
import type { OpenArchive } from './export-windows.js';
import type { Purge } from './manifest.js';

/**
 * Removes everything of a vehicle, or of a vehicle in one brand: its files, their folders, and every line of the manifest, so
 * that not even its pseudonym is left. The intent is written first; a purge that a crash ended is finished when the archive is opened.
 */
export async function purgeVehicle({ files, folder, manifest }: OpenArchive, purge: Purge): Promise<number> {
  await manifest.beginPurge(purge);
  // Asked from the folder, not from the manifest: a file whose line a crash prevented has to go as well.
  const mark = `${purge.brand === undefined ? '' : `/brand=${purge.brand}`}/vehicle=${purge.vehicle}/`;
  const isMarked = (path: string) => `/${path}/`.includes(mark);
  const paths = (await files.list(folder)).filter(isMarked);
  for (const path of paths) await files.remove(join(folder, path));
  // Also those that a crash or a window without trips left empty. The folder of a brand is synced even where the vehicle's is gone.
  const folders = (await files.list(folder, 'folders')).filter((path) => isMarked(path) || /^brand=[^/]*$/.test(path));
  for (const path of folders.toReversed()) {
    const at = join(folder, path);
    if (!(await files.removeFolder(at))) await files.syncFolder(at);
  }
  await files.syncFolder(folder);
  await manifest.finishPurge(purge);
  return paths.length;
}
