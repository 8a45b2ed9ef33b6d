import type { Call, ReadResponse } from './call.js';
import { callError } from './client-error.js';
import { MalformedResponseError } from './errors.js';
import type { OperationId } from './generated/operations.js';
import { report } from './observe.js';

/** One place where a response violates the contract. */
export interface ResponseIssue {
  readonly kind: string;
  readonly in: string;
  readonly name: string;
  /** JSON Pointer of the place in the body. */
  readonly pointer: string;
  readonly rule: string;
  readonly message: string;
}

/** Checks one response: `validateResponse` of `@vehicle-data/validators`, or a function of the same shape. */
export type ResponseValidator = (
  operation: OperationId,
  status: number,
  body: unknown,
) => { readonly ok: true } | { readonly ok: false; readonly issues: readonly ResponseIssue[] };

/** Check of responses against the contract. */
export interface ResponseValidation {
  readonly responses: ResponseValidator;
  /** `report` calls hook and logger and returns the response, `enforce` throws, `off` does not check. Default `report`. */
  readonly mode?: 'off' | 'report' | 'enforce' | undefined;
}

/** Checks a response against the contract, where the client has a validator. */
export function checkContract(call: Call, { body, status, requestId }: ReadResponse): void {
  const { validate } = call;
  if (!validate || validate.mode === 'off') return;
  const verdict = validate.responses(call.operation.id, status, body);
  if (verdict.ok) return;
  const { issues } = verdict;
  const code = 'invalid-response';
  report(call, 'onInvalidResponse', { status, requestId, code }, issues);
  if (validate.mode !== 'enforce') return;
  const reason = 'the response breaks the contract';
  throw callError(call, MalformedResponseError, code, 'report', reason, { status, requestId, details: issues });
}
