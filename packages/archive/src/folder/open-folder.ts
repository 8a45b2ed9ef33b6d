// Opens the folder of an archive: what was left by a crash goes, an archive of version 1 becomes one of version 2, settings are compared.
import { join } from 'node:path';
import { ArchiveError } from '../archive-error.js';
import { readSettings, settleSettings, storeSettings, type WantedSettings } from '../archive-settings.js';
import type { FileLayer } from '../file-layer.js';
import { manifestName, vehiclePrefix } from '../format/layout.js';
import { isTemporary } from '../own-files.js';
import { noPseudonyms, readPseudonyms } from '../pseudonyms.js';
import type { Lease } from '../store/state-store.js';
import { accessLog } from './access-log.js';
import { firstVersionState } from './first-version-state.js';
import { folderBlobs } from './folder-blobs.js';
import { folderReceipts } from './folder-receipts.js';
import { type FolderState, folderState } from './folder-state.js';
import { migrateFirstVersion } from './migrate.js';
import type { OpenArchive } from './open-archive.js';

/** What is known before a folder is opened. */
interface Opening {
  readonly files: FileLayer;
  readonly folder: string;
  /** `undefined` opens to read only. */
  readonly lease: Lease | undefined;
  readonly now: () => number;
  /** `undefined` takes the settings of the archive. */
  readonly wanted: WantedSettings | undefined;
  readonly skipDamaged: boolean;
}

/** @throws ArchiveError `archive-missing`, `archive-damaged`, `settings-differ`, `key-file-missing`, `key-file-unsafe`. */
export async function openStores({ files, folder, lease, now, wanted, skipDamaged }: Opening): Promise<OpenArchive> {
  const [blobs, current] = [folderBlobs(files, folder), folderState(files, folder)];
  const found = await readSettings(current);
  const key = join(folder, 'archive.key');
  const mayDoWithout = wanted === undefined && !(await files.stat(key));
  const { keyId, pseudonymOf } = mayDoWithout ? noPseudonyms : await readPseudonyms(files, key, !found);
  const hasFirstManifest = (await files.stat(join(folder, 'manifest.ndjson'))) !== undefined;
  if (!found && (hasFirstManifest || (await holdsVehicle(current))))
    throw new ArchiveError('archive-missing', 'the folder holds no archive; check the path, or restore archive.json');
  if (lease) {
    // Those of version 1, and of an archive that was never made whole, may be anywhere.
    const isAnywhere = !found || found.isFirstVersion;
    for (const path of await files.list(folder, 'files', '', isAnywhere))
      if (isTemporary(path)) await files.remove(join(folder, path));
  }
  const isFirst = found?.isFirstVersion === true;
  if (lease && found && isFirst)
    await migrateFirstVersion(files, folder, skipDamaged, async (purges) => {
      for (const purge of purges) await current.beginPurge(purge);
      await storeSettings(current, found.settings);
    });
  else if (lease && hasFirstManifest) await files.remove(join(folder, 'manifest.ndjson'));
  const state = isFirst && !lease ? await firstVersionState(current, folder) : current;
  const isEmpty = async () => {
    for await (const vehicle of state.vehicles()) {
      const { entries, damaged } = await state.readable(vehicle);
      if (entries.length + damaged.length > 0) return false;
    }
    const { blobs: all } = await blobs.list('brand=');
    return all.length === 0;
  };
  const stored = found?.settings;
  const isReplaceable = stored !== undefined && wanted !== undefined && (await isEmpty());
  const settings = settleSettings(stored, wanted ?? {}, keyId, isReplaceable);
  if (settings !== stored && lease) await storeSettings(state, settings);
  const [receipts, log] = [folderReceipts(files, folder, now), accessLog(files, folder)];
  const manifestOf = (vehicle: Parameters<typeof vehiclePrefix>[0]) => vehiclePrefix(vehicle) + manifestName;
  return {
    blobs,
    state,
    lease,
    settings,
    now,
    pseudonymOf,
    receipts,
    log,
    manifestOf,
    seen: new Map(),
  };
}

/** Whether a vehicle is held, whatever of it. Settings are written before the first. */
async function holdsVehicle({ vehicles }: FolderState): Promise<boolean> {
  for await (const _ of vehicles()) return true;
  return false;
}
