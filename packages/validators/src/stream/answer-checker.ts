import { add, startFindings } from '../findings.js';
import type { OperationId } from '../generated/operation-types.js';
import { responseNodes } from '../generated/stream-nodes.js';
import { DocumentChecker, type ResponseChecker } from './response-checker.js';
import { anything } from './stream-node.js';

/** Finds what the contract says about an answer. Pieces of at least `leastForKernel` bytes go through the WebAssembly kernel. */
export function createAnswerChecker(
  operationId: OperationId,
  status: number,
  leastForKernel?: number,
): ResponseChecker {
  const nodes = Object.hasOwn(responseNodes, operationId) ? responseNodes[operationId] : undefined;
  const node = nodes !== undefined && Object.hasOwn(nodes, status) ? nodes[status] : undefined;
  if (node) return new DocumentChecker(node, undefined, leastForKernel);
  const findings = startFindings('body');
  const listed = nodes ? `; listed are ${Object.keys(nodes).join(', ')}` : '';
  add(findings, '', nodes ? 'status' : 'operation', `belongs to no answer that the contract lists${listed}`);
  return new DocumentChecker(anything, findings.issues[0], leastForKernel);
}
