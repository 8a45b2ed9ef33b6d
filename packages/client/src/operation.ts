import type { OperationId } from './generated/operations.js';

/** What the contract says about one value. */
export interface Rule {
  readonly values?: readonly string[];
  readonly pattern?: RegExp;
  readonly maxLength?: number;
  readonly format?: 'basic-date' | 'iana-time-zone';
}

/** One operation, as compact as the run time needs it. */
export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'DELETE';
  /** Path template. It stands for the call in logs, in place of the address. */
  readonly path: string;
  /** Place, rule, and whether it can be left out, by parameter name. */
  readonly parameters: Readonly<Record<string, readonly ['path' | 'query', Rule, true?]>>;
  /** Whether the call works without an access token. */
  readonly isOpen?: true;
  /** Members of `data` that every answer must have; a name with `[]` must be a list, one without an object. */
  readonly needs?: readonly string[];
  /** Start parameter, end parameter, and how many days the second may lie after the first. */
  readonly range?: readonly [string, string, number];
  /** Name of the series, member of `data` that holds the list, member of an item that holds its start time. */
  readonly series?: readonly [string, string, string];
  /** Parameter whose absence widens the effect, and the names of the methods with and without it. */
  readonly wide?: readonly [string, string, string];
  /** Member of `data` with the time at which the vehicle sent the data. */
  readonly measuredAt?: string;
}
