import { callError } from '../client-error.js';
import type { VehicleDataError } from '../errors.js';
import type { ErrorCode } from '../generated/errors.js';
import { errorTexts } from '../generated/fakes.js';
import { type OperationId, operations } from '../generated/operations.js';
import { factsOf } from '../read-response.js';

/** What a test sets of an error; the rest is the catalogue's. */
export interface ServiceErrorOptions {
  readonly message?: string;
  readonly status?: number;
  readonly operation?: OperationId;
  readonly requestId?: string;
  readonly retryAfterMs?: number;
  readonly details?: readonly unknown[];
}

/**
 * The error that a method throws for a code of the service, with the class, status and facts of the error catalogue.
 *
 * @example
 * const client = fakeClient({ getLocation: () => { throw serviceError('5006'); } });
 */
export function serviceError(
  code: ErrorCode | (string & Record<never, never>),
  options: ServiceErrorOptions = {},
): VehicleDataError {
  const { operation: id = 'getLocation', requestId = 'request-of-a-test', retryAfterMs, details } = options;
  const text = errorTexts.get(code);
  const { status = text?.status ?? 400, message = text?.message ?? 'Text of the service' } = options;
  const { resolution, Failure, mayHaveTakenEffect } = factsOf(code, status);
  const response = { status, contentType: 'application/json' };
  const facts = { status, requestId, retryAfterMs, details, response, mayHaveTakenEffect };
  const operation = operations.find((one) => one.id === id);
  return callError({ operation }, Failure, code, resolution, `${code} ${message}`, facts);
}
