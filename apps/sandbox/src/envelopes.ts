import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@vehicle-data/openapi';
import { HTTPException } from 'hono/http-exception';

/** What every response to one call shares. */
export interface CallFacts {
  readonly requestId: string;
  readonly nowMs: number;
}

/** What the handlers of a call know, in the form that Hono wants. */
export type ServiceEnv = { readonly Bindings: { readonly facts: CallFacts } };

export function jsonResponse(body: object, { requestId }: CallFacts, status: number): Response {
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId };
  return new Response(JSON.stringify(body), { status, headers });
}

/** The success envelope around `data`. `success` is the boolean true where the contract's example has it so, and the string elsewhere. */
export function success(facts: CallFacts, data: object, successMember: unknown): Response {
  const { requestId, nowMs } = facts;
  const timestamp = new Date(nowMs).toISOString();
  const meta = { code: 200, message: 'Success', success: successMember === true ? true : 'true', timestamp, requestId };
  return jsonResponse({ data, meta }, facts, 200);
}

export function reject(status: 400 | 403 | 404, message: string): never {
  throw new HTTPException(status, { message });
}

/** The error envelope of a code, with the message of the contract's catalog, and its HTTP status unless there is another one. */
export function failure(
  facts: CallFacts,
  code: ErrorCode,
  details: readonly ErrorDetail[] = [],
  otherStatus?: number,
): Response {
  const entry = errorCatalogue.find((candidate) => candidate.code === code);
  if (entry === undefined) throw new Error('the error catalog of the contract lacks a code of its own');
  const { message, status, resolution } = entry;
  const timestamp = new Date(facts.nowMs).toISOString();
  const error = { code, message, details, timestamp, requestId: facts.requestId };
  const response = jsonResponse({ error }, facts, otherStatus ?? status);
  // The challenge of a bearer scheme: https://www.rfc-editor.org/rfc/rfc6750#section-3
  if (code === '40002') response.headers.set('www-authenticate', 'Bearer');
  if (resolution === 'refresh-token') response.headers.set('www-authenticate', 'Bearer error="invalid_token"');
  return response;
}
