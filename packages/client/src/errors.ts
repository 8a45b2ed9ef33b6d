import type { ErrorCode, Resolution } from './generated/errors.js';
import type { OperationId } from './generated/operations.js';

/** Codes of what this package finds itself; they stand beside the codes of the service. */
export type ClientErrorCode =
  /** An argument breaks a rule of the contract; nothing was sent. */
  | 'invalid-argument'
  /** The call needs an access token and the client has none; nothing was sent. */
  | 'no-access-token'
  /** The function that gives the access token failed; nothing was sent with it. */
  | 'access-token-unavailable'
  /** No answer: the connection failed or broke. */
  | 'connection-failed'
  /** The deadline of the call passed. */
  | 'timeout'
  /** The caller ended the call. */
  | 'aborted'
  /** The answer is not the envelope of this service: HTML, cut JSON, empty. */
  | 'malformed-answer'
  /** The answer is a redirect, which this service never gives. */
  | 'redirect-refused'
  /** The answer is larger than `maxAnswerBytes`. */
  | 'answer-too-large'
  /** The answer breaks the contract, and `validate.mode` is `enforce`. */
  | 'invalid-answer';

/** What is known about a failed call. */
export interface ErrorFacts {
  readonly code: string;
  readonly resolution: Resolution;
  readonly isTemporary: boolean;
  readonly mayHaveTakenEffect: boolean;
  readonly operation?: OperationId | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly details?: readonly unknown[];
  readonly docsUrl?: string | undefined;
  readonly cause?: unknown;
}

// A registered symbol is the same in every copy of this package that a program holds.
const mark = Symbol.for('@vehicle-data/client/error');

/**
 * Every error that a call can end with. Messages hold no token, VIN or query.
 */
export class VehicleDataError extends Error {
  // Names are written out, so that a minifier cannot change them.
  override get name(): string {
    return 'VehicleDataError';
  }
  get [mark](): true {
    return true;
  }
  /** The service's own code where it gave one, else a code of this package. */
  declare readonly code: ErrorCode | ClientErrorCode | (string & Record<never, never>);
  /** What to do next. */
  declare readonly resolution: Resolution;
  /** Whether the same call can succeed later without a change on your side. */
  declare readonly isTemporary: boolean;
  /** Whether a call that changes something may have done so although it failed. Never true for a GET. */
  declare readonly mayHaveTakenEffect: boolean;
  declare readonly operation: OperationId | undefined;
  /** HTTP status, where an answer arrived. */
  declare readonly status: number | undefined;
  /** The service's identifier of the call, where it gave one. */
  declare readonly requestId: string | undefined;
  /** How long the service asks to wait, in milliseconds, where it says so. */
  declare readonly retryAfterMs: number | undefined;
  /** The service's list of details, or the issues that validation found. */
  declare readonly details: readonly unknown[];
  /** Where this code is explained. */
  declare readonly docsUrl: string | undefined;

  constructor(message: string, { cause, ...facts }: ErrorFacts) {
    super(message, cause === undefined ? cause : { cause });
    Object.assign(this, { details: [] }, facts);
  }
}

/** The service refused the request as it was made; repeating it unchanged is no use. */
export class InvalidRequestError extends VehicleDataError {
  override get name(): string {
    return 'InvalidRequestError';
  }
}
/** The client's registration or rights do not suffice, or there is no access token. */
export class CredentialsError extends VehicleDataError {
  override get name(): string {
    return 'CredentialsError';
  }
}
/** The access token is malformed, unknown or expired, and a refreshed one did not help or could not be had. */
export class AccessTokenError extends VehicleDataError {
  override get name(): string {
    return 'AccessTokenError';
  }
}
/** The owner has not agreed or has withdrawn: delete what you hold of the vehicle. */
export class ConsentError extends VehicleDataError {
  override get name(): string {
    return 'ConsentError';
  }
}
/** There is no data, which is a normal answer. */
export class NoDataError extends VehicleDataError {
  override get name(): string {
    return 'NoDataError';
  }
}
/** A quota or rate limit is used up. */
export class RateLimitError extends VehicleDataError {
  override get name(): string {
    return 'RateLimitError';
  }
}
/** The service, or something on the way to it, failed. */
export class ServiceFailureError extends VehicleDataError {
  override get name(): string {
    return 'ServiceFailureError';
  }
}
/** An argument breaks a rule of the contract; nothing was sent. */
export class ArgumentError extends VehicleDataError {
  override get name(): string {
    return 'ArgumentError';
  }
}
/** The connection failed or broke before the answer was complete. */
export class ConnectionError extends VehicleDataError {
  override get name(): string {
    return 'ConnectionError';
  }
}
/** The deadline of the whole call passed. */
export class TimeoutError extends VehicleDataError {
  override get name(): string {
    return 'TimeoutError';
  }
}
/** The caller's signal ended the call; `cause` is the signal's reason. */
export class AbortedError extends VehicleDataError {
  override get name(): string {
    return 'AbortedError';
  }
}
/** What arrived is not an answer of this service: HTML, cut JSON, nothing, a redirect, too much. */
export class MalformedAnswerError extends VehicleDataError {
  override get name(): string {
    return 'MalformedAnswerError';
  }
}

/** Whether a value is an error of this package, also when another copy of it made the error. */
export function isVehicleDataError(value: unknown): value is VehicleDataError {
  return typeof value === 'object' && value !== null && mark in value;
}
