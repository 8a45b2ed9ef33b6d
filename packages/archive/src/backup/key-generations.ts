// The keys of all vehicles of a backup, sealed for who restores, as dated generations. A vehicle becomes noise when the last one expires that
// has its key.
import { join } from 'node:path';
import { ArchiveError } from '../archive-error.js';
import { type FileLayer, textOf } from '../file-layer.js';
import { emptyFolder } from '../folder/purged-folders.js';
import { receiptsFolder } from '../format/layout.js';
import { readReceipt } from '../receipts/receipt.js';
import type { VehicleKey } from '../store/state-store.js';
import {
  generationOf,
  generationsIn,
  type KeyStore,
  storeNames,
  timeOfGeneration,
  tombstoneOf,
  writeWhole,
} from './backup-folder.js';
import { sealFor, type VehicleSeal } from './sealing.js';

export async function writeGeneration(
  files: FileLayer,
  folder: string,
  keys: string,
  recipient: string,
  vehicles: readonly (VehicleKey & { readonly seal: VehicleSeal })[],
  now: number,
): Promise<string> {
  const last = (await generationsIn(files, keys)).at(-1);
  const generation = generationOf(Math.max(now, last === undefined ? 0 : timeOfGeneration(last) + 1));
  const store: KeyStore = {
    version: 1,
    files: Object.fromEntries(
      await Promise.all(storeNames.map(async (name) => [name, await textOf(files, join(folder, name))] as const)),
    ),
    vehicles: vehicles.map(({ brand, vehicle, seal }) => ({ brand, vehicle, key: seal.identity })),
  };
  const lines = vehicles.map(({ vehicle, seal }) => `${seal.folder} ${tombstoneOf(vehicle)}\n`);
  // First the list: without it, nobody knows which folders a generation opens.
  await writeWhole(files, join(keys, `${generation}.list`), lines.join(''));
  await writeWhole(files, join(keys, `${generation}.age`), await sealFor(recipient, JSON.stringify(store)));
  await files.syncFolder(keys);
  return generation;
}

/** Folders and vehicles of a generation; `undefined` where that is not known. */
async function listOf(files: FileLayer, keys: string, generation: string) {
  const text = await textOf(files, join(keys, `${generation}.list`));
  return text
    ?.split('\n')
    .filter(Boolean)
    .map((line) => ({ folder: line.slice(0, 32), vehicle: line.slice(33) }));
}

/**
 * Removes generations of the key store that are old enough. One that has the key of a vehicle which is missing and was not purged is kept:
 * its folder may have been lost by mistake.
 */
export async function expireKeys(
  files: FileLayer,
  folder: string,
  keys: string,
  how: {
    readonly generation: string;
    readonly now: number;
    readonly keyMs: number;
    readonly forgetMissing: boolean;
  },
) {
  const purgedAt = await purgesIn(files, folder);
  const held = new Set((await listOf(files, keys, how.generation))?.map(({ vehicle }) => vehicle));
  const missing = new Set<string>();
  let generationsExpired = 0;
  for (const generation of await generationsIn(files, keys)) {
    if (generation === how.generation) continue;
    const made = timeOfGeneration(generation);
    const lost = (await listOf(files, keys, generation))?.filter(
      ({ vehicle }) => !held.has(vehicle) && (purgedAt.get(vehicle) ?? 0) < made,
    );
    for (const { vehicle } of lost ?? []) missing.add(vehicle);
    const isNeeded = !how.forgetMissing && lost !== undefined && lost.length > 0;
    if (made > how.now - how.keyMs || isNeeded) continue;
    await files.remove(join(keys, `${generation}.age`));
    await files.syncFolder(keys);
    await files.remove(join(keys, `${generation}.list`));
    generationsExpired += 1;
  }
  for (const name of await files.list(keys, 'files', '', false))
    if (name.endsWith('.tmp')) await files.remove(join(keys, name));
  return { generationsExpired, missing: missing.size };
}

/** When vehicles were purged last, by their tombstones. */
async function purgesIn(files: FileLayer, folder: string): Promise<ReadonlyMap<string, number>> {
  const purgedAt = new Map<string, number>();
  for (const name of await files.list(join(folder, receiptsFolder), 'files', '', false)) {
    const receipt = name.endsWith('.json')
      ? readReceipt((await textOf(files, join(folder, receiptsFolder, name))) ?? '')
      : undefined;
    if (!receipt) continue;
    const vehicle = tombstoneOf(receipt.pii_principal_id);
    purgedAt.set(vehicle, Math.max(purgedAt.get(vehicle) ?? 0, Date.parse(receipt.completed.time)));
  }
  const erased = (await textOf(files, join(folder, 'archive.erased'))) ?? '';
  for (const line of erased.split('\n').filter(Boolean)) purgedAt.set(line, Number.POSITIVE_INFINITY);
  return purgedAt;
}

/** Removes folders of vehicles that no generation has a key of: nobody can open them any more. */
export async function removeNoise(files: FileLayer, to: string, keys: string): Promise<number> {
  const known = new Set<string>();
  for (const generation of await generationsIn(files, keys)) {
    const list = await listOf(files, keys, generation);
    // A generation whose folders are not known may open any of them.
    if (!list) return 0;
    for (const { folder } of list) known.add(folder);
  }
  let removed = 0;
  for (const name of await files.list(join(to, 'vehicles'), 'folders', '', false)) {
    if (known.has(name) || !/^[0-9a-f]{32}$/.test(name)) continue;
    await emptyFolder(files, join(to, 'vehicles', name));
    await files.removeFolder(join(to, 'vehicles', name));
    removed += 1;
  }
  return removed;
}

/** The generations of a backup, the oldest first. @throws ArchiveError `backup-missing`. */
export async function requireGenerations(files: FileLayer, keys: string): Promise<readonly string[]> {
  const generations = await generationsIn(files, keys);
  if (generations.length === 0) throw new ArchiveError('backup-missing', 'the folder has no backup, or no keys of one');
  return generations;
}
