import type { OperationId } from './generated/operations.js';
import type { Rule } from './rules.js';

/** One parameter of an operation that user code gives. */
export interface Parameter extends Rule {
  readonly in: 'path' | 'query';
  /** Whether the value is a number or a boolean. */
  readonly isNoText?: true;
}

/** One method of the client and the operation behind it. */
export interface Operation {
  /** Name of the method, for messages. */
  readonly name: string;
  readonly id: OperationId;
  readonly method: 'GET' | 'DELETE';
  /** Path template. Logs show it in place of the address. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Whether the call works without an access token. */
  readonly isTokenOptional?: true;
  /** Whether the brand in effect must be repeated, because the effect reaches everything of it. */
  readonly isConfirmed?: true;
  /** Members of `data` that every response must have, with their checks. */
  readonly needs?: Readonly<Record<string, (value: unknown) => boolean>>;
  /** Two date parameters, and how many days the second may be after the first. */
  readonly range?: { readonly start: string; readonly end: string; readonly maxDays: number };
  /** Member of `data` with the time at which the vehicle sent the data. */
  readonly measuredAt?: string;
}
