import { factsOf } from '../call/read-response.js';
import { apiCallOf } from '../call/start-call.js';
import { callError } from '../call-error.js';
import type { VehicleDataError } from '../errors.js';
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
  return apiCallOf<Data, AgedResponse<Data>>(Promise.resolve(response));
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
