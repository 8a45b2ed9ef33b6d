// The stores of a folder for programs that schedule windows themselves.
import { disk } from '../file-layer.js';
import type { BlobStore } from '../store/blob-store.js';
import type { StateStore } from '../store/state-store.js';
import { folderBlobs } from './folder-blobs.js';
import { folderState } from './folder-state.js';

/** The files and the state of an archive in a folder. Make the archive with `createArchive` first, and take its lease before a change. */
export function folderStores(folder: string): { readonly blobs: BlobStore; readonly state: StateStore } {
  return { blobs: folderBlobs(disk, folder), state: folderState(disk, folder) };
}
