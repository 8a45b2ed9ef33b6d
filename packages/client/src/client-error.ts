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
  type Resolution,
  ServiceFailureError,
  TimeoutError,
  type VehicleDataError,
} from './errors.js';
import type { Operation } from './operation.js';

/** The class of an error. */
type ErrorClass = new (message: string, facts: ErrorFacts) => VehicleDataError;

const classes: Readonly<Record<ClientErrorCode, ErrorClass>> = {
  'invalid-argument': ArgumentError,
  'no-access-token': CredentialsError,
  'access-token-unavailable': AccessTokenError,
  'connection-failed': ConnectionError,
  timeout: TimeoutError,
  aborted: AbortedError,
  'malformed-response': MalformedResponseError,
  'redirect-rejected': MalformedResponseError,
  'response-too-large': MalformedResponseError,
  'invalid-response': MalformedResponseError,
  'unsuccessful-response': ServiceFailureError,
};

/** What to do after the errors that the same call can overcome by no retry. */
const resolutions: { readonly [Code in ClientErrorCode]?: Resolution } = {
  'invalid-argument': 'fix-request',
  'no-access-token': 'fix-credentials',
  'access-token-unavailable': 'refresh-token',
  aborted: 'none',
  'redirect-rejected': 'fix-request',
  'response-too-large': 'fix-request',
  'invalid-response': 'report',
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
  const { resolution = resolutions[code] ?? 'retry', ...facts } = more;
  return failure(call, classes[code], reason, `errors/${code}/`, { ...facts, code, resolution }, call.sent);
}

/** An error of a call, with what is known about that. */
export function failure(
  { operation, attempt, settings }: FailedCall,
  Failure: ErrorClass,
  reason: string,
  docsPage: string,
  facts: Partial<ErrorFacts> & Pick<ErrorFacts, 'code' | 'resolution'>,
  mayHaveBeenDone = false,
): VehicleDataError {
  const mayHaveTakenEffect = mayHaveBeenDone && operation?.method !== 'GET';
  const { resolution } = facts;
  return new Failure(`${operation ? `${operation.name}: ` : ''}${reason}`, {
    ...facts,
    // What time may change: no other resolution leaves the request as it is.
    isTemporary: resolution === 'retry' || resolution === 'no-data',
    mayHaveTakenEffect,
    resolution: mayHaveTakenEffect ? 'check-effect' : resolution,
    operation: operation?.id,
    docsUrl: settings?.docsUrl && `${settings.docsUrl}/${docsPage}`,
    request: operation && attempt ? { method: operation.method, route: operation.path, attempts: attempt } : undefined,
  });
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
