import { add, run, startFindings, toResult } from './findings.js';
import { responseChecks } from './generated/operation-tables.js';
import type { OperationId, ResponseOf } from './generated/operation-types.js';
import type { ValidationOptions, ValidationResult } from './validation-result.js';

/**
 * Checks the parsed JSON body of an answer against what the contract states for the operation and the HTTP status.
 *
 * Answers are read tolerantly: unknown members pass and stay. A status that the contract does not list is an issue of its own.
 */
export function validateResponse<Id extends OperationId, Status extends number>(
  operationId: Id,
  status: Status,
  body: unknown,
  options?: ValidationOptions,
): ValidationResult<ResponseOf<Id, Status>> {
  const findings = startFindings('body', options);
  const checks = Object.hasOwn(responseChecks, operationId) ? responseChecks[operationId] : undefined;
  const check = checks !== undefined && Object.hasOwn(checks, status) ? checks[status] : undefined;
  if (check === undefined) {
    const words = `belongs to an answer that the contract does not list${checks ? `; listed are ${Object.keys(checks).join(', ')}` : ''}`;
    add(findings, '', 'shape', checks ? 'status' : 'operation', words);
  } else run(findings, () => check(body, findings, '', ''));
  return toResult(findings, body as ResponseOf<Id, Status>);
}
