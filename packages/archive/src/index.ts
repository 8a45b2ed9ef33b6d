export type {
  Archive,
  ArchiveOptions,
  ConsentList,
  HeldTrips,
  OpenOptions,
  PurgeReport,
  VehicleName,
} from './archive.js';
export { createArchive, openArchive } from './archive.js';
export type { ArchiveErrorCode } from './archive-error.js';
export { ArchiveError } from './archive-error.js';
export type { ArchiveFormat, ArchiveSettings, ArchiveShape } from './archive-settings.js';
export type {
  ExportOptions,
  ExportProgress,
  ExportReport,
  ExportRequest,
  PlannedWindow,
  VehicleOutcome,
  WindowFailure,
} from './export-trips.js';
export type { ReadWindow, WindowRequest, WindowState } from './export-windows.js';
export type { FileLayer } from './file-layer.js';
export type { ParquetCodec } from './parquet-codec.js';
export type { VerifyProblem, VerifyReport } from './verify.js';
export { duckdbViews } from './views.js';
