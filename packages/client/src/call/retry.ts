import { callError } from '../call-error.js';
import { isVehicleDataError, RateLimitError } from '../errors.js';
import type { Call, ReadResponse } from './call.js';
import { askToken, middlewareOf } from './middleware.js';
import { pause } from './pause.js';
import { discard } from './read-response.js';
import { report } from './report.js';

/** Sends a call, and retries it for as long as that is safe and useful; gives the first good response. */
export async function sendWithRetries(call: Call): Promise<ReadResponse> {
  const { gate, clock, maxRetries, signal } = call;
  let isRenewed = false;
  for (let retries = maxRetries; ; ) {
    // A token that was replaced before a wait may have ended in it.
    if (await waitForRateLimit(call)) call.token = undefined;
    try {
      return await sendOnce(call);
    } catch (error) {
      if (!isVehicleDataError(error) || signal.aborted) throw error;
      // A stated delay of 0 states none.
      const { code, resolution, retryAfterMs = 0, status } = error;
      const { token } = call;
      call.token = undefined;
      call.sent = error.mayHaveTakenEffect;
      let delayMs = 0;
      if (token !== undefined && !isRenewed && (resolution === 'refresh-token' || status === 401)) {
        // A token is replaced once in a call. Where the call may have taken effect all the same, the new one is for those that follow.
        isRenewed = true;
        const renewal = askToken(call, token);
        renewal.catch(() => undefined);
        if (call.sent) throw error;
        call.token = await renewal;
        if (call.token === token || signal.aborted) throw error;
      } else {
        // "Full jitter": a random part of a pause that doubles each time, from half a second to eight.
        delayMs = retryAfterMs || clock.random() * Math.min(8_000, 250 * 2 ** call.attempt);
        // A rate limit that says when it ends is waited for until the deadline; it uses up no retry.
        if (!maxRetries || !retryAfterMs || status !== 429) retries -= 1;
        const isShort = delayMs <= longestPauseMs;
        const now = clock.now();
        // A stated delay holds for the other calls of this client as well, also a long rate limit of the service (one of a proxy may be
        // that of one vehicle).
        const lastsMs = Math.min(delayMs, longestLimitMs);
        const opensAt = now + lastsMs;
        if (retryAfterMs && (isShort || code === '429') && opensAt > gate.opensAt) {
          Object.assign(gate, { opensAt, lastsMs });
        }
        // "No data" is temporary too, but nothing that seconds change.
        if (resolution !== 'retry' || retries < 0 || !isShort || now + delayMs >= call.deadlineAt) throw error;
      }
      report(call, 'onRetry', { ...error, delayMs }, error);
      // A stated delay is waited for at the gate.
      if (delayMs > 0 && !retryAfterMs) await pause(call, delayMs);
    }
  }
}

/** A `Retry-After` that is longer ends the call at once. */
const longestPauseMs = 20_000;

/** A longer rate limit may be a mistake: after this time, a call asks again. */
const longestLimitMs = 300_000;

/**
 * Waits until the rate limit that any call of this client has met is over.
 *
 * @returns Whether it had to wait.
 */
async function waitForRateLimit(call: Call): Promise<boolean> {
  const { gate, clock, deadlineAt, operation } = call;
  for (let waits = false; ; waits = true) {
    // An observer can end the call, and it may have ended in the queue.
    call.signal.throwIfAborted();
    const now = clock.now();
    // Where the clock was set back, it lasts no longer than it was stated.
    gate.opensAt = Math.min(gate.opensAt, now + gate.lastsMs);
    const leastMs = gate.opensAt - now;
    if (leastMs <= 0) {
      gate.opensAt = 0;
      return waits;
    }
    if (gate.opensAt >= deadlineAt || leastMs > longestPauseMs) {
      // A withdrawal is rather sent too early than not at all.
      if (operation.method !== 'GET') return waits;
      const reason = 'a rate limit outlasts the call';
      throw callError(call, RateLimitError, '429', 'retry', reason, { retryAfterMs: leastMs });
    }
    // Spread, but with time left for the response.
    const delayMs = leastMs + clock.random() * Math.min(gate.lastsMs / 4, (deadlineAt - gate.opensAt) / 2);
    report(call, 'onThrottle', { delayMs });
    await pause(call, delayMs);
  }
}

/** One attempt through openapi-fetch and the middleware. */
function sendOnce(call: Call): Promise<ReadResponse> {
  const { api, fetch, operation, params, signal } = call;
  call.attempt += 1;
  call.sent = false;
  const sending = new Promise<ReadResponse>((resolve, reject) => {
    api(operation.method, operation.path, {
      params,
      // The body is read by the middleware, under the deadline and the size limit.
      parseAs: 'stream',
      middleware: [middlewareOf(call, () => takePlace(call, attempt), resolve)],
      async fetch({ url, method, headers }) {
        const init = { method, headers: Object.fromEntries(headers), redirect: 'manual', signal } as const;
        const response = await fetch(url, method === 'GET' ? init : { ...init, ...once });
        if (signal.aborted) discard(response.body);
        return response;
      },
    }).catch(reject);
  });
  // It ends with the call, whatever the transport does.
  const attempt = Promise.race([call.ended, sending]);
  return attempt;
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

/**
 * Waits for a place among the requests under way, which is free again when the attempt has ended, and for the rate limit.
 *
 * @returns Whether it had to wait.
 */
async function takePlace(call: Call, attempt: Promise<unknown>): Promise<boolean> {
  const { gate } = call;
  gate.freePlaces -= 1;
  const isFull = gate.freePlaces < 0;
  if (isFull) await new Promise<void>((resolve) => gate.waiting.push(resolve));
  const free = () => {
    gate.freePlaces += 1;
    gate.waiting.shift()?.();
  };
  attempt.then(free, free);
  return (await waitForRateLimit(call)) || isFull;
}
