// How an archive is laid out and read, for programs that have its files by other ways than a folder: `@vehicle-data/archive/format`.
export {
  exportsName,
  isOwnFile,
  manifestName,
  receiptsFolder,
  vehiclePrefix,
  windowPath,
  windowPathOf,
} from './layout.js';
export type { ManifestText, VehicleWindows } from './manifest-lines.js';
export { entriesOf, entryOf, lineOf, readFirstManifest, readManifest } from './manifest-lines.js';
export type { Decompressors, TripsFile } from './read-trips.js';
export { readTrips } from './read-trips.js';
export type { Arrivals, VehicleKey, WindowEntry, WindowKey } from './window-entry.js';
