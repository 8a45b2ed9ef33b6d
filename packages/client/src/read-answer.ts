import type { AnswerMeta } from './api-call.js';
import type { Call, ReadAnswer } from './call.js';
import { readMembers } from './check-arguments.js';
import { clientError } from './client-error.js';
import { redact, safeCause } from './redact.js';
import { retryAfterMs } from './retry-timing.js';
import { serviceError } from './service-error.js';

/**
 * Reads an answer to its end and gives its parts.
 *
 * @throws VehicleDataError for everything else than the success envelope: an error envelope, whatever its status, becomes
 *   the error of its code; HTML, cut JSON, nothing, redirects and too much become a MalformedAnswerError.
 */
export async function readAnswer(call: Call, response: Response): Promise<ReadAnswer> {
  const { status, headers, ok } = response;
  if (response.redirected || response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    discard(response.body);
    throw clientError(call, 'redirect-refused', `not an answer of this service but a redirect (HTTP ${status})`, {
      status,
    });
  }
  const body = parse(await readText(call, response));
  const envelope = readMembers(body);
  const error = readMembers(envelope?.['error']);
  const meta = readMembers(envelope?.['meta']);
  const data = readMembers(envelope?.['data']);
  const id = error?.['requestId'] ?? meta?.['requestId'] ?? headers.get('x-request-id');
  // It is shown in logs, so it must not carry what logs must not.
  const requestId =
    typeof id === 'string' && /^[!-~]{1,128}$/.test(id) && redact(id, call.secrets) === id ? id : undefined;
  if (error?.['code'] !== undefined) throw serviceError(call, response, error, requestId);
  if (!ok || !data || call.operation.needs?.some((need) => !holds(data, need))) {
    throw clientError(call, 'malformed-answer', `not an answer of this service (HTTP ${status})`, {
      status,
      requestId,
      // A page that says 404 says so again; anything else may have been a fault on the way.
      isTemporary: ok || status >= 500 || status === 408 || status === 429,
      retryAfterMs: retryAfterMs(headers, call.settings.clock),
    });
  }
  return {
    body,
    data,
    // The string and the boolean are both in use.
    meta: { ...meta, success: String(meta?.['success']) === 'true' } as AnswerMeta,
    response,
    requestId,
  };
}

function holds(data: Readonly<Record<string, unknown>>, need: string): boolean {
  return need.endsWith('[]') ? Array.isArray(data[need.slice(0, -2)]) : !!readMembers(data[need]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the body, so it is not kept as the cause.
    return undefined;
  }
}

async function readText(call: Call, response: Response): Promise<string> {
  const { headers, body, status } = response;
  const { maxAnswerBytes } = call.settings;
  const stated = +(headers.get('content-length') ?? Number.NaN);
  try {
    // The transport holds a body to its stated length, unless it is compressed.
    if (!body || (stated <= maxAnswerBytes && !headers.has('content-encoding'))) return await response.text();
    const reader = body.getReader();
    const chunks: Uint8Array[] = [];
    for (let size = stated > maxAnswerBytes ? stated : 0; size <= maxAnswerBytes; ) {
      const { done, value } = await reader.read();
      if (done) return decode(chunks, size);
      size += value.byteLength;
      chunks.push(value);
    }
    discard(reader);
  } catch (error) {
    throw clientError(call, 'connection-failed', `the connection broke within an answer (HTTP ${status})`, {
      status,
      cause: safeCause(error, call.secrets),
    });
  }
  throw clientError(call, 'answer-too-large', `an answer of more than ${maxAnswerBytes} bytes`, { status });
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
