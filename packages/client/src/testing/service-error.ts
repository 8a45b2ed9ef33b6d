import type { VehicleDataError } from '../errors.js';
import { codeFacts, type ErrorCode } from '../generated/errors.js';
import { errorTexts } from '../generated/fakes.js';
import type { OperationId } from '../generated/operations.js';
import { operations } from '../generated/operations.js';
import { errorClassOf, factsOfStatus } from '../service-error.js';

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
  const { operation = 'getLocation', requestId = 'request-of-a-test', retryAfterMs, details } = options;
  const text = errorTexts.get(code);
  const { status = text?.status ?? 400, message = text?.message ?? 'Text of the service' } = options;
  const { resolution, isTemporary, mayHaveTakenEffect } = codeFacts.get(code) ?? factsOfStatus(status);
  const isWrite = operations.find(({ id }) => id === operation)?.method !== 'GET';
  const mayHaveChanged = isWrite && mayHaveTakenEffect;
  return new (errorClassOf(resolution, status))(`${operation}: ${code} ${message} (HTTP ${status})`, {
    code,
    resolution: mayHaveChanged ? 'check-effect' : resolution,
    isTemporary,
    mayHaveTakenEffect: mayHaveChanged,
    operation,
    status,
    requestId,
    retryAfterMs,
    details,
    response: { status, contentType: 'application/json' },
  });
}
