// An archive of version 1 that cannot be changed, such as a backup: its one manifest is read into memory.
import { vehiclePrefix } from '../format/layout.js';
import { entriesOf, entryOf, placeEntry, type VehicleWindows } from '../format/manifest-lines.js';
import type { FolderState } from './folder-state.js';
import { firstVersionLines } from './migrate.js';

/** The state of an archive of version 1, to read only. */
export async function firstVersionState(current: FolderState, folder: string): Promise<FolderState> {
  const held = new Map<string, VehicleWindows>();
  for await (const entry of firstVersionLines(folder, false)) {
    if ('kind' in entry) continue;
    const windows: VehicleWindows = held.get(vehiclePrefix(entry)) ?? new Map();
    placeEntry(windows, entry);
    held.set(vehiclePrefix(entry), windows);
  }
  const none: VehicleWindows = new Map();
  return {
    ...current,
    async *windows(filter = {}) {
      for await (const vehicle of current.vehicles(filter))
        for (const entry of entriesOf(held.get(vehiclePrefix(vehicle)) ?? none))
          if (entry.series === (filter.series ?? entry.series) && !(filter.open === true && entry.settled)) yield entry;
    },
    find: async (window) => entryOf(held.get(vehiclePrefix(window)) ?? none, window),
    readable: async (vehicle) => ({ entries: entriesOf(held.get(vehiclePrefix(vehicle)) ?? none), damaged: [] }),
  };
}
