// One attempt of a call, from top to bottom: headers, token, its turn, the transport, the response.
import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import { argumentError, callError, isFault } from '../call-error.js';
import { readHeaders } from '../checks/option-rules.js';
import { isFunction } from '../checks/rules.js';
import { ConnectionError, isVehicleDataError, MalformedResponseError } from '../errors.js';
import type { ResponseValidator } from '../responses.js';
import { askToken } from './access-token.js';
import type { Call, ReadResponse } from './call.js';
import { userAgent } from './client-identity.js';
import { pause } from './deadline.js';
import { takePlace } from './rate-gate.js';
import { discard, readResponse } from './read-response.js';
import { safeCause } from './redact.js';
import { attemptOf, report } from './report.js';

const querySerializer = createQuerySerializer();

/** Makes one attempt, which ends with the call, whatever the transport does. */
export function sendOnce(call: Call): Promise<ReadResponse> {
  call.attempt += 1;
  call.sent = false;
  const attempt: Promise<ReadResponse> = Promise.race([call.ended, send(call, () => takePlace(call, attempt))]);
  return attempt;
}

async function send(call: Call, takeTurn: () => Promise<boolean>): Promise<ReadResponse> {
  const url = addressOf(call);
  const headers = await headersOf(call);
  // A proxy may hold the token: with an API key and no token, it adds its own.
  const needsToken = call.accessToken !== null && (call.accessToken !== undefined || call.apiKey === undefined);
  if (needsToken) call.token ??= await askToken(call);
  // The last that is waited for: a call that waits for user code holds no place.
  const hasWaited = await takeTurn();
  // The token may have ended in the wait. A slow function is not waited for.
  if (hasWaited && needsToken) {
    call.token = (await Promise.race([askToken(call).catch(() => undefined), pause(call, 0)])) || call.token;
  }
  if (call.token) headers.set('Authorization', `Bearer ${call.token}`);
  // A call that ended while it waited is not sent any more; its outcome is known.
  call.signal.throwIfAborted();
  call.sent = true;
  report(call, 'onRequest', {});

  const response = await transmit(call, url, Object.fromEntries(headers));
  const received = await readResponse(call, response);
  checkContract(call, received);
  report(call, 'onResponse', received);
  return received;
}

/** The address of a request, as openapi-fetch builds it. */
function addressOf(call: Call): string {
  const { baseUrl, operation, params } = call;
  const url = createFinalURL(operation.path, {
    baseUrl,
    params,
    querySerializer,
    pathSerializer: defaultPathSerializer,
  });
  // A query that lost its parameter would widen what a DELETE does.
  if (`${new URL(url).searchParams}` !== `${new URLSearchParams(params.query)}`) {
    throw argumentError(call, 'the query has changed');
  }
  return url;
}

/** The headers of user code, and those of the client, which come later and so cannot be replaced. */
async function headersOf(call: Call): Promise<Headers> {
  const headers = new Headers(userAgent && { 'User-Agent': userAgent });
  for (const source of call.headers) {
    let given: unknown = source;
    try {
      if (typeof source === 'function') given = await source(attemptOf(call));
    } catch (cause) {
      if (isVehicleDataError(cause)) throw cause;
      throw argumentError(call, 'headers failed', 'headers', undefined, cause);
    }
    for (const [name, value] of readHeaders(call, given)) headers.set(name, value);
  }
  headers.set('Brand', call.brand);
  if (call.apiKey !== undefined) headers.set('X-Api-Key', call.apiKey);
  return headers;
}

/** Parts of Deno that are asked for where it runs. */
interface Platform {
  readonly Deno?: { createHttpClient?(options: { readonly poolMaxIdlePerHost: number }): unknown };
}

/** Keeps Bun and Deno from sending a request again on their own, where a connection broke that was used before. */
const once = {
  keepalive: false,
  client: (globalThis as Platform).Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 }),
};

async function transmit(call: Call, url: string, headers: Record<string, string>): Promise<Response> {
  const { operation, signal } = call;
  const { method } = operation;
  const init = { method, headers, redirect: 'manual', signal } as const;
  let sending: Promise<Response>;
  try {
    sending = call.fetch(url, method === 'GET' ? init : { ...init, ...once });
  } catch (cause) {
    // A connection fails later: this is a fault of the function.
    throw isVehicleDataError(cause) ? cause : argumentError(call, 'fetch failed', 'fetch', undefined, cause);
  }
  let response: Response;
  try {
    response = await sending;
  } catch (error) {
    throw connectionError(call, error);
  }
  if (!isFunction(response?.headers?.get)) throw argumentError(call, 'fetch must give a Response', 'fetch');
  if (signal.aborted) discard(response.body);
  return response;
}

function connectionError(call: Call, error: unknown): unknown {
  // A function of user code may know what it is, above all a fake of a test.
  if (isVehicleDataError(error) || isFault(error)) return error;
  const cause = safeCause(error, call.secrets);
  const systemCode = [cause?.code, cause?.cause?.code, cause?.cause?.cause?.code].find(
    (code): code is string => typeof code === 'string' && /^[A-Za-z][\w-]{2,60}$/.test(code),
  );
  // These mean that there was no connection, so that nothing can have taken effect.
  const isUnsent = /CONN(ECTION ?)?REFUSED|ENOTFOUND|EAI_AGAIN/i.test(`${systemCode} ${cause?.message}`);
  call.sent = !isUnsent;
  const reason = `no connection, or it broke${systemCode ? `: ${systemCode}` : ''}`;
  return callError(call, ConnectionError, 'connection-failed', 'retry', reason, { cause, systemCode });
}

/** Checks a response against the contract, where the client has a validator. */
function checkContract(call: Call, { body, status, requestId }: ReadResponse): void {
  const { validate } = call;
  if (!validate || validate.mode === 'off' || call.isUnread?.()) return;
  let verdict: ReturnType<ResponseValidator>;
  try {
    verdict = validate.responses(call.operation.id, status, body);
  } catch {
    throw argumentError(call, 'validate.responses failed', 'validate');
  }
  if (verdict.ok) return;
  const code = 'invalid-response';
  const details = verdict.issues;
  report(call, 'onInvalidResponse', { status, requestId, code }, details);
  if (validate.mode !== 'enforce') return;
  const reason = 'the response breaks the contract';
  throw callError(call, MalformedResponseError, code, 'report', reason, { status, requestId, details });
}
