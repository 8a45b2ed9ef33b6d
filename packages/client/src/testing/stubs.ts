import { factsOf } from '../call/response-error.js';
import { apiCallOf } from '../call/start-call.js';
import { callError } from '../call-error.js';
import {
  AbortedError,
  AccessTokenError,
  ArgumentError,
  type ClientErrorCode,
  ConnectionError,
  CredentialsError,
  MalformedResponseError,
  type Resolution,
  ServiceFailureError,
  TimeoutError,
  type VehicleDataError,
} from '../errors.js';
import type { ErrorCode } from '../generated/errors.js';
import { errorTexts } from '../generated/fakes.js';
import { operations } from '../generated/operations.js';
import type { AgedResponse, ApiCall } from '../responses.js';
import type { TripIterator } from '../trips/trip-iterator.js';

/**
 * A call that has succeeded, for a stub of one method: a promise of the payload with `withResponse()` beside it.
 *
 * @param whole Members of the whole response that the code under test reads.
 * @example
 * vi.spyOn(client, 'getLocation').mockReturnValue(apiResponse(createLocationRecord()));
 */
export function apiResponse<Data>(
  data: Data,
  whole: Partial<Omit<AgedResponse<Data>, 'data'>> = {},
): ApiCall<Data, AgedResponse<Data>> {
  const response = {
    meta: { code: 200, message: 'Success', success: true },
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    requestId: 'request-of-a-test',
    dataAgeMs: null,
    ...whole,
    data,
  };
  const received = { response: Response.json({ data, meta: response.meta }, { status: response.status }) };
  return apiCallOf<Data, AgedResponse<Data>, typeof received>(
    () => response,
    Promise.resolve(received),
    () => undefined,
  );
}

/**
 * An iterator over trips of your own, in place of one of `client.trips`.
 *
 * @example
 * vi.spyOn(client.trips, 'driving').mockReturnValue(fakeTrips([createDrivingTrip()]));
 */
export function fakeTrips<Trip>(trips: readonly Trip[]): TripIterator<Trip> {
  let cursor: string | undefined;
  async function* iterate(): AsyncGenerator<Trip, undefined> {
    for (const [index, trip] of trips.entries()) {
      cursor = `trip-${index + 1}`;
      yield trip;
    }
  }
  const steps = iterate();
  return {
    get cursor() {
      return cursor;
    },
    next: () => steps.next(),
    return: () => steps.return(undefined),
    async toArray({ limit }) {
      const found: Trip[] = [];
      while (found.length < limit) {
        const { value, done } = await steps.next();
        if (done) break;
        found.push(value);
      }
      return found;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What a test sets of an error; the rest is the catalogue's. */
export type ServiceErrorOptions = Partial<
  Pick<VehicleDataError, 'message' | 'status' | 'operation' | 'requestId' | 'retryAfterMs' | 'details'>
>;

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
  const { operation: id = 'getLocation', requestId = 'request-of-a-test', retryAfterMs, details = [] } = options;
  const text = errorTexts.get(code);
  const { status = text?.status ?? 400, message = text?.message ?? 'Text of the service' } = options;
  const { resolution, Failure, mayHaveTakenEffect } = factsOf(code, status);
  const response = { status, contentType: 'application/json' };
  const facts = { status, requestId, retryAfterMs, details, response, mayHaveTakenEffect };
  const operation = operations.find((one) => one.id === id);
  return callError({ operation }, Failure, code, resolution, `${code} ${message}`, facts);
}

const clientErrors: Readonly<
  Record<
    ClientErrorCode,
    readonly [new (...args: ConstructorParameters<typeof VehicleDataError>) => VehicleDataError, Resolution, string]
  >
> = {
  'invalid-argument': [ArgumentError, 'fix-request', 'an argument breaks a rule'],
  'no-access-token': [CredentialsError, 'fix-credentials', 'there is no access token'],
  'access-token-unavailable': [AccessTokenError, 'refresh-token', 'accessToken failed'],
  'connection-failed': [ConnectionError, 'retry', 'no connection, or it broke'],
  'part-not-loaded': [ConnectionError, 'none', 'a part of this package cannot be loaded'],
  timeout: [TimeoutError, 'retry', 'no response within 30000 ms'],
  aborted: [AbortedError, 'none', 'ended by your signal'],
  'malformed-response': [MalformedResponseError, 'retry', 'not a response of this service'],
  'redirect-rejected': [MalformedResponseError, 'fix-request', 'redirected; check baseUrl'],
  'response-too-large': [MalformedResponseError, 'fix-request', 'a response of more than 67108864 bytes'],
  'invalid-response': [MalformedResponseError, 'report', 'the response breaks the contract'],
  'unsuccessful-response': [ServiceFailureError, 'retry', 'the response reports no success'],
};

/** What a test sets of such an error. */
export type ClientErrorOptions = Partial<Pick<VehicleDataError, 'operation' | 'systemCode' | 'mayHaveTakenEffect'>>;

/**
 * An error that this package itself finds, for the branches of an application that the service cannot reach: no connection, a
 * deadline, a token that cannot be had.
 *
 * @example
 * const client = fakeClient({ getLocation: () => { throw clientError('timeout'); } });
 */
export function clientError(code: ClientErrorCode, options: ClientErrorOptions = {}): VehicleDataError {
  const { operation: id = 'getLocation', systemCode, mayHaveTakenEffect = false } = options;
  const [Failure, resolution, reason] = clientErrors[code];
  const operation = operations.find((one) => one.id === id);
  const facts = { systemCode, mayHaveTakenEffect };
  return callError({ operation }, Failure, code, resolution, systemCode ? `${reason}: ${systemCode}` : reason, facts);
}
