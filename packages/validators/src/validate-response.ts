import { add, type Findings, run } from './findings.js';
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
  const checks = Object.hasOwn(responseChecks, operationId) ? responseChecks[operationId] : undefined;
  const check = checks !== undefined && Object.hasOwn(checks, status) ? checks[status] : undefined;
  const refuse = (findings: Findings) => {
    const listed = checks ? `; listed are ${Object.keys(checks).join(', ')}` : '';
    add(findings, '', checks ? 'status' : 'operation', `belongs to no answer that the contract lists${listed}`);
  };
  return run('body', options, check ?? refuse, body, body as ResponseOf<Id, Status>);
}
