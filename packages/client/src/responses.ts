import type { OperationId } from './generated/operation-ids.js';
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
   * On live services, nothing wakes the car: another call brings no newer value.
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
  /**
   * The response as it arrives, with a body that nothing has read or checked. Only its status decides about retries, and the
   * deadline ends with the headers. Call it at once on the method's result: `await client.getLocation({ vin }).asResponse()`.
   */
  asResponse(): Promise<Response>;
};

/** One place where a response violates the contract. */
export interface ResponseIssue {
  readonly kind: string;
  readonly in: string;
  readonly name: string;
  /** JSON Pointer of the place in the body. */
  readonly pointer: string;
  readonly rule: string;
  readonly message: string;
}

/** Checks one response: `validateResponse` of `@vehicle-data/validators`, or a function of the same shape. */
export type ResponseValidator = (
  operation: OperationId,
  status: number,
  body: unknown,
) => { readonly ok: true } | { readonly ok: false; readonly issues: readonly ResponseIssue[] };

/** Check of responses against the contract. */
export interface ResponseValidation {
  readonly responses: ResponseValidator;
  /** `report` calls hook and logger and returns the response, `enforce` throws, `off` does not check. Default `report`. */
  readonly mode?: 'off' | 'report' | 'enforce' | undefined;
}
