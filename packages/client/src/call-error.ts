import {
  ArgumentError,
  type ErrorFacts,
  isVehicleDataError,
  type Resolution,
  type VehicleDataError,
} from './errors.js';
import type { OperationId } from './generated/operation-ids.js';

/** What an error says of the call that it ended, as far as that has come. */
export interface FailedCall {
  readonly operation?: Readonly<{ id: OperationId; name: string; method: string; path: string }> | undefined;
  readonly attempt?: number;
  /** Whether the attempt may have reached the service. */
  readonly sent?: boolean;
  readonly docsUrl?: string;
}

/** An error of a call, with what is known about that. */
export function callError(
  { operation, attempt, sent, docsUrl }: FailedCall,
  Failure: new (message: string, facts: ErrorFacts) => VehicleDataError,
  code: string,
  resolution: Resolution,
  reason: string,
  { mayHaveTakenEffect = sent, ...facts }: Partial<ErrorFacts> = {},
): VehicleDataError {
  const isOpen = !!mayHaveTakenEffect && operation?.method !== 'GET';
  const { status } = facts;
  return new Failure(`${operation ? `${operation.name}: ` : ''}${reason}${status ? ` (HTTP ${status})` : ''}`, {
    docsUrl: docsUrl && `${docsUrl}/errors/${code}/`,
    ...facts,
    code,
    resolution: isOpen ? 'check-effect' : resolution,
    // What time may change: no other resolution leaves the request as it is.
    isTemporary: resolution === 'retry' || resolution === 'no-data',
    mayHaveTakenEffect: isOpen,
    operation: operation?.id,
    request: operation && attempt ? { method: operation.method, route: operation.path, attempts: attempt } : undefined,
  });
}

/** The error as it is, or, where it is none of ours, one about what was passed: it may quote that, so it is not kept. */
export function typedError(error: unknown, call: FailedCall = {}): VehicleDataError {
  return isVehicleDataError(error) || isFault(error)
    ? error
    : argumentError(call, 'an argument or option cannot be used');
}

/** Errors of fakes in tests. A failed expectation must reach the test as it is, so they are treated as errors of this package. */
export const faults = new WeakSet<object>();
export const isFault = (error: unknown): error is VehicleDataError =>
  typeof error === 'object' && error !== null && faults.has(error);

/** An error about an argument or option; about a function among them also after a request was sent. */
export function argumentError(
  call: FailedCall,
  reason: string,
  parameter?: string,
  place = 'argument',
  cause?: unknown,
) {
  const details = parameter === undefined ? [] : [{ in: place, name: parameter, reason }];
  return callError(call, ArgumentError, 'invalid-argument', 'fix-request', reason, { parameter, details, cause });
}
