import { run } from './findings.js';
import type { OperationId, ResponseOf } from './generated/operation-types.js';
import { responseRule } from './response-rule.js';
import type { ValidationOptions, ValidationResult } from './validation-result.js';

/**
 * Checks the parsed JSON body of a response against what the contract states for the operation and the HTTP status.
 *
 * Responses are read tolerantly: unknown members pass and stay. A status that the contract does not list is an issue of its own.
 */
export function validateResponse<Id extends OperationId, Status extends number>(
  operationId: Id,
  status: Status,
  body: unknown,
  options?: ValidationOptions,
): ValidationResult<ResponseOf<Id, Status>> {
  return run('body', options, responseRule(operationId, status).check, body, body as ResponseOf<Id, Status>);
}
