import {
  AbortedError,
  AccessTokenError,
  ArgumentError,
  type ClientErrorCode,
  ConnectionError,
  CredentialsError,
  type ErrorFacts,
  isVehicleDataError,
  MalformedAnswerError,
  TimeoutError,
  type VehicleDataError,
} from './errors.js';
import type { Resolution } from './generated/errors.js';
import type { Operation } from './operation.js';

type ErrorClass = new (message: string, facts: ErrorFacts) => VehicleDataError;

// Class, resolution, is temporary.
const kinds: Readonly<Record<ClientErrorCode, readonly [ErrorClass, Resolution, boolean]>> = {
  'invalid-argument': [ArgumentError, 'fix-request', false],
  'no-access-token': [CredentialsError, 'fix-credentials', false],
  'access-token-unavailable': [AccessTokenError, 'refresh-token', false],
  'connection-failed': [ConnectionError, 'retry', true],
  timeout: [TimeoutError, 'retry', true],
  aborted: [AbortedError, 'retry', false],
  'malformed-answer': [MalformedAnswerError, 'retry', true],
  'redirect-refused': [MalformedAnswerError, 'fix-request', false],
  'answer-too-large': [MalformedAnswerError, 'fix-request', false],
  'invalid-answer': [MalformedAnswerError, 'retry', false],
};

/** What an error says of the call that it ended. */
export interface FailedCall {
  readonly operation?: Operation | undefined;
  /** Whether the call may have reached the service. */
  readonly sent?: boolean;
  readonly settings?: { readonly docsUrl: string };
}

/** An error that this package itself finds. */
export function clientError(
  { operation, sent = false, settings }: FailedCall,
  code: ClientErrorCode,
  reason: string,
  more?: Partial<ErrorFacts>,
): VehicleDataError {
  const [Kind, resolution, isTemporary] = kinds[code];
  return new Kind(`${operation ? `${operation.id}: ` : ''}${reason}`, {
    code,
    resolution,
    isTemporary,
    mayHaveTakenEffect: sent && operation?.method !== 'GET',
    operation: operation?.id,
    // The reference has an entry for each code of the service; those of this package stand in the guide to it.
    docsUrl: settings && `${settings.docsUrl}#guide-sdk`,
    ...more,
  });
}

/** The error as it is, or, where it is none of ours, one about what was passed: it may quote that, so it is not kept. */
export function typedError(error: unknown): VehicleDataError {
  return isVehicleDataError(error) ? error : argumentError(undefined, 'an argument or option cannot be used');
}

/** An error about an argument, found before anything is sent. */
export function argumentError(operation: Operation | undefined, reason: string): VehicleDataError {
  return clientError({ operation }, 'invalid-argument', reason);
}
