export type {
  DateRangeSpec,
  EnumerationSignal,
  ErrorEntry,
  NumberSignal,
  OperationSpec,
  ParameterRule,
  ParameterSpec,
  Resolution,
  SeriesSpec,
  VssDatatype,
  VssName,
  VssNames,
  VssRecordName,
  VssValue,
  WideEffectSpec,
} from './contract.js';
export { type ErrorCode, errorCatalogue } from './generated/errors.js';
export { contractVersion, type OperationId, operations, requestIdPattern } from './generated/operations.js';
export type * from './generated/schemas.js';
export type { components, operations as OperationTypes, paths } from './generated/types.js';
export { vssNames } from './generated/vss.js';
