import type { ArchiveSettings } from '../archive-settings.js';
import type { Lease, VehicleKey } from '../store/state-store.js';
import type { AccessLog } from './access-log.js';
import type { FolderBlobs } from './folder-blobs.js';
import type { FolderReceipts } from './folder-receipts.js';
import type { FolderState } from './folder-state.js';

/** An archive that is open: what its functions work on. */
export interface OpenArchive {
  readonly blobs: FolderBlobs;
  readonly state: FolderState;
  /** What makes this process the only one that changes the archive; `undefined` where it only reads. */
  readonly lease: Lease | undefined;
  /** Replaced where another contract is accepted. */
  settings: ArchiveSettings;
  readonly now: () => number;
  readonly pseudonymOf: (vin: string) => string;
  readonly receipts: FolderReceipts;
  readonly log: AccessLog;
  /** A file of each series that was found before: views need one. */
  readonly seen: Map<string, string>;
  /** Where the entries of a vehicle stand. */
  readonly manifestOf: (vehicle: VehicleKey) => string;
}
