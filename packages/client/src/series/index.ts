export { seriesTable } from '../generated/signals.js';
export {
  type ColumnOptions,
  type ColumnsOf,
  type EnumerationColumn,
  type NumberColumn,
  type SampleCounts,
  type TimeBasis,
  type TripColumns,
  toColumns,
  usualStep,
} from './columns.js';
export type { CsvOptions } from './csv.js';
export { minMax } from './decimate.js';
export { type JoinedTrip, joinTrips } from './join-trips.js';
export { type Gap, gaps, type Point, points, type SampleOf } from './points.js';
export { type Align, type ResampledRows, type Row, type RowSet, resample, toRows } from './rows.js';
export {
  type EnumerationPath,
  type NumberPath,
  SeriesError,
  type SeriesErrorCode,
  type SeriesName,
  type SignalPath,
  type SignalRule,
  signalsOf,
  type TripOf,
  type ValueOf,
} from './signals.js';
export { type EnumerationSummary, type NumberSummary, summary, type TripSummary } from './summary.js';
export { toCsv, toNdjson } from './text-files.js';
export {
  toVss,
  toVssValue,
  type VssColumn,
  type VssColumns,
  type VssName,
  type VssPath,
  type VssTrip,
  type VssValue,
  vssNamesOf,
} from './vss.js';
export { recordToVss, type VssReading, type VssReport, type VssReportName } from './vss-records.js';
