import type { Call, ReadAnswer } from './call.js';
import { clientError } from './client-error.js';
import { isVehicleDataError, type VehicleDataError } from './errors.js';
import { report } from './observe.js';
import { discard, readAnswer } from './read-answer.js';
import { safeCause } from './redact.js';
import { backoffMs } from './retry-timing.js';

/**
 * Sends a call, and repeats it for as long as that is safe and useful; gives the first good answer. `requestWith` makes the
 * request with an access token.
 */
export async function send(call: Call, requestWith: (token: string | undefined) => Request): Promise<ReadAnswer> {
  const { settings, signal } = call;
  const { clock, maxRetryDelayMs } = settings;
  let retries = call.options.maxRetries ?? settings.maxRetries;
  // The token that the last attempt was refused with, and the one refusal that a call may meet.
  let refused: string | undefined;
  let refusal: VehicleDataError | undefined;
  for (;;) {
    const token = await authorize(call, refused);
    // A call that ended while it waited for its token is not sent any more; its outcome has been told.
    if (signal.aborted || (refused && token === refused)) throw refusal;
    refused = undefined;
    const request = requestWith(token);
    try {
      return await attempt(call, request);
    } catch (error) {
      if (!isVehicleDataError(error) || signal.aborted) throw error;
      const { resolution, isTemporary, mayHaveTakenEffect, status } = error;
      call.sent = mayHaveTakenEffect;
      let delayMs = 0;
      if (!refusal && token !== undefined && (resolution === 'refresh-token' || status === 401)) {
        refusal = error;
        refused = token;
      } else {
        // A refresh is not asked for twice in one call. "No data" is temporary too, but nothing that seconds change.
        delayMs = error.retryAfterMs ?? backoffMs(call.attempt, clock);
        retries -= 1;
        const isWorthIt = isTemporary && resolution === 'retry' && !mayHaveTakenEffect && retries >= 0;
        if (!isWorthIt || delayMs > maxRetryDelayMs || clock.now() + delayMs >= call.deadlineAt) throw error;
      }
      report(call, 'onRetry', { ...error, delayMs }, error);
      if (delayMs > 0) await pause(call, delayMs);
      if (signal.aborted) throw error;
    }
  }
}

function pause({ settings, signal }: Call, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = settings.clock.after(delayMs, resolve);
    const onAbort = () => {
      cancel();
      resolve();
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

async function attempt(call: Call, request: Request): Promise<ReadAnswer> {
  call.attempt += 1;
  call.sent = true;
  report(call, 'onRequest');
  let response: Response;
  const { fetch } = call.settings;
  try {
    response = await fetch(request, call.init);
  } catch (error) {
    const cause = safeCause(error, call.secrets);
    // These mean that there was no connection, so that nothing can have taken effect.
    const text = `${cause?.code} ${cause?.message} ${cause?.cause?.code}`;
    call.sent = !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|Connection ?Refused/i.test(text);
    throw clientError(call, 'connection-failed', 'no connection, or it broke before an answer', { cause });
  }
  if (call.signal.aborted) discard(response.body);
  const answer = await readAnswer(call, response);
  checkAnswer(call, answer);
  report(call, 'onResponse', { status: response.status, requestId: answer.requestId });
  return answer;
}

/** The access token, once it is known to be one that a header can carry. */
async function authorize(call: Call, refused: string | undefined): Promise<string | undefined> {
  const token = await call.settings.tokens(refused).catch((cause: unknown) => {
    throw clientError(call, 'access-token-unavailable', 'accessToken failed', { cause });
  });
  if (token === undefined && call.operation.isOpen) return token;
  // The form of https://www.rfc-editor.org/rfc/rfc6750#section-2.1; a header that refuses a token would quote it.
  if (typeof token !== 'string' || !/^[\w~+/.-]+=*$/.test(token)) {
    throw clientError(call, 'no-access-token', 'an access token of the bearer form is needed');
  }
  call.secrets.push(token);
  return token;
}

function checkAnswer(call: Call, { body, response, requestId }: ReadAnswer): void {
  const { validate } = call.settings;
  if (!validate || validate.mode === 'off') return;
  const { status } = response;
  const verdict = validate.responses(call.operation.id, status, body);
  if (verdict.ok) return;
  const { issues } = verdict;
  const code = 'invalid-answer';
  report(call, 'onInvalidAnswer', { status, requestId, code }, issues);
  if (validate.mode !== 'enforce') return;
  throw clientError(call, code, 'the answer breaks the contract', { status, requestId, details: issues });
}
