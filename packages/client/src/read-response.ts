import type { ResponseMeta } from './api-call.js';
import type { Call, ReadResponse } from './call.js';
import { readMembers } from './check-arguments.js';
import { clientError } from './client-error.js';
import type { ErrorFacts } from './errors.js';
import { holdsSecret, redact, safeCause } from './redact.js';
import { retryAfterMs } from './retry-timing.js';
import { resolutionOfStatus, serviceError } from './service-error.js';

/**
 * Reads a response to its end and gives its parts.
 *
 * @throws VehicleDataError for everything else than the success envelope: an error envelope, whatever its status, becomes
 *   the error of its code; HTML, cut JSON, nothing, redirects and too much become a MalformedResponseError.
 */
export async function readResponse(call: Call, response: Response): Promise<ReadResponse> {
  const { status, headers, ok } = response;
  const facts: Partial<ErrorFacts> = { status, response: { status, contentType: contentTypeOf(headers) } };
  if (response.redirected || response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    discard(response.body);
    const reason = `not a response of this service but a redirect (HTTP ${status}); check baseUrl`;
    throw clientError(call, 'redirect-rejected', reason, facts);
  }
  const body = parse(await readText(call, response, facts));
  const envelope = readMembers(body);
  const error = readMembers(envelope?.['error']);
  const meta = readMembers(envelope?.['meta']);
  const data = readMembers(envelope?.['data']);
  const id = error?.['requestId'] ?? meta?.['requestId'] ?? headers.get('x-request-id');
  // It is shown in logs, so it must not carry what logs must not.
  const requestId =
    typeof id === 'string' && /^[!-~]{1,128}$/.test(id) && !holdsSecret(id, call.secrets) ? id : undefined;
  const more = { ...facts, requestId, retryAfterMs: retryAfterMs(headers, call.settings.clock) };
  if (error?.['code'] !== undefined) throw serviceError(call, response, error, more);
  if (!ok || !data || !Object.entries(call.operation.needs ?? {}).every(([name, kind]) => isOfKind(data[name], kind))) {
    const reason = `not a response of this service (HTTP ${status})`;
    // A page that says 404 says so again; a success may have been a fault on the way.
    const resolution = status < 400 ? 'retry' : resolutionOfStatus(status);
    throw clientError(call, 'malformed-response', reason, { ...more, resolution });
  }
  const success = meta?.['success'];
  // The string and the boolean are both in use; anything else says that the call failed, whatever the status.
  const isSuccess = /true/i.test(String(success));
  if (success !== undefined && success !== null && !isSuccess) {
    throw clientError(call, 'unsuccessful-response', `the service reports no success (HTTP ${status})`, more);
  }
  return { body, data, meta: { ...(meta as Partial<ResponseMeta>), success: isSuccess }, response, requestId };
}

function contentTypeOf(headers: Headers): string | undefined {
  const [type] = /^[\w/+.-]{1,100}/.exec(headers.get('content-type') ?? '') ?? [];
  return type && redact(type, []);
}

const isOfKind = (value: unknown, kind: 'list' | 'object') =>
  kind === 'list' ? Array.isArray(value) : readMembers(value) !== undefined;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the body, so it is not kept as the cause.
    return undefined;
  }
}

async function readText(call: Call, response: Response, facts: Partial<ErrorFacts>): Promise<string> {
  const { headers, body, status } = response;
  const { maxResponseBytes } = call.settings;
  const stated = +(headers.get('content-length') ?? Number.NaN);
  try {
    // The transport holds a body to its stated length, unless it is compressed.
    if (!body || (stated <= maxResponseBytes && !headers.has('content-encoding'))) return await response.text();
    const reader = body.getReader();
    const chunks: Uint8Array[] = [];
    for (let size = stated > maxResponseBytes ? stated : 0; size <= maxResponseBytes; ) {
      const { done, value } = await reader.read();
      if (done) return decode(chunks, size);
      size += value.byteLength;
      chunks.push(value);
    }
    discard(reader);
  } catch (error) {
    const cause = safeCause(error, call.secrets);
    throw clientError(call, 'connection-failed', `the connection broke within a response (HTTP ${status})`, {
      ...facts,
      cause,
    });
  }
  throw clientError(call, 'response-too-large', `a response of more than ${maxResponseBytes} bytes`, facts);
}

/** The text of a body in one go, which is faster than piece by piece. */
function decode(chunks: readonly Uint8Array[], size: number): string {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return new TextDecoder().decode(bytes);
}

/** Gives up a body that nobody reads, so that its connection is let go. */
export function discard(body: { cancel(): Promise<void> } | null): void {
  body?.cancel().catch(() => undefined);
}
