import { add, type Findings, run } from './findings.js';
import { makeResponseChecks } from './generated/operation-tables.js';
import type { OperationId, ResponseOf } from './generated/operation-types.js';
import type { ValidationOptions, ValidationResult } from './validation-result.js';

/** Made at the first answer: a program that imports all validators and asks for one by its name pays nothing for the table. */
let known: ReturnType<typeof makeResponseChecks> | undefined;

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
  known ??= makeResponseChecks();
  const checks = known[operationId];
  const check = checks?.[status] ?? ((findings) => refuseAnswer(findings, checks));
  return run('body', options, check, body, body as ResponseOf<Id, Status>);
}

function refuseAnswer(findings: Findings, checks: object | undefined): void {
  const listed = checks ? `; listed are ${Object.keys(checks).join(', ')}` : '';
  add(findings, '', checks ? 'status' : 'operation', `belongs to no answer that the contract lists${listed}`);
}
