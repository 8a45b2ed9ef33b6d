import type { Meta } from './generated/schemas.js';

/** Call metadata with `success` as a boolean, whichever way the service wrote it. */
export type ResponseMeta = Omit<Meta, 'success'> & { success: boolean };

/** A payload with what came beside it. */
export interface ApiResponse<Data> {
  readonly data: Data;
  readonly meta: ResponseMeta;
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /** The service's identifier of the call. */
  readonly requestId: string | undefined;
}

/** A response whose payload says when the vehicle sent it. */
export interface AgedResponse<Data> extends ApiResponse<Data> {
  /**
   * Age of the payload when the service responded, in milliseconds and never negative. `null` where the record has no time.
   * Nothing wakes the car: another call brings no newer value.
   */
  readonly dataAgeMs: number | null;
}

/**
 * A promise of the payload, with the same call's whole response beside it. However often it is awaited, the call is sent
 * once.
 */
export type ApiCall<Data, Full extends ApiResponse<Data> = ApiResponse<Data>> = Promise<Data> & {
  /** The payload together with meta, status, headers and request identifier. */
  withResponse(): Promise<Full>;
};

/** A call as a promise of its payload. */
export function apiCallOf<Data, Full extends ApiResponse<Data>>(full: Promise<Full>): ApiCall<Data, Full> {
  // One chain of promises: V8 follows it from an error to the code that awaits the call.
  let whole: Full;
  const data = full.then((response) => {
    whole = response;
    return response.data;
  });
  return Object.assign(data, { withResponse: () => data.then(() => whole) });
}
