/** What kind of rule a value breaks, so that a client can decide per kind whether to report or to reject. */
export type IssueKind =
  /** A type, a required member, a pattern, a format or a length. */
  | 'shape'
  /** A number outside its stated range. */
  | 'range'
  /** A value that is not in its stated list. */
  | 'enumeration'
  /** A rule about parameters that JSON Schema cannot say: unknown, repeated, empty, date range, wide effect. */
  | 'request';

/** Where in a request or response the value is. */
export type IssuePlace = 'path' | 'query' | 'header' | 'body' | 'request';

/** One violation of the contract. It never holds the value that was rejected. */
export interface ValidationIssue {
  readonly kind: IssueKind;
  readonly in: IssuePlace;
  /** Name of the parameter or header; empty for a body, and for an unknown parameter whose name could itself be a value. */
  readonly name: string;
  /** JSON Pointer into the body or value (https://www.rfc-editor.org/rfc/rfc6901); empty for a parameter and for the whole value. */
  readonly pointer: string;
  /** The rule that is broken: a JSON Schema keyword such as `maximum`, or a request rule such as `dateRange`. */
  readonly rule: string;
  /** What was expected, in words: `/data/vehicles/0/vin is required`. */
  readonly message: string;
}

/** The value with its type, or at least one issue. */
export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly [ValidationIssue, ...ValidationIssue[]] };

/** How much a validation collects. */
export interface ValidationOptions {
  /**
   * After how many issues the validation stops. The default is one, the first; values above 1000 are lowered to 1000, so that
   * time and memory stay bounded on the worst input.
   */
  readonly maxIssues?: number | undefined;
}

declare const checked: unique symbol;

/** A string that has passed the check of the component schema `Name`. It is an ordinary string at run time. */
export type Checked<Name extends string> = string & { readonly [checked]: Name };
