import type { OperationId } from './generated/operations.js';

/** One deviation of an answer from the contract. */
export interface AnswerIssue {
  readonly kind: string;
  readonly in: string;
  readonly name: string;
  /** JSON Pointer of the place in the body. */
  readonly pointer: string;
  readonly rule: string;
  readonly message: string;
}

/** Checks one answer: `validateResponse` of `@vehicle-data/validators`, or a function of the same shape. */
export type AnswerValidator = (
  operation: OperationId,
  status: number,
  body: unknown,
) => { readonly ok: true } | { readonly ok: false; readonly issues: readonly AnswerIssue[] };

/** Check of answers against the contract. */
export interface AnswerValidation {
  readonly responses: AnswerValidator;
  /** `report` tells hook and logger and hands the answer over, `enforce` throws, `off` does not check. Default `report`. */
  readonly mode?: 'off' | 'report' | 'enforce' | undefined;
}
