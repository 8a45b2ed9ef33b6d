// Which vehicles a list of the service leaves out, and when a list is not believed.
import { ArchiveError, requireArgument } from './archive-error.js';
import type { OpenArchive } from './folder/open-archive.js';
import type { Purge } from './store/state-store.js';

/** Who shares data according to the service. */
export interface ConsentList {
  readonly brand: string;
  /** VINs of all vehicles of the brand that share data, from `listVehicles`. */
  readonly vins: readonly string[];
  /** VINs of the only vehicles that are purged if they are not in the list. Default: all of the brand. */
  readonly among?: readonly string[] | undefined;
  /** How many vehicles may be missing from the list. Needed where that is more than half of the brand's. */
  readonly confirmPurge?: number | undefined;
}

/**
 * Checks a list, and gives the function that compares it with what the archive holds by then.
 *
 * @returns the vehicles of the brand that no longer share data. It rejects with `purge-not-confirmed` where the list has less than
 *   half of them and `confirmPurge` is not the number of those that it does not have.
 * @throws ArchiveError `invalid-argument`.
 */
export function missingFrom(
  { pseudonymOf, state }: OpenArchive,
  { brand, vins, among, confirmPurge }: ConsentList,
): () => Promise<readonly Purge[]> {
  requireArgument(Array.isArray(vins), 'vins must be the list of vehicles that share data');
  const sharing = new Set(vins.map((vin) => pseudonymOf(vin)));
  const chosen = among && new Set(among.map((vin) => pseudonymOf(vin)));
  return async () => {
    const held = new Set<string>();
    // Also those whose first entry a crash prevented.
    for await (const { vehicle } of state.vehicles({ brand })) held.add(vehicle);
    const missing = [...held].filter((vehicle) => !sharing.has(vehicle));
    const gone = missing.filter((vehicle) => chosen?.has(vehicle) ?? true);
    if (gone.length > 0 && missing.length * 2 > held.size && confirmPurge !== missing.length) {
      throw new ArchiveError(
        'purge-not-confirmed',
        `${missing.length} of ${held.size} vehicles no longer share data; check the list, then confirm the number to purge them`,
        { count: missing.length },
      );
    }
    return gone.map((vehicle) => ({ vehicle, brand }));
  };
}
