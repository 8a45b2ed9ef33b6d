import type { OperationId } from './generated/operations.js';

/** What the contract says about one value. */
export interface Rule {
  /** What the value must be, in words. */
  readonly expected: string;
  /** An example, as the end of that sentence. */
  readonly example?: string;
  /** Type of the value. Default: a text. */
  readonly type?: 'integer' | 'boolean';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly values?: readonly string[];
  readonly pattern?: RegExp;
  readonly maxLength?: number;
  /** Whether the text must name a real calendar day. */
  readonly isDay?: true;
  /** Whether the value names a vehicle, and so a person. */
  readonly isPersonal?: true;
}

/** One parameter of an operation that user code gives. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly rule: Rule;
  readonly required: boolean;
}

/** One method of the client and the operation behind it. */
export interface Operation {
  /** Name of the method, for messages. */
  readonly name: string;
  readonly id: OperationId;
  readonly method: 'GET' | 'DELETE';
  /** Path template. Logs show it in place of the address. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Whether the call works without an access token. */
  readonly isTokenOptional?: true;
  /** Whether the brand in effect must be repeated, because the effect reaches everything of it. */
  readonly isConfirmed?: true;
  /** Members of `data` that every response must have. */
  readonly needs?: Readonly<Record<string, 'list' | 'object'>>;
  /** Two date parameters, and how many days the second may be after the first. */
  readonly range?: { readonly start: string; readonly end: string; readonly maxDays: number };
  /** Name of the series, member of `data` that holds the list, members of an item that hold its start and its length. */
  readonly series?: {
    readonly name: string;
    readonly items: string;
    readonly startTime: string;
    readonly duration: string;
  };
  /** Member of `data` with the time at which the vehicle sent the data. */
  readonly measuredAt?: string;
}
