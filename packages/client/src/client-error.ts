import {
  AbortedError,
  AccessTokenError,
  ArgumentError,
  type ClientErrorCode,
  ConnectionError,
  CredentialsError,
  type ErrorFacts,
  isVehicleDataError,
  MalformedResponseError,
  type RequestFacts,
  type Resolution,
  ServiceFailureError,
  TimeoutError,
  type VehicleDataError,
} from './errors.js';
import type { Operation } from './operation.js';

interface Kind {
  readonly type: new (message: string, facts: ErrorFacts) => VehicleDataError;
  readonly resolution: Resolution;
  readonly isTemporary?: true;
}

const kinds: Readonly<Record<ClientErrorCode, Kind>> = {
  'invalid-argument': { type: ArgumentError, resolution: 'fix-request' },
  'no-access-token': { type: CredentialsError, resolution: 'fix-credentials' },
  'access-token-unavailable': { type: AccessTokenError, resolution: 'refresh-token' },
  'connection-failed': { type: ConnectionError, resolution: 'retry', isTemporary: true },
  timeout: { type: TimeoutError, resolution: 'retry', isTemporary: true },
  aborted: { type: AbortedError, resolution: 'none' },
  'malformed-response': { type: MalformedResponseError, resolution: 'retry', isTemporary: true },
  'redirect-rejected': { type: MalformedResponseError, resolution: 'fix-request' },
  'response-too-large': { type: MalformedResponseError, resolution: 'fix-request' },
  'invalid-response': { type: MalformedResponseError, resolution: 'report' },
  'unsuccessful-response': { type: ServiceFailureError, resolution: 'retry', isTemporary: true },
};

/** What an error says of the call that it ended. */
export interface FailedCall {
  readonly operation?: Operation | undefined;
  /** Whether the call may have reached the service. */
  readonly sent?: boolean;
  readonly attempt?: number;
  readonly settings?: { readonly docsUrl?: string | undefined };
}

/** An error that this package itself finds. */
export function clientError(
  call: FailedCall,
  code: ClientErrorCode,
  reason: string,
  more: Partial<ErrorFacts> = {},
): VehicleDataError {
  const { operation, sent = false, settings } = call;
  const { type, resolution, isTemporary = false } = kinds[code];
  const mayHaveTakenEffect = sent && operation?.method !== 'GET';
  const message = `${operation ? `${operation.name}: ` : ''}${reason}`;
  return new type(message, {
    code,
    isTemporary,
    mayHaveTakenEffect,
    operation: operation?.id,
    // The reference has an entry for each code of the service; those of this package are in the guide to it.
    docsUrl: settings?.docsUrl && `${settings.docsUrl}#guide-sdk`,
    request: requestFacts(call),
    ...more,
    resolution: mayHaveTakenEffect ? 'check-effect' : (more.resolution ?? resolution),
  });
}

/** The request behind an error, once an attempt of it was begun. */
export function requestFacts({ operation, attempt }: FailedCall): RequestFacts | undefined {
  return operation && attempt ? { method: operation.method, route: operation.path, attempts: attempt } : undefined;
}

/** The error as it is, or, where it is none of ours, one about what was passed: it may quote that, so it is not kept. */
export function typedError(error: unknown): VehicleDataError {
  return isVehicleDataError(error) ? error : argumentError({}, 'an argument or option cannot be used');
}

/** An error about an argument or option, found before anything is sent. */
export function argumentError(call: FailedCall, reason: string, parameter?: string, place = 'argument') {
  return clientError({ ...call, sent: false }, 'invalid-argument', reason, {
    parameter,
    details: parameter === undefined ? [] : [{ in: place, name: parameter, reason }],
  });
}
