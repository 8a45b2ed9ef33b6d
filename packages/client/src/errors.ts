import type { CatalogueResolution, ErrorCode } from './generated/errors.js';
import type { OperationId } from './generated/operation-ids.js';

/** What to do next: the contract's resolutions, and those of errors that this package itself finds. */
export type Resolution =
  | CatalogueResolution
  /** A call that changes something failed and may have taken effect: read the state before you call again. */
  | 'check-effect'
  /** The service breaks its contract: report it to its operator, with `requestId`. */
  | 'report'
  /** You ended the call yourself. */
  | 'none';

/** Codes of what this package finds itself, beside the codes of the service. */
export type ClientErrorCode =
  /** An argument or option breaks a rule. Nothing was sent, unless `fetch` or `validate.responses` is what failed. */
  | 'invalid-argument'
  /** The call needs an access token and the client has none; nothing was sent. */
  | 'no-access-token'
  /** The function that gives the access token failed; nothing was sent with it. */
  | 'access-token-unavailable'
  /** No response: the connection failed or broke. `systemCode` says why, where the runtime does. */
  | 'connection-failed'
  /** A part of this package that is loaded with its first use is not there: often, a page is older than its server. */
  | 'part-not-loaded'
  /** The deadline of the call passed. */
  | 'timeout'
  /** Your signal ended the call. The signal of `AbortSignal.timeout()` gives `timeout` instead. */
  | 'aborted'
  /** The response is not the envelope of this service: HTML, cut JSON, empty. Its status decides the class of the error. */
  | 'malformed-response'
  /** The response is a redirect, which this service never gives. */
  | 'redirect-rejected'
  /** The response is larger than `maxResponseBytes`. */
  | 'response-too-large'
  /** The response breaks the contract, and `validate.mode` is `enforce`. */
  | 'invalid-response'
  /** The response has the form of a success and says that it is none: `meta.success` is false. */
  | 'unsuccessful-response';

/** The request behind an error, without address, query, headers or values. */
export interface RequestFacts {
  readonly method: string;
  /** Path template. */
  readonly route: string;
  readonly attempts: number;
}

/** The response behind an error, without its body. */
export interface ResponseFacts {
  readonly status: number;
  readonly contentType: string | undefined;
}

/** A window of days that an iteration reads at a time, both days included, yyyyMMdd. */
export interface WindowFacts {
  readonly from: string;
  readonly to: string;
}

/** What is known about a failed call. */
export type ErrorFacts = Pick<VehicleDataError, 'code' | 'resolution' | 'isTemporary' | 'mayHaveTakenEffect'> &
  Partial<Omit<VehicleDataError, keyof Error | 'toJSON'>> & { readonly cause?: unknown };

// A registered symbol is the same in every copy of this package that a program holds.
const mark = Symbol.for('@vehicle-data/client/error');

/** Every error that a call can end with. Messages hold no token, VIN or query. */
export class VehicleDataError extends Error {
  override readonly name: string = 'VehicleDataError';
  /** The service's own code where it gave one, else a code of this package. */
  declare readonly code: ErrorCode | ClientErrorCode | (string & Record<never, never>);
  /** What to do next. */
  declare readonly resolution: Resolution;
  /** Whether the same call can succeed later without a change on your side. */
  declare readonly isTemporary: boolean;
  /** Whether a call that changes something may have done so although it failed. Never true for a GET. */
  declare readonly mayHaveTakenEffect: boolean;
  declare readonly operation: OperationId | undefined;
  /** HTTP status, where a response arrived. */
  declare readonly status: number | undefined;
  /** The service's identifier of the call, where it gave one. */
  declare readonly requestId: string | undefined;
  /** How long the service asks to wait, in milliseconds, where it says so. */
  declare readonly retryAfterMs: number | undefined;
  /** The service's list of details, the issues that validation found, or what is wrong with an argument. */
  declare readonly details: readonly unknown[];
  /** Where this code is explained, if it is known. */
  declare readonly docsUrl: string | undefined;
  /** Method, path template and attempts, where the call was begun. */
  declare readonly request: RequestFacts | undefined;
  /** Status and content type, where a response arrived. */
  declare readonly response: ResponseFacts | undefined;
  /** Code of the runtime for a failed connection, for example `ENOTFOUND`, `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  declare readonly systemCode: string | undefined;
  /** The parameter or option that breaks a rule, where it is one. */
  declare readonly parameter: string | undefined;
  /** The days that could not be read, where an iteration over trips failed. */
  declare readonly window: WindowFacts | undefined;

  constructor(message: string, { cause, details = [], ...facts }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    // Not enumerable, since they can be the service's own text: what prints an error leaves them out.
    Object.defineProperty(Object.assign(this, facts), 'details', { value: details });
  }

  // In every copy of this package, so that isVehicleDataError() knows the errors of all.
  get [mark](): true {
    return true;
  }

  /** What `JSON.stringify` shows: everything except the cause and `details`. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { ...Object.fromEntries(Object.entries(this)), name, message };
  }
}

/** The service rejected the request as it was made; the same request fails again. */
export class InvalidRequestError extends VehicleDataError {
  override readonly name = 'InvalidRequestError';
}
/** The client's registration or rights do not suffice, or there is no access token. */
export class CredentialsError extends VehicleDataError {
  override readonly name = 'CredentialsError';
}
/** The access token is malformed, unknown or expired, and a refreshed one did not help or was not available. */
export class AccessTokenError extends VehicleDataError {
  override readonly name = 'AccessTokenError';
}
/**
 * The service says that the owner has not agreed, has withdrawn, or that it does not know the VIN. A typing mistake in a VIN gives
 * this error too, so what to delete is decided by `client.consents.changes()` and never by an error.
 */
export class ConsentError extends VehicleDataError {
  override readonly name = 'ConsentError';
}
/** There is no data, which is a normal response. */
export class NoDataError extends VehicleDataError {
  override readonly name = 'NoDataError';
}
/** A quota or rate limit is exceeded. */
export class RateLimitError extends VehicleDataError {
  override readonly name = 'RateLimitError';
}
/** The service, or something on the way to it, failed. */
export class ServiceFailureError extends VehicleDataError {
  override readonly name = 'ServiceFailureError';
}
/** An argument or option breaks a rule; `parameter` names it. Nothing was sent, unless `fetch` or `validate.responses` is what failed. */
export class ArgumentError extends VehicleDataError {
  override readonly name = 'ArgumentError';
}
/** The connection failed or broke before the response was complete. */
export class ConnectionError extends VehicleDataError {
  override readonly name = 'ConnectionError';
}
/** The deadline of the whole call passed, or a signal of `AbortSignal.timeout()` did. */
export class TimeoutError extends VehicleDataError {
  override readonly name = 'TimeoutError';
}
/** Your signal ended the call; `cause` is the signal's reason. */
export class AbortedError extends VehicleDataError {
  override readonly name = 'AbortedError';
}
/** A success status with something else than a response of this service: HTML, cut JSON, nothing, a redirect, too much. */
export class MalformedResponseError extends VehicleDataError {
  override readonly name = 'MalformedResponseError';
}

const classes = {
  'fix-request': InvalidRequestError,
  'fix-credentials': CredentialsError,
  'refresh-token': AccessTokenError,
  'ask-consent': ConsentError,
  'no-data': NoDataError,
  retry: ServiceFailureError,
} as const satisfies Record<CatalogueResolution, unknown>;

/** The class of an error of the service. */
export const errorClass = (resolution: CatalogueResolution, status: number) =>
  resolution === 'retry' && status === 429 ? RateLimitError : classes[resolution];

/** Whether a value is an error of this package, also when another copy of it made the error. */
export function isVehicleDataError(value: unknown): value is VehicleDataError {
  return typeof value === 'object' && value !== null && mark in value;
}
