import type { Call, ReadResponse } from './call.js';
import { clientError, failure } from './client-error.js';
import { isVehicleDataError, RateLimitError, type VehicleDataError } from './errors.js';
import { middlewareOf } from './middleware.js';
import { report } from './observe.js';
import { discard } from './read-response.js';
import { backoffMs } from './retry-timing.js';

/** Part of a `Retry-After` over which the calls that waited for it are spread, so that they do not come back together. */
const spreadOfRetryAfter = 0.25;

/** Sends a call, and retries it for as long as that is safe and useful; gives the first good response. */
export async function sendWithRetries(call: Call): Promise<ReadResponse> {
  const { settings, signal } = call;
  let retries = call.options.maxRetries ?? settings.maxRetries;
  const mayRetry = retries > 0;
  for (;;) {
    await waitForRateLimit(call);
    try {
      return await sendAttempt(call);
    } catch (error) {
      if (!isVehicleDataError(error) || signal.aborted) throw error;
      const { resolution, mayHaveTakenEffect, status, retryAfterMs } = error;
      call.sent = mayHaveTakenEffect;
      let delayMs = 0;
      if (!call.rejection && call.token !== undefined && (resolution === 'refresh-token' || status === 401)) {
        // A token is replaced once in a call.
        call.rejection = error;
        call.isTokenRejected = true;
      } else {
        const isRateLimit = error instanceof RateLimitError && retryAfterMs !== undefined;
        delayMs = retryAfterMs ?? backoffMs(call.attempt, settings.clock);
        // A rate limit that says when it ends is waited for until the deadline; it uses up no retry.
        if (!(isRateLimit && mayRetry)) retries -= 1;
        // "No data" is temporary too, but nothing that seconds change.
        const isWorthIt = resolution === 'retry' && retries >= 0;
        const isShort = delayMs <= settings.maxRetryDelayMs;
        // A stated delay holds for the other calls of this client as well.
        if (isShort && retryAfterMs !== undefined) settings.gate.close(delayMs, delayMs * spreadOfRetryAfter);
        if (!isWorthIt || !isShort || !endsInTime(call, delayMs)) throw error;
        if (isRateLimit) call.rateLimit = error;
      }
      report(call, 'onRetry', { ...error, delayMs }, error);
      // A stated delay is waited for at the gate.
      if (delayMs > 0 && retryAfterMs === undefined) await pause(call, delayMs);
      if (signal.aborted) throw error;
    }
  }
}

const endsInTime = ({ settings, deadlineAt }: Call, delayMs: number) => settings.clock.now() + delayMs < deadlineAt;

/** Waits until the rate limit that any call of this client has met is over. */
async function waitForRateLimit(call: Call): Promise<void> {
  const { settings, signal, deadlineAt } = call;
  const { gate, clock } = settings;
  for (let leastMs = gate.opensInMs(); leastMs > 0 && !signal.aborted; leastMs = gate.opensInMs()) {
    if (!endsInTime(call, leastMs)) throw call.rateLimit ?? rateLimitError(call, leastMs);
    const delayMs = Math.min(leastMs + gate.spreadMs(), deadlineAt - clock.now() - 1);
    report(call, 'onThrottle', { delayMs });
    await pause(call, delayMs);
  }
}

function rateLimitError(call: Call, retryAfterMs: number): VehicleDataError {
  const facts = { code: '429', resolution: 'retry', retryAfterMs } as const;
  return failure(
    call,
    RateLimitError,
    'a rate limit is not over before the deadline of the call',
    'errors/429/',
    facts,
  );
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

/** One attempt through openapi-fetch and the middleware. It ends with the call, whatever the transport does. */
async function sendAttempt(call: Call): Promise<ReadResponse> {
  const { settings, operation, params, signal } = call;
  const { fetch } = settings;
  const leave = await settings.gate.enter(signal);
  try {
    if (signal.aborted) throw signal.reason;
    call.attempt += 1;
    call.sent = false;
    const attempt = settings.api(operation, {
      params,
      middleware: middlewareOf(call),
      async fetch({ url, method, headers }) {
        const init = { method, headers: Object.fromEntries(headers), redirect: 'manual', signal } as const;
        const response = await fetch(url, init);
        if (signal.aborted) discard(response.body);
        return response;
      },
    });
    await endedBy(signal, attempt);
  } finally {
    leave();
  }
  if (!call.received) throw clientError(call, 'malformed-response', 'there is no response');
  return call.received;
}

/** The outcome of a promise, or the reason of a signal that aborts before. */
function endedBy(signal: AbortSignal, promise: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
