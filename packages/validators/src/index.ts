// Any request or response, found by operationId

export type { OperationId, RequestOf, RequestOptions, ResponseOf } from './generated/operation-types.js';
// One validator per component schema (`Vin`, `DrivingTrip`, …) with its type and its guard (`isVin`, …), and one per
// request and response (`getDrivingDataRequest`, …). The names come from the contract, hence the only wildcards here.
export * from './generated/operations.js';
export * from './generated/schemas.js';
export type { RequestParts, RequestValidator } from './request-validator.js';
export { validateRequest } from './validate-request.js';
export { validateResponse } from './validate-response.js';
export type {
  Checked,
  IssueKind,
  IssuePlace,
  ValidationIssue,
  ValidationOptions,
  ValidationResult,
} from './validation-result.js';
export type { StandardResult, StandardSchema, Validator } from './validator.js';
