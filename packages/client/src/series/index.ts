export { seriesTable } from '../generated/signals.js';
export type {
  ColumnOptions,
  ColumnsOf,
  EnumerationColumn,
  NumberColumn,
  SampleCounts,
  TripColumns,
} from './columns.js';
export { toColumns } from './columns.js';
export { lttb, minMax } from './decimate.js';
export type { JoinedTrip } from './join-trips.js';
export { joinTrips } from './join-trips.js';
export type { Gap, Point, SampleOf } from './points.js';
export { gaps, points } from './points.js';
export type { Align, ResampledRows, Row, RowSet } from './rows.js';
export { resample, toRows } from './rows.js';
export type { SeriesErrorCode } from './series-error.js';
export { SeriesError } from './series-error.js';
export type {
  EnumerationPath,
  NumberPath,
  SeriesName,
  SignalPath,
  SignalRule,
  TripOf,
  ValueOf,
} from './signal-rules.js';
export { signalsOf } from './signal-rules.js';
export type { EnumerationSummary, NumberSummary, TripSummary } from './summary.js';
export { summary } from './summary.js';
export type { CsvOptions } from './text-files.js';
export { toCsv, toNdjson } from './text-files.js';
export type { TimeBasis } from './time-basis.js';
export { usualStep } from './time-basis.js';
