export type {
  ColumnOptions,
  ColumnsOf,
  EnumerationColumn,
  NumberColumn,
  SampleCounts,
  TripColumns,
} from './columns.js';
export { timesOf, toColumns } from './columns.js';
export type { Row } from './rows.js';
export { fromRows, toRows } from './rows.js';
export { sampleTimes } from './sample-times.js';
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
