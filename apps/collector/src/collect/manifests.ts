// Manifests in a bucket: written when a vehicle is given back, and here where a crash or the store prevented that.
import type { BlobStore } from '@vehicle-data/archive/store';
import { writeManifest } from '../lake/ledger-state.js';
import type { Database } from '../ledger/database.js';
import { claimManifest, releaseVehicle } from '../ledger/windows.js';
import type { Leases } from './leases.js';

/** Writes every manifest that is behind, of vehicles that nobody works on. */
export async function writeDueManifests(database: Database, blobs: BlobStore, leases: Leases): Promise<void> {
  for (;;) {
    const claim = await claimManifest(database, leases.ms);
    if (!claim) return;
    try {
      await leases.hold(claim.lease, () => writeManifest(database, blobs, claim));
    } finally {
      await releaseVehicle(database, claim);
    }
  }
}
