import { type AgedResponse, type ApiCall, apiCallOf } from '../api-call.js';

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
