// What a place for archives other than a folder implements, and what it gets done with that: `@vehicle-data/archive/store`.
export { folderStores } from '../folder/folder-stores.js';
export { newPseudonymKey } from '../pseudonyms.js';
export { viewTexts } from '../views.js';
export { windowsOf } from '../windows.js';
export type { ArchiveIdentity } from './archive-identity.js';
export { settleArchive } from './archive-identity.js';
export type { BlobInfo, BlobPage, BlobStore, PutOptions } from './blob-store.js';
export type { ReadWindow, WindowRequest } from './read-window.js';
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
} from './state-store.js';
export type { FetchedWindow, FileContext, WindowPart, WindowStores, WindowTask } from './write-window.js';
export { encodeWindow, fetchWindow, writeWindow } from './write-window.js';
