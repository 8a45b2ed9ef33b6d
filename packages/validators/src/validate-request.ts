import type { OperationId, RequestOf, RequestOptions } from './generated/operation-types.js';
import { requestValidators } from './generated/request-validators.js';
import type { RequestParts, RequestValidator } from './request-validator.js';
import type { ValidationResult } from './validation-result.js';

const validators: Readonly<Record<string, RequestValidator<unknown, RequestOptions>>> = requestValidators;

/**
 * Checks the parameters of a request: path, query and headers of the named operation.
 *
 * The result holds the parameters with their types, defaults filled in, or the first issue (more with `maxIssues`). Headers
 * and path parameters that the contract does not name are ignored; a query parameter that is unknown, repeated or empty is an issue.
 *
 * @example
 * validateRequest('getDrivingData', { path: { vin }, query: 'startDate=20260302&endDate=20260309', headers });
 */
export function validateRequest<Id extends OperationId>(
  operationId: Id,
  parts: RequestParts,
  options?: RequestOptions,
): ValidationResult<RequestOf<Id>> {
  const validator =
    typeof operationId === 'string' && Object.hasOwn(validators, operationId) ? validators[operationId] : undefined;
  if (validator === undefined) {
    const message = 'the operation is not one of the contract';
    return {
      ok: false,
      issues: [{ kind: 'request', in: 'request', name: '', pointer: '', rule: 'operation', message }],
    };
  }
  return validator.validate(parts, options) as ValidationResult<RequestOf<Id>>;
}
