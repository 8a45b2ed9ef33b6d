import type { Call, ReadResponse } from './call.js';
import { callError } from './client-error.js';
import { isVehicleDataError, RateLimitError } from './errors.js';
import { middlewareOf } from './middleware.js';
import { report } from './observe.js';
import { discard } from './read-response.js';

const firstPauseMs = 500;
const longestBackoffMs = 8_000;
/** Part of a `Retry-After` over which the calls that waited for it are spread, so that they do not come back together. */
const spreadOfRetryAfter = 0.25;

/** Sends a call, and retries it for as long as that is safe and useful; gives the first good response. */
export async function sendWithRetries(call: Call): Promise<ReadResponse> {
  const { gate, maxRetries, maxRetryDelayMs, signal } = call;
  for (let retries = maxRetries; ; ) {
    await waitForRateLimit(call);
    try {
      return await gate.run(() => sendAttempt(call));
    } catch (error) {
      if (!isVehicleDataError(error) || signal.aborted) throw error;
      const { resolution, retryAfterMs } = error;
      call.sent = error.mayHaveTakenEffect;
      let delayMs = 0;
      if (!call.rejected && call.token !== undefined && (resolution === 'refresh-token' || error.status === 401)) {
        // A token is replaced once in a call.
        call.rejected = { token: call.token, error };
      } else {
        delayMs = retryAfterMs ?? backoffMs(call);
        // A rate limit that says when it ends is waited for until the deadline; it uses up no retry.
        if (!maxRetries || retryAfterMs === undefined || !(error instanceof RateLimitError)) retries -= 1;
        const isShort = delayMs <= maxRetryDelayMs;
        // A stated delay holds for the other calls of this client as well.
        if (isShort && retryAfterMs !== undefined) gate.close(delayMs, delayMs * spreadOfRetryAfter);
        // "No data" is temporary too, but nothing that seconds change.
        if (resolution !== 'retry' || retries < 0 || !isShort || !endsInTime(call, delayMs)) throw error;
      }
      report(call, 'onRetry', { ...error, delayMs }, error);
      // A stated delay is waited for at the gate.
      if (delayMs > 0 && retryAfterMs === undefined) await pause(call, delayMs);
    }
  }
}

/**
 * Pause before a retry: "full jitter", a random part of a pause that doubles each time, so that clients that failed
 * together do not come back together.
 */
const backoffMs = ({ attempt, clock }: Call) =>
  clock.random() * Math.min(longestBackoffMs, firstPauseMs * 2 ** (attempt - 1));

const endsInTime = ({ clock, deadlineAt }: Call, delayMs: number) => clock.now() + delayMs < deadlineAt;

/** Waits until the rate limit that any call of this client has met is over. */
async function waitForRateLimit(call: Call): Promise<void> {
  const { gate, clock, deadlineAt } = call;
  for (let leastMs = gate.opensInMs(); leastMs > 0; leastMs = gate.opensInMs()) {
    if (!endsInTime(call, leastMs)) {
      const reason = 'a rate limit is not over before the deadline of the call';
      throw callError(call, RateLimitError, '429', 'retry', reason, { retryAfterMs: leastMs });
    }
    const delayMs = Math.min(leastMs + gate.spreadMs(), deadlineAt - clock.now() - 1);
    report(call, 'onThrottle', { delayMs });
    await pause(call, delayMs);
  }
}

/** A pause that never ends when the call ends before. */
function pause(call: Call, delayMs: number): Promise<void> {
  // An observer can end the call.
  call.signal.throwIfAborted();
  return new Promise((resolve) => {
    call.cancelPause = call.clock.after(delayMs, resolve);
  });
}

/** One attempt through openapi-fetch and the middleware. It ends with the call, whatever the transport does. */
function sendAttempt(call: Call): Promise<ReadResponse> {
  const { api, fetch, operation, params, signal } = call;
  return new Promise((resolve, reject) => {
    // The call may have ended while it waited for its place.
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason));
    call.attempt += 1;
    call.sent = false;
    api(operation.method, operation.path, {
      params,
      parseAs: 'stream',
      middleware: [middlewareOf(call, resolve)],
      async fetch({ url, method, headers }) {
        const init = { method, headers: Object.fromEntries(headers), redirect: 'manual', signal } as const;
        const response = await fetch(url, init);
        if (signal.aborted) discard(response.body);
        return response;
      },
    }).catch(reject);
  });
}
