import { add, run } from './findings.js';
import type { OperationId, ResponseOf } from './generated/operation-types.js';
import { responseRules } from './generated/response-rules.js';
import type { ValidationOptions, ValidationResult } from './validation-result.js';
import { anything, type ValueRule } from './value-rules.js';

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

/** The rule of a response body. Where the contract lists no such response, every body is an issue. */
export function responseRule(operationId: unknown, status: unknown): ValueRule {
  const listed = typeof operationId === 'string' ? responseRules[operationId] : undefined;
  const rule = typeof status === 'number' ? listed?.[status] : undefined;
  if (rule !== undefined) return rule;
  const words = listed ? `; listed are ${Object.keys(listed).join(', ')}` : '';
  const name = listed ? 'status' : 'operation';
  return {
    ...anything,
    isListed: false,
    check: (findings) => add(findings, name, `belongs to no response that the contract lists${words}`),
  };
}
