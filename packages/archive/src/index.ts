export type { Archive, PurgeReport, VehicleName } from './archive.js';
export type { ArchiveErrorCode } from './archive-error.js';
export { ArchiveError } from './archive-error.js';
export type { ArchiveFormat, ArchiveSettings, ArchiveShape, SignalNames } from './archive-settings.js';
export type { BackupOptions, BackupReport } from './backup/backup.js';
export type { RestoreOptions, RestoreReport } from './backup/restore.js';
export type { BackupKey } from './backup/sealing.js';
export type {
  ExportOptions,
  ExportProgress,
  ExportReport,
  VehicleOutcome,
  WindowFailure,
} from './export/export-trips.js';
export type { WindowState } from './export/find-window.js';
export type { ExportRequest, PlannedWindow } from './export/plan-export.js';
export type { ReadWindow, WindowRequest } from './export/read-window.js';
export type { FileLayer } from './file-layer.js';
export type { Access } from './folder/access-log.js';
export type { StoredReceipt } from './folder/folder-receipts.js';
export type { HeldTrips } from './held-trips.js';
export type { MergeReport } from './merge-months.js';
export type { ArchiveOptions, OpenOptions } from './open.js';
export { createArchive, createBackupKey, openArchive, repairArchive, restoreArchive, unlockArchive } from './open.js';
export type { ParquetCodec } from './parquet-codec.js';
export type {
  LateTrip,
  MonthQuality,
  QualityAlarm,
  QualityAlarmKind,
  QualityGap,
  QualityOptions,
  QualityReport,
  VehicleQuality,
} from './quality/quality-report.js';
export type { ConsentList } from './reconcile.js';
export type { RepairReport } from './repair.js';
export type { LeaseHolder } from './store/state-store.js';
export type { VerifyProblem, VerifyReport } from './verify.js';
export { type DuckdbViewOptions, duckdbViews } from './views.js';
