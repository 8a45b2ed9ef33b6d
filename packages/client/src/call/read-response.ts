import { callError } from '../call-error.js';
import { isText, membersOf, textOf } from '../checks/rules.js';
import {
  ConnectionError,
  type ErrorFacts,
  errorClass,
  MalformedResponseError,
  ServiceFailureError,
  type VehicleDataError,
} from '../errors.js';
import { type CatalogueResolution, codes, perhapsDone } from '../generated/errors.js';
import type { ResponseMeta } from '../responses.js';
import type { Call, ReadResponse } from './call.js';
import { redact, safeCause, secretsIn } from './redact.js';

/**
 * Reads a response to its end and gives its parts.
 *
 * @throws VehicleDataError for everything else than the success envelope: an error envelope, whatever its status, becomes
 *   the error of its code; HTML, cut JSON, nothing, redirects and too much become a MalformedResponseError.
 */
export async function readResponse(call: Call, response: Response): Promise<ReadResponse> {
  const { status, headers } = response;
  const { operation, secrets, clock } = call;
  const type = headers.get('content-type')?.split(';')[0];
  const facts = { status, response: { status, contentType: type && redact(type, secrets) } };
  // Browsers give no status for a redirect that is not followed.
  if (response.redirected || (!response.ok && status < 400)) {
    discard(response.body);
    const reason = 'redirected; check baseUrl';
    throw callError(call, MalformedResponseError, 'redirect-rejected', 'fix-request', reason, facts);
  }
  const text = await readText(call, response, facts);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's error quotes the body, so it is not kept as the cause.
  }
  const envelope = membersOf(body);
  const [error, meta, data] = ['error', 'meta', 'data'].map((name) => membersOf(envelope?.[name]));
  const id = error?.['requestId'] ?? meta?.['requestId'] ?? headers.get('x-request-id');
  // It is shown in logs, so it must not carry what logs must not.
  const requestId = isText(id) && /^[!-~]{1,128}$/.test(id) && !secretsIn(id, secrets).length ? id : undefined;
  // Seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
  const wait = headers.get('retry-after') ?? '';
  const waitMs = /^\d+$/.test(wait) ? +wait * 1_000 : Date.parse(wait) - clock.now();
  const more = { ...facts, requestId, retryAfterMs: waitMs >= 0 ? waitMs : undefined };
  if (error?.['code'] !== undefined) throw serviceError(call, response, error, more);
  // The string and the boolean are both in use; anything else says that the call failed, whatever the status.
  if (response.ok && !/true/i.test(textOf(meta?.['success'] ?? true))) {
    const reason = 'the response reports no success';
    throw callError(call, ServiceFailureError, 'unsuccessful-response', 'retry', reason, more);
  }
  const needs = Object.entries(operation.needs ?? {});
  if (!response.ok || !data || !needs.every(([name, isKind]) => isKind(data[name]))) {
    // A page that says 404 says so again; a success may have been a fault on the way.
    const resolution = status < 400 ? 'retry' : resolutionOfStatus(status);
    const reason = 'not a response of this service';
    throw callError(call, MalformedResponseError, 'malformed-response', resolution, reason, more);
  }
  return {
    body,
    data,
    meta: { ...(meta as Partial<ResponseMeta>), success: true },
    status,
    headers,
    response,
    requestId,
  };
}

async function readText(call: Call, response: Response, facts: Partial<ErrorFacts>): Promise<string> {
  const { headers, body } = response;
  const { maxResponseBytes } = call;
  // The transport holds a body to its stated length, unless it is compressed, which a page does not see of another origin.
  const isPlain = response.type !== 'cors' && !headers.has('content-encoding');
  const stated = (isPlain && Number(headers.get('content-length'))) || 0;
  try {
    if (!body || (stated && stated <= maxResponseBytes)) return await response.text();
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let size = stated; size <= maxResponseBytes; ) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    discard(reader);
  } catch (error) {
    const reason = 'the connection broke';
    const cause = safeCause(error, call.secrets);
    throw callError(call, ConnectionError, 'connection-failed', 'retry', reason, { ...facts, cause });
  }
  const reason = `a response of more than ${maxResponseBytes} bytes`;
  throw callError(call, MalformedResponseError, 'response-too-large', 'fix-request', reason, facts);
}

/** Gives up a body that nobody reads, so that its connection is let go. */
export function discard(body: { cancel(): Promise<void> } | null): void {
  body?.cancel().catch(() => undefined);
}

/** What a status says where nothing else does. https://www.rfc-editor.org/rfc/rfc9110#section-15 */
function resolutionOfStatus(status: number): CatalogueResolution {
  if (status >= 500 || status === 408 || status === 429) return 'retry';
  if (status === 401) return 'refresh-token';
  return status === 403 ? 'fix-credentials' : 'fix-request';
}

/** What a code says, or, where it is unknown, the status. */
export function factsOf(code: string, status: number) {
  // The names of an object literal.
  const known = (Object.keys(codes) as CatalogueResolution[]).find((one) => codes[one].includes(code));
  const resolution = known ?? (status === 410 ? 'ask-consent' : resolutionOfStatus(status));
  return {
    isKnown: known !== undefined,
    resolution,
    Failure: errorClass(resolution, status),
    /** Whether a call that changes something may have done so. */
    mayHaveTakenEffect: known ? perhapsDone.includes(code) : status >= 500,
  };
}

/** The response behind an error, for the result style. Kept beside the error, so that logging the error does not log it. */
export const errorResponses = new WeakMap<
  object,
  { readonly error: { readonly error: Readonly<Record<string, unknown>> }; readonly response: Response }
>();

/** The typed error for an error envelope: by its code first, by the HTTP status second, since the status lies. */
function serviceError(
  call: Call,
  response: Response,
  error: Readonly<Record<string, unknown>>,
  more: Partial<ErrorFacts>,
): VehicleDataError {
  const { message, details: given } = error;
  const { isKnown, resolution, Failure, mayHaveTakenEffect } = factsOf(textOf(error['code']), response.status);
  const code = redact(error['code'], call.secrets);
  const details: readonly unknown[] = Array.isArray(given) ? given : [];
  // The reasons of details of the contract's shape, as the proxy writes them.
  const reasons = details.slice(0, 3).map((detail) => membersOf(detail)?.['reason']);
  const text = redact([message, ...reasons].filter(isText).join(': '), call.secrets);
  const found = callError(call, Failure, code, resolution, `${code} ${text}`, {
    ...more,
    details,
    mayHaveTakenEffect,
    // An unknown code has no page.
    ...(!isKnown && { docsUrl: undefined }),
  });
  errorResponses.set(found, { error: { error }, response });
  return found;
}
