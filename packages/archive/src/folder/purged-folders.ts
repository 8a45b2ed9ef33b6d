// A vehicle that is being purged stands under another name at the top of the archive: one rename hides everything of it at once,
// needs no room on the disk, and says after a crash what is left to do.
import { join } from 'node:path';
import type { FileLayer } from '../file-layer.js';
import type { VehicleKey } from '../store/state-store.js';

/** A vehicle's folder that is being purged. */
export interface PurgedFolder extends VehicleKey {
  /** Name of the folder at the top of the archive. */
  readonly name: string;
  readonly erase: boolean;
  /** When the purge was begun, in milliseconds since 1970 UTC; `undefined` where an earlier version began it. */
  readonly at: number | undefined;
}

const pattern = /^\.purge-(erase|withdraw)-([\w-]+)-([0-9a-f]+)-(\d+)$/;
/** Smaller numbers are those of earlier versions, which counted from 1. */
const firstTime = 1e11;

/** The folders of vehicles that are being purged. */
export async function purgedFolders(files: FileLayer, folder: string): Promise<readonly PurgedFolder[]> {
  return (await files.list(folder, 'folders', '', false)).flatMap((name) => {
    const [, kind, brand, vehicle, number] = pattern.exec(name) ?? [];
    if (brand === undefined || vehicle === undefined) return [];
    const at = Number(number) < firstTime ? undefined : Number(number);
    return [{ name, brand, vehicle, erase: kind === 'erase', at }];
  });
}

/** Hides a vehicle's folder; one that is not there is fine. When this resolves, the purge and its time survive a crash. */
export async function hideVehicle(files: FileLayer, folder: string, vehicle: VehicleKey, erase: boolean, time: number) {
  const inBrand = `brand=${vehicle.brand}`;
  const at = join(folder, inBrand, `vehicle=${vehicle.vehicle}`);
  if (!(await files.stat(at))) return;
  const taken = new Set((await purgedFolders(files, folder)).map(({ name }) => name));
  const nameOf = (number: number) =>
    `.purge-${erase ? 'erase' : 'withdraw'}-${vehicle.brand}-${vehicle.vehicle}-${number}`;
  let number = time;
  while (taken.has(nameOf(number))) number += 1;
  await files.rename(at, join(folder, nameOf(number)));
  await files.syncFolder(folder);
  await files.syncFolder(join(folder, inBrand));
}

/** Removes everything inside a folder, but for the file that is kept. Returns the paths of the files that were there. */
export async function emptyFolder(files: FileLayer, path: string, kept?: string): Promise<readonly string[]> {
  const paths = (await files.list(path)).filter((one) => one !== kept);
  for (const file of paths) await files.remove(join(path, file));
  const folders = await files.list(path, 'folders');
  for (const inner of folders.toReversed()) await files.removeFolder(join(path, inner));
  return paths;
}
