import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@vehicle-data/openapi';
import { HTTPException } from 'hono/http-exception';

/** A finished response before it is written. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** An envelope, or a text that is sent as it is. */
  readonly body: { readonly data?: unknown; readonly meta?: object; readonly error?: object } | string;
}

/** What every response to one call shares. */
export interface CallFacts {
  readonly requestId: string;
  readonly nowMs: number;
}

/** What the handlers of a call know, in the form that Hono wants. */
export type ServiceEnv = { readonly Bindings: { readonly facts: CallFacts } };

const headers = ({ requestId }: CallFacts) => ({ 'content-type': 'application/json', 'x-request-id': requestId });

/** The success envelope around `data`. `success` is the boolean true where the contract's example has it so, and the string elsewhere. */
export function success(facts: CallFacts, data: object, successMember: unknown): Reply {
  const { requestId, nowMs } = facts;
  const timestamp = new Date(nowMs).toISOString();
  const meta = { code: 200, message: 'Success', success: successMember === true ? true : 'true', timestamp, requestId };
  return { status: 200, headers: headers(facts), body: { data, meta } };
}

export function reject(status: 400 | 403 | 404, message: string): never {
  throw new HTTPException(status, { message });
}

/** The error envelope of a code, with the message and HTTP status of the contract's catalog. */
export function failure(facts: CallFacts, code: ErrorCode, details: readonly ErrorDetail[] = []): Reply {
  const entry = errorCatalogue.find((candidate) => candidate.code === code);
  if (entry === undefined) throw new Error('the error catalog of the contract lacks a code of its own');
  const { message, status, resolution } = entry;
  const timestamp = new Date(facts.nowMs).toISOString();
  const body = { error: { code, message, details, timestamp, requestId: facts.requestId } };
  const reply: Reply = { status, headers: headers(facts), body };
  // The challenge of a bearer scheme: https://www.rfc-editor.org/rfc/rfc6750#section-3
  if (code === '40002') reply.headers['www-authenticate'] = 'Bearer';
  if (resolution === 'refresh-token') reply.headers['www-authenticate'] = 'Bearer error="invalid_token"';
  return reply;
}

export const bodyText = ({ body }: Reply) => (typeof body === 'string' ? body : JSON.stringify(body));

/** Statuses that have no body: https://fetch.spec.whatwg.org/#null-body-status */
const withoutBody: readonly number[] = [204, 205, 304];

export function toResponse(reply: Reply): Response {
  return new Response(withoutBody.includes(reply.status) ? null : bodyText(reply), reply);
}
