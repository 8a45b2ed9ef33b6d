import type { OperationId } from './generated/operation-types.js';
import { DocumentChecker } from './stream/document-checker.js';
import { responseRule } from './validate-response.js';

export type { OperationId } from './generated/operation-types.js';
export type { StreamVerdict } from './stream/document-checker.js';
export type { IssueKind, IssuePlace, ValidationIssue } from './validation-result.js';

/** Checks the bytes of one response as they arrive. */
export type ResponseChecker = Pick<DocumentChecker, 'write' | 'end'>;

/**
 * Makes a checker for the body of one response. The body is neither held nor parsed into objects: at most one name, number or
 * string with a rule (65,536 bytes) is kept at a time. The verdict is that of `validateResponse` on the parsed body, at the same
 * place; a body that is no JSON text in UTF-8 is an issue with the rule `json`. You can stop at the first `false`: of a body that was not
 * read to its end, the verdict is the first issue.
 *
 * @example
 * const checker = createResponseChecker('getDrivingData', 200);
 * for await (const chunk of body) if (!checker.write(chunk)) break;
 * const verdict = checker.end();
 */
export function createResponseChecker(operationId: OperationId, status: number): ResponseChecker {
  return new DocumentChecker(responseRule(operationId, status));
}
