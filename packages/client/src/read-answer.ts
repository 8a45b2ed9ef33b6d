import type { AnswerMeta } from './api-call.js';
import type { Call, ReadAnswer } from './call.js';
import { readMembers } from './check-arguments.js';
import { clientError } from './client-error.js';
import { redact, safeCause } from './redact.js';
import { serviceError } from './service-error.js';

/**
 * Reads an answer to its end and gives its parts.
 *
 * @throws VehicleDataError for everything else than the success envelope: an error envelope, whatever its status, becomes
 *   the error of its code; HTML, cut JSON, nothing, redirects and too much become a MalformedAnswerError.
 */
export async function readAnswer(call: Call, response: Response): Promise<ReadAnswer> {
  const { status, headers, type, redirected } = response;
  if (redirected || type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    void response.body?.cancel().catch(() => undefined);
    throw clientError(call, 'redirect-refused', `the answer is a redirect (HTTP ${status})`, { status });
  }
  const text = await readText(call, response);
  const body = parse(text);
  const envelope = readMembers(body);
  const error = readMembers(envelope?.['error']);
  const meta = readMembers(envelope?.['meta']);
  const requestId = safeId(call, error?.['requestId'] ?? meta?.['requestId'] ?? headers.get('x-request-id'));
  if (error && 'code' in error) throw serviceError(call, response, error, requestId);
  const data = readMembers(envelope?.['data']);
  if (!response.ok || !data || !call.operation.needs.every((need) => holds(data, need))) {
    const what = text === '' ? 'empty' : envelope ? 'not of the form of this service' : 'not JSON, or cut';
    throw clientError(call, 'malformed-answer', `the answer is ${what} (HTTP ${status})`, {
      status,
      requestId,
      // A page that says 404 says so again; anything else may have been a fault on the way.
      isTemporary: status < 400 || status >= 500 || status === 408 || status === 429,
    });
  }
  const success = meta?.['success'];
  return {
    body,
    data,
    // Text and booleans are both in use for success.
    meta: { ...meta, success: success === true || success === 'true' } as AnswerMeta,
    response,
    requestId,
  };
}

function holds(data: Readonly<Record<string, unknown>>, need: string): boolean {
  return need.endsWith('[]') ? Array.isArray(data[need.slice(0, -2)]) : readMembers(data[need]) !== undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the body, so it is not kept as the cause.
    return undefined;
  }
}

/** A request identifier is shown in logs, so it must not carry what logs must not. */
function safeId(call: Call, id: unknown): string | undefined {
  return typeof id === 'string' && /^[\x21-\x7e]{1,128}$/.test(id) && redact(id, call.secrets) === id ? id : undefined;
}

async function readText(call: Call, response: Response): Promise<string> {
  const { headers, body } = response;
  const limit = call.settings.maxAnswerBytes;
  const tooLarge = () =>
    clientError(call, 'answer-too-large', `the answer is larger than ${limit} bytes`, { status: response.status });
  const stated = Number(headers.get('content-length') ?? Number.NaN);
  if (stated > limit) {
    void body?.cancel().catch(() => undefined);
    throw tooLarge();
  }
  try {
    // The transport holds a body to its stated length, unless it is compressed.
    if (!body || (stated <= limit && !headers.has('content-encoding'))) return await response.text();
  } catch (error) {
    throw brokenOff(call, error, response.status);
  }
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw brokenOff(call, error, response.status);
    });
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > limit) {
      void reader.cancel().catch(() => undefined);
      throw tooLarge();
    }
    text += decoder.decode(value, { stream: true });
  }
}

function brokenOff(call: Call, error: unknown, status: number): Error {
  return clientError(call, 'connection-failed', `the connection broke within the answer (HTTP ${status})`, {
    status,
    cause: safeCause(error, call.secrets),
  });
}
