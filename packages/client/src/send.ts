import type { Call, ReadAnswer } from './call.js';
import { clientError } from './client-error.js';
import { isVehicleDataError, VehicleDataError } from './errors.js';
import { type CallEvent, tell } from './observe.js';
import { readAnswer } from './read-answer.js';
import { safeCause } from './redact.js';
import { backoffMs } from './retry-timing.js';

// https://www.rfc-editor.org/rfc/rfc6750#section-2.1
const bearerToken = /^[\w~+/.-]+=*$/;

/** Sends a call, and repeats it for as long as that is safe and useful; gives the first good answer. */
export async function send(call: Call, request: Request): Promise<ReadAnswer> {
  const { operation, settings } = call;
  let refused: string | undefined;
  let refreshed = false;
  let retries = call.options.maxRetries ?? settings.maxRetries;
  for (;;) {
    const token = await authorize(call, request, refused);
    refused = undefined;
    try {
      return await attempt(call, request);
    } catch (error) {
      if (!isVehicleDataError(error) || call.over) throw error;
      call.sent = error.mayHaveTakenEffect;
      const isRefused = error.resolution === 'refresh-token' || error.status === 401;
      if (isRefused && token !== undefined && !refreshed && settings.tokens.canRefresh) {
        refreshed = true;
        refused = token;
        report(call, 'onRetry', error, 0);
        continue;
      }
      const isSafe = operation.method === 'GET' || !error.mayHaveTakenEffect;
      // "No data" is temporary too, but nothing that a few seconds change.
      if (!(error.isTemporary && error.resolution === 'retry' && isSafe && retries > 0)) throw error;
      retries -= 1;
      const delayMs = error.retryAfterMs ?? backoffMs(call.attempt, settings.clock);
      const { clock, maxRetryDelayMs } = settings;
      if (delayMs > maxRetryDelayMs || clock.now() + delayMs >= call.deadlineAt) throw error;
      report(call, 'onRetry', error, delayMs);
      await new Promise<void>((resolve) => {
        const cancel = clock.after(delayMs, resolve);
        const onAbort = () => {
          cancel();
          resolve();
        };
        call.controller.signal.addEventListener('abort', onAbort, { once: true });
      });
      if (call.over) throw error;
    }
  }
}

async function attempt(call: Call, request: Request): Promise<ReadAnswer> {
  const { settings, controller } = call;
  call.attempt += 1;
  call.sent = true;
  if (settings.hooks.onRequest) report(call, 'onRequest');
  let response: Response;
  try {
    response = await settings.fetch(request);
  } catch (error) {
    // These mean that no connection was made, so that nothing can have taken effect.
    const cause = safeCause(error, call.secrets);
    const isUnsent = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ConnectionRefused/.test(codesOf(cause));
    if (isUnsent) call.sent = false;
    throw clientError(call, 'connection-failed', 'no connection, or it broke before the answer', { cause });
  }
  if (controller.signal.aborted) void response.body?.cancel().catch(() => undefined);
  const answer = await readAnswer(call, response);
  checkAnswer(call, answer);
  if (settings.hooks.onResponse || settings.logger) report(call, 'onResponse', answer);
  return answer;
}

/** Puts the access token into the request, once it is known to be one that a header can carry. */
async function authorize(call: Call, request: Request, refused: string | undefined): Promise<string | undefined> {
  const { tokens } = call.settings;
  let token: unknown;
  try {
    token = refused === undefined ? tokens.current() : tokens.replace(refused);
    if (typeof token === 'object') token = await token;
  } catch (cause) {
    throw clientError(call, 'access-token-unavailable', 'the function that gives the access token failed', { cause });
  }
  if (call.over) throw clientError(call, 'aborted', 'the call is over');
  if (token === undefined) {
    if (!call.operation.bearer) return undefined;
    throw clientError(call, 'no-access-token', 'this call needs an access token, and the client has none');
  }
  // A header that refuses the value would put the token into its error.
  if (typeof token !== 'string' || !bearerToken.test(token)) {
    throw clientError(call, 'no-access-token', 'the access token is not of the bearer form');
  }
  call.secrets.push(token);
  request.headers.set('authorization', `Bearer ${token}`);
  return token;
}

function checkAnswer(call: Call, { body, response, requestId }: ReadAnswer): void {
  const { validate, hooks, logger } = call.settings;
  if (!validate || validate.mode === 'off') return;
  const { status } = response;
  const verdict = validate.responses(call.operation.id, status, body);
  if (verdict.ok) return;
  const { issues } = verdict;
  const event = eventOf(call, { status, requestId, code: 'invalid-answer' });
  tell(() => hooks.onInvalidAnswer?.(event, issues));
  tell(() => logger?.warn('vehicle data: an answer breaks the contract', event));
  if (validate.mode !== 'enforce') return;
  throw clientError(call, 'invalid-answer', 'the answer breaks the contract', { status, requestId, details: issues });
}

function eventOf(call: Call, more: Partial<CallEvent>): CallEvent {
  const { operation, settings, attempt, startedAt } = call;
  const { id, method, path } = operation;
  return { operation: id, method, route: path, attempt, durationMs: settings.clock.now() - startedAt, ...more };
}

function codesOf(error: Error | undefined): string {
  return error ? `${'code' in error ? error.code : ''} ${codesOf(error.cause as Error | undefined)}` : '';
}

/** Tells hook and logger about a step of the call. */
export function report(
  call: Call,
  step: 'onRequest' | 'onResponse' | 'onRetry' | 'onError',
  outcome?: ReadAnswer | VehicleDataError,
  delayMs?: number,
): void {
  const { hooks, logger } = call.settings;
  const failure = outcome instanceof VehicleDataError ? outcome : undefined;
  const event = eventOf(call, {
    ...(outcome && {
      status: 'response' in outcome ? outcome.response.status : outcome.status,
      requestId: outcome.requestId,
    }),
    ...(failure && { code: failure.code }),
    ...(delayMs !== undefined && { delayMs }),
  });
  if (step === 'onError') {
    if (failure) tell(() => hooks.onError?.(event, failure));
    tell(() => logger?.error('vehicle data: a call failed', event));
  } else {
    tell(() => hooks[step]?.(event));
    if (step === 'onRetry') tell(() => logger?.warn('vehicle data: an attempt failed and is repeated', event));
    if (step === 'onResponse') tell(() => logger?.debug('vehicle data: a call succeeded', event));
  }
}
