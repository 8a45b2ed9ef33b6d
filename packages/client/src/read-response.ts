import type { ResponseMeta } from './api-call.js';
import type { Call, ReadResponse } from './call.js';
import { callError, type MoreFacts } from './client-error.js';
import { ConnectionError, MalformedResponseError, ServiceFailureError } from './errors.js';
import { holdsSecret, redact, safeCause } from './redact.js';
import { isText, membersOf } from './rules.js';
import { resolutionOfStatus, serviceError } from './service-error.js';

/**
 * Reads a response to its end and gives its parts.
 *
 * @throws VehicleDataError for everything else than the success envelope: an error envelope, whatever its status, becomes
 *   the error of its code; HTML, cut JSON, nothing, redirects and too much become a MalformedResponseError.
 */
export async function readResponse(call: Call, response: Response): Promise<ReadResponse> {
  const { status, headers } = response;
  const type = /^[\w/+.-]{1,100}/.exec(headers.get('content-type') ?? '')?.[0];
  const facts = { status, response: { status, contentType: type && redact(type, []) } };
  // Browsers give no status for a redirect that is not followed.
  if (response.redirected || (!response.ok && status < 400)) {
    discard(response.body);
    const reason = 'not a response of this service but a redirect; check baseUrl';
    throw callError(call, MalformedResponseError, 'redirect-rejected', 'fix-request', reason, facts);
  }
  const body = parse(await readText(call, response, facts));
  const envelope = membersOf(body);
  const error = membersOf(envelope?.['error']);
  const meta = membersOf(envelope?.['meta']);
  const data = membersOf(envelope?.['data']);
  const id = error?.['requestId'] ?? meta?.['requestId'] ?? headers.get('x-request-id');
  // It is shown in logs, so it must not carry what logs must not.
  const requestId = isText(id) && /^[!-~]{1,128}$/.test(id) && !holdsSecret(id, call.secrets) ? id : undefined;
  const more = { ...facts, requestId, retryAfterMs: retryAfterMs(call, headers) };
  if (error?.['code'] !== undefined) throw serviceError(call, response, error, more);
  const needs = Object.entries(call.operation.needs ?? {});
  if (!response.ok || !data || !needs.every(([name, isKind]) => isKind(data[name]))) {
    // A page that says 404 says so again; a success may have been a fault on the way.
    const resolution = status < 400 ? 'retry' : resolutionOfStatus(status);
    const reason = 'not a response of this service';
    throw callError(call, MalformedResponseError, 'malformed-response', resolution, reason, more);
  }
  // The string and the boolean are both in use; anything else says that the call failed, whatever the status.
  const success = /true/i.test(`${meta?.['success'] ?? true}`);
  if (!success) {
    const reason = 'the service reports no success';
    throw callError(call, ServiceFailureError, 'unsuccessful-response', 'retry', reason, more);
  }
  return { body, data, meta: { ...(meta as Partial<ResponseMeta>), success }, status, headers, response, requestId };
}

/** `Retry-After` in milliseconds: seconds or a date. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfterMs({ clock }: Call, headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(text) ? +text * 1_000 : Date.parse(text) - clock.now();
  return ms >= 0 ? ms : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the body, so it is not kept as the cause.
    return undefined;
  }
}

async function readText(call: Call, response: Response, facts: MoreFacts): Promise<string> {
  const { headers, body } = response;
  const { maxResponseBytes } = call;
  let size = Number(headers.get('content-length') ?? Number.NaN);
  try {
    // The transport holds a body to its stated length, unless it is compressed.
    if (!body || (size <= maxResponseBytes && !headers.has('content-encoding'))) return await response.text();
    if (!(size > maxResponseBytes)) size = 0;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (let text = ''; size <= maxResponseBytes; ) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    discard(reader);
  } catch (error) {
    const reason = 'the connection broke within a response';
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
