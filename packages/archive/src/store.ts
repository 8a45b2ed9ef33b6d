// What a place for archives other than a folder implements, and what it gets done with that: `@vehicle-data/archive/store`.

export type { ArchiveIdentity } from './archive-identity.js';
export { settleArchive } from './archive-identity.js';
export type { ReadWindow, WindowRequest } from './export/read-window.js';
export type { FetchedWindow, FileContext, WindowPart, WindowStores, WindowTask } from './export/write-window.js';
export { encodeWindow, fetchWindow, writeWindow } from './export/write-window.js';
export { folderStores } from './folder/folder-stores.js';
export { type MergedMonth, mergedMonth, mergedParts, settledMonths } from './merge-months.js';
export { newPseudonymKey } from './pseudonyms.js';
export type { BlobInfo, BlobPage, BlobStore, PutOptions } from './store/blob-store.js';
export type {
  Arrivals,
  Lease,
  LeaseHolder,
  Purge,
  StateStore,
  VehicleFilter,
  VehicleKey,
  WindowEntry,
  WindowFilter,
  WindowKey,
} from './store/state-store.js';
export { viewTexts } from './views.js';
export { windowsOf } from './windows.js';
