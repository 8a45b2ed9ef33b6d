// Reads a response to its end and gives its parts, or the typed error that it stands for.
import { callError } from '../call-error.js';
import { isText, membersOf, textOf } from '../checks/rules.js';
import { ConnectionError, type ErrorFacts, MalformedResponseError, ServiceFailureError } from '../errors.js';
import type { ResponseMeta } from '../responses.js';
import type { Call, ReadResponse } from './call.js';
import { redact, safeCause, secretsIn } from './redact.js';
import { foreignResponseError, serviceError } from './response-error.js';

/**
 * @throws VehicleDataError for everything else than the success envelope: an error envelope, whatever its status, becomes
 *   the error of its code; HTML, cut JSON, nothing, redirects and too much become an error with the class of the status.
 */
export async function readResponse(call: Call, response: Response): Promise<ReadResponse> {
  const { status, headers } = response;
  const type = headers.get('content-type')?.split(';')[0];
  const facts = { status, response: { status, contentType: type && redact(type, call.secrets) } };
  // Browsers give no status for a redirect that is not followed.
  if (response.redirected || (!response.ok && status < 400)) {
    discard(response.body);
    const reason = 'redirected; check baseUrl';
    throw callError(call, MalformedResponseError, 'redirect-rejected', 'fix-request', reason, facts);
  }
  if (response.ok && call.isUnread?.()) {
    const meta = { code: status, message: '', success: true };
    return { body: undefined, data: {}, meta, status, headers, response, requestId: undefined };
  }

  const body = parseJson(await readText(call, response, facts));
  const envelope = membersOf(body);
  const error = membersOf(envelope?.['error']);
  const meta = membersOf(envelope?.['meta']);
  const data = membersOf(envelope?.['data']);
  const requestId = readRequestId(call, error?.['requestId'] ?? meta?.['requestId'] ?? headers.get('x-request-id'));
  const more = { ...facts, requestId, retryAfterMs: readRetryAfter(call, headers) };

  if (error?.['code'] !== undefined) throw serviceError(call, response, error, more);
  // The string and the boolean are both in use; anything else says that the call failed, whatever the status.
  if (response.ok && !/true/i.test(textOf(meta?.['success'] ?? true))) {
    const reason = 'the response reports no success';
    throw callError(call, ServiceFailureError, 'unsuccessful-response', 'retry', reason, more);
  }
  const needs = Object.entries(call.operation.needs ?? {});
  if (!response.ok || !data || !needs.every(([name, isKind]) => isKind(data[name]))) {
    throw foreignResponseError(call, more);
  }
  // The envelope's members that the contract promises are read tolerantly, where they are missing.
  const readMeta: ResponseMeta = { ...(meta as Partial<ResponseMeta>), success: true };
  return { body, data, meta: readMeta, status, headers, response, requestId };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the body, so it is not kept as the cause.
    return undefined;
  }
}

/** It is shown in logs, so it must not carry what logs must not. */
function readRequestId({ secrets }: Call, id: unknown): string | undefined {
  return isText(id) && /^[!-~]{1,128}$/.test(id) && secretsIn(id, secrets).length === 0 ? id : undefined;
}

/** Seconds or a date, in milliseconds: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function readRetryAfter({ clock }: Call, headers: Headers): number | undefined {
  const wait = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(wait)) return Number(wait) * 1_000;
  // By the clock that wrote it, where the response says its time: the two clocks may differ.
  const waitMs = Date.parse(wait) - (Date.parse(headers.get('date') ?? '') || clock.now());
  return waitMs >= 0 ? waitMs : undefined;
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
