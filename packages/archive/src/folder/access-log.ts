// Who read what: each export of a vehicle stands in the folder of the vehicle and goes with it; each copy of the archive stands beside it.
import { join } from 'node:path';
import { type FileLayer, makeFolders, textOf } from '../file-layer.js';
import { copiesName, exportsName, vehiclePrefix } from '../format/layout.js';
import type { VehicleKey } from '../store/state-store.js';

/** Data of a vehicle that left the service, or the archive. */
export interface Access {
  /** `export`: fetched from the service into the archive. `backup`: copied from the archive, sealed. */
  readonly what: 'export' | 'backup';
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Who did it, as the program said. */
  readonly by: string;
  /** Where the data went: a folder. */
  readonly to: string;
  /** Series and days that were asked for; all that was held where they are left out. */
  readonly series?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** The log of an archive in a folder. */
export type AccessLog = ReturnType<typeof accessLog>;

/** The log of an archive in a folder. */
export function accessLog(files: FileLayer, folder: string) {
  // A crash may leave half of a line; the next one begins behind a line break.
  const append = (path: string, access: Access) => files.append(path, `\n${JSON.stringify(access)}\n`);
  return {
    /** Written before the data is: no data is in the archive that the log does not know of. */
    async exported(vehicle: VehicleKey, access: Omit<Access, 'what' | 'to'>): Promise<void> {
      await makeFolders(files, folder, vehiclePrefix(vehicle).slice(0, -1));
      await append(join(folder, vehiclePrefix(vehicle), exportsName), { what: 'export', to: folder, ...access });
    },
    copied: (access: Omit<Access, 'what'>): Promise<void> =>
      append(join(folder, copiesName), { what: 'backup', ...access }),
    /** What is known of a vehicle, the oldest first. */
    async of(vehicle: VehicleKey): Promise<readonly Access[]> {
      const exports = accessesIn(await textOf(files, join(folder, vehiclePrefix(vehicle), exportsName)));
      const copies = accessesIn(await textOf(files, join(folder, copiesName)));
      const since = exports[0]?.at ?? '';
      const all = [...exports, ...copies.filter(({ at }) => at >= since)];
      return all.sort((one, other) => (one.at < other.at ? -1 : 1));
    },
  };
}

function accessesIn(text = ''): readonly Access[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      // Only this program writes the log.
      return typeof value === 'object' && value !== null && 'at' in value ? [value as Access] : [];
    } catch {
      return [];
    }
  });
}
