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

/** A vehicle that is about to be purged. */
export interface VehicleToHide extends VehicleKey {
  readonly erase: boolean;
  /** When its purge was begun, in milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Hides the folders of vehicles; one that is not there is fine. When this resolves, the purges and their times survive a crash. */
export async function hideVehicles(files: FileLayer, folder: string, vehicles: readonly VehicleToHide[]) {
  const taken = new Set((await purgedFolders(files, folder)).map(({ name }) => name));
  const brands = new Set<string>();
  for (const { brand, vehicle, erase, at: time } of vehicles) {
    const at = join(folder, `brand=${brand}`, `vehicle=${vehicle}`);
    if (!(await files.stat(at))) continue;
    const nameOf = (number: number) => `.purge-${erase ? 'erase' : 'withdraw'}-${brand}-${vehicle}-${number}`;
    let number = time;
    while (taken.has(nameOf(number))) number += 1;
    await files.rename(at, join(folder, nameOf(number)));
    taken.add(nameOf(number));
    brands.add(brand);
  }
  if (brands.size > 0) await files.syncFolder(folder);
  for (const brand of brands) await files.syncFolder(join(folder, `brand=${brand}`));
}

/** Waits for all of some changes, also where one fails: none of them continues behind the back of whoever waits. */
export async function allOf<Result>(changes: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(changes);
  return Promise.all(changes);
}

/** Removes everything inside a folder, but for the file that is kept. Returns the paths of the files that were there. */
export async function emptyFolder(files: FileLayer, path: string, kept?: string): Promise<readonly string[]> {
  const paths = (await files.list(path)).filter((one) => one !== kept);
  await allOf(paths.map((file) => files.remove(join(path, file))));
  const folders = await files.list(path, 'folders');
  for (const inner of folders.toReversed()) await files.removeFolder(join(path, inner));
  return paths;
}
