// Settled months of a lake in a bucket become one file each, as `vds archive merge` makes them in a folder. First the file, then the rows of the
// ledger, then the manifest; then the files of the windows go. Each step is fenced as that of a window; whoever comes next finishes what a crash cut off.

import { vehiclePrefix } from '@vehicle-data/archive/format';
import {
  type ArchiveIdentity,
  type BlobStore,
  mergedMonth,
  mergedParts,
  settledMonths,
} from '@vehicle-data/archive/store';
import { hasHash } from '../lake/has-hash.js';
import { writeManifest } from '../lake/ledger-state.js';
import type { Database } from '../ledger/database.js';
import { entriesOfVehicle } from '../ledger/entries.js';
import { keepMonth, mergeable, noteMerge, noteMerged } from '../ledger/merges.js';
import { type Claim, claimIdle, holds, releaseVehicle, type VehicleName } from '../ledger/windows.js';
import type { Leases } from './leases.js';

/** What a merge works on. */
export interface MergePlaces {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly settings: Pick<ArchiveIdentity['settings'], 'format' | 'codec'>;
  readonly leases: Leases;
}

/** What a merge did. */
export interface MergeOutcome {
  /** Months that are in one file now. */
  months: number;
  /** Files of windows that are gone. */
  filesRemoved: number;
  /** Vehicles that a worker had: the next merge has them. */
  busy: number;
}

/**
 * Merges the settled months of every vehicle. May run beside collectors.
 *
 * @param begun finishes merges that a crash cut off, and begins none
 */
export async function mergeLake(places: MergePlaces, now: number, begun = false): Promise<MergeOutcome> {
  const { database, leases } = places;
  const outcome = { months: 0, filesRemoved: 0, busy: 0 };
  for await (const vehicle of mergeable(database, begun)) {
    const claim = await claimIdle(database, vehicle, leases.ms);
    if (claim) await leases.hold(claim.lease, () => mergeVehicle(places, claim, now, outcome));
    else outcome.busy += 1;
  }
  return outcome;
}

async function mergeVehicle(places: MergePlaces, claim: Claim, now: number, outcome: MergeOutcome): Promise<void> {
  const { database, blobs, settings } = places;
  try {
    for (const windows of settledMonths(await entriesOfVehicle(database, claim), now)) {
      const merged = await mergedMonth(blobs, windows, settings);
      if (!merged) continue;
      // Before the file: one that a crash leaves without a row is found by this.
      await noteMerge(database, claim);
      if (!(await holds(database, claim))) return;
      const { path, sha256 } = merged.entry;
      await blobs.put(path, merged.content, { sha256 });
      if (!(await keepMonth(database, claim, windows, merged.entry))) return;
      outcome.months += 1;
    }
    // Readers of manifests know the month before the files of its windows go.
    if (!(await holds(database, claim))) return;
    await writeManifest(database, blobs, claim);
    outcome.filesRemoved += await removeParts(places, claim);
    await noteMerged(database, claim);
  } finally {
    await releaseVehicle(database, claim);
  }
}

async function removeParts({ database, blobs }: MergePlaces, claim: Claim): Promise<number> {
  let removed = 0;
  const checked = new Map<string, boolean>();
  for (const { path, month } of mergedParts(await pathsOf(blobs, claim), await entriesOfVehicle(database, claim))) {
    const isWhole = checked.get(month.path) ?? hasHash(await blobs.get(month.path), month.sha256);
    checked.set(month.path, isWhole);
    if (!isWhole || !(await holds(database, claim))) continue;
    await blobs.remove(path);
    removed += 1;
  }
  return removed;
}

async function pathsOf(blobs: BlobStore, vehicle: VehicleName): Promise<readonly string[]> {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await blobs.list(vehiclePrefix(vehicle), cursor);
    paths.push(...page.blobs.map(({ key }) => key));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return paths;
}
