import { brandRule, type OperationId } from './generated/operations.js';
import type { Brand } from './generated/schemas.js';
import { isFunction, isText, membersOf, must, objectWith, positive, type Rules, wholeNumber } from './rules.js';

/** One attempt of a call. */
export interface Attempt {
  readonly operation: OperationId;
  readonly method: string;
  /** Path template. */
  readonly route: string;
  /** 1 for the first attempt, 0 before it. */
  readonly attempt: number;
  readonly brand: Brand;
}

/** Headers as they are, or a function that gives them for each attempt, for example trace context. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | ((attempt: Attempt) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** Options of one call. They win over those of the client. */
export interface CallOptions {
  /** Ends the call, with everything that belongs to it. */
  readonly signal?: AbortSignal | null | undefined;
  /** Deadline of the whole call in milliseconds, with every retry and the body. Default: the client's, thirty seconds. */
  readonly timeoutMs?: number | undefined;
  /** Retries after a temporary failure. Default: the client's, two. */
  readonly maxRetries?: number | undefined;
  /** Further headers. `Authorization`, `Brand` and `X-Api-Key` are the client's own and rejected. */
  readonly headers?: HeaderSource | undefined;
  /** Vehicle brand. Default: the client's. */
  readonly brand?: Brand | undefined;
}

/** Names and values that a header can carry, without those of the client: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
export function areHeaders(value: unknown): value is Readonly<Record<string, string>> {
  const headers = membersOf(value);
  return (
    headers !== undefined &&
    Object.entries(headers).every(
      ([name, text]) =>
        /^(?!(authorization|brand|x-api-key)$)[!#$%&'*+.^_`|~\w-]+$/i.test(name) &&
        isText(text) &&
        /^[\t -~\x80-\xff]*$/.test(text),
    )
  );
}

/** An AbortSignal, also of another realm. */
const { isValid: isSignal } = objectWith('removeEventListener');

/** Of the options that a client has as well, and that differ between users. */
export const sharedRules: Rules<Pick<CallOptions, 'signal' | 'headers' | 'brand'>> = {
  signal: must('an AbortSignal', (value) => value === null || isSignal(value)),
  headers: must(
    'an object of texts without Authorization, Brand and X-Api-Key, or a function that gives one',
    (value) => isFunction(value) || areHeaders(value),
  ),
  brand: brandRule,
};

export const callOptionRules: Rules<CallOptions> = {
  ...sharedRules,
  timeoutMs: positive('milliseconds'),
  maxRetries: wholeNumber(0),
};
