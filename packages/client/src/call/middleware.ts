import type { Middleware } from 'openapi-fetch';
import { argumentError, callError } from '../call-error.js';
import { areHeaders, callOptionRules, isToken } from '../checks/option-rules.js';
import { describeValue, invalidValue, isFunction } from '../checks/rules.js';
import {
  AccessTokenError,
  ConnectionError,
  CredentialsError,
  isVehicleDataError,
  MalformedResponseError,
} from '../errors.js';
import type { ResponseValidator } from '../responses.js';
import type { Call, ReadResponse } from './call.js';
import { pause } from './pause.js';
import { readResponse } from './read-response.js';
import { safeCause } from './redact.js';
import { attemptOf, report } from './report.js';

/** The middleware of one attempt: what is sent is what was checked, and what comes back is a response of this service. */
export const middlewareOf = (
  call: Call,
  takePlace: () => Promise<boolean>,
  receive: (response: ReadResponse) => void,
): Middleware => ({
  async onRequest({ request: { headers, url } }) {
    for (const source of call.headers) {
      let given: unknown = source;
      try {
        if (typeof source === 'function') given = await source(attemptOf(call));
      } catch (cause) {
        throw isVehicleDataError(cause) ? cause : argumentError(call, 'headers failed', 'headers', undefined, cause);
      }
      if (!areHeaders(given)) throw invalidValue(call, 'headers', callOptionRules.headers, given);
      for (const [name, value] of Object.entries(given)) headers.set(name, value);
    }
    // Those of the client come later, so they cannot be replaced.
    await addCredentials(call, headers);
    // A query that lost its parameter would widen what a DELETE does.
    if (`${new URL(url).searchParams}` !== `${new URLSearchParams(call.params.query)}`) {
      throw argumentError(call, 'the query has changed');
    }
    // The last that is waited for: a call that waits for user code holds no place.
    if (await takePlace()) {
      // The token may have ended in the wait. A slow function is not waited for.
      call.token = (await Promise.race([askToken(call).catch(() => undefined), pause(call, 0)])) || call.token;
    }
    if (call.token) headers.set('Authorization', `Bearer ${call.token}`);
    // A call that ended while it waited is not sent any more; its outcome is known.
    call.signal.throwIfAborted();
    call.sent = true;
    report(call, 'onRequest');
  },
  onError({ error }) {
    const cause = safeCause(error, call.secrets);
    // These mean that there was no connection, so that nothing can have taken effect.
    const text = `${cause?.code} ${cause?.message} ${cause?.cause?.code}`;
    call.sent = !/CONN(ECTION ?)?REFUSED|ENOTFOUND|EAI_AGAIN/i.test(text);
    const reason = 'no connection, or it broke';
    return callError(call, ConnectionError, 'connection-failed', 'retry', reason, { cause });
  },
  async onResponse({ response }) {
    if (!isFunction(response?.headers?.get)) throw argumentError(call, 'fetch must give a Response', 'fetch');
    const received = await readResponse(call, response);
    checkContract(call, received);
    report(call, 'onResponse', received);
    receive(received);
  },
});

/** Brand and API key, and the access token for the header that is set last. */
async function addCredentials(call: Call, headers: Headers): Promise<void> {
  const { apiKey, tokens } = call;
  headers.set('Brand', call.brand);
  if (apiKey !== undefined) headers.set('X-Api-Key', apiKey);
  // With an API key and no token, the proxy adds it.
  if (tokens === null || (!tokens && apiKey !== undefined)) return;
  call.token ??= await askToken(call);
}

/**
 * The token to use now, or one in place of a token that the service has rejected.
 *
 * @throws CredentialsError for one that a header cannot carry.
 */
export async function askToken(call: Call, rejected?: string): Promise<string | undefined> {
  let token: string | undefined;
  try {
    token = await call.tokens?.(call, rejected);
  } catch (cause) {
    const reason = 'accessToken failed';
    throw callError(call, AccessTokenError, 'access-token-unavailable', 'refresh-token', reason, { cause });
  }
  if (token === undefined && call.operation.isTokenOptional) return;
  if (!isToken(token)) {
    const reason = `accessToken must give a token without "Bearer"; got ${describeValue(token)}`;
    throw callError(call, CredentialsError, 'no-access-token', 'fix-credentials', reason);
  }
  call.secrets.push(token);
  return token;
}

/** Checks a response against the contract, where the client has a validator. */
function checkContract(call: Call, { body, status, requestId }: ReadResponse): void {
  const { validate } = call;
  if (!validate || validate.mode === 'off') return;
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
