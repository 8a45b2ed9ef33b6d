import { add } from './findings.js';
import { responseRules } from './generated/response-rules.js';
import { anything, type ValueRule } from './value-rules.js';

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
