// Sends a call, and retries it for as long as that is safe and useful.
import { isVehicleDataError, type VehicleDataError } from '../errors.js';
import { askToken } from './access-token.js';
import { sendOnce } from './attempt.js';
import type { Call, ReadResponse } from './call.js';
import { pause } from './deadline.js';
import { closeGate, longestPauseMs, waitForRateLimit } from './rate-gate.js';
import { report } from './report.js';

/** Gives the first good response. */
export async function sendWithRetries(call: Call): Promise<ReadResponse> {
  const { clock, maxRetries, signal } = call;
  let retries = maxRetries;
  let isRenewed = false;
  for (;;) {
    // A token that was replaced before a wait may have ended in it.
    if (await waitForRateLimit(call)) call.token = undefined;
    try {
      return await sendOnce(call);
    } catch (error) {
      if (!isVehicleDataError(error) || signal.aborted) throw error;
      const rejected = call.token;
      call.token = undefined;
      call.sent = error.mayHaveTakenEffect;
      if (rejected !== undefined && !isRenewed && isTokenRejected(error)) {
        // A token is replaced once in a call.
        isRenewed = true;
        await renewToken(call, rejected, error);
        report(call, 'onRetry', { ...error, delayMs: 0 }, error);
        continue;
      }
      // A stated delay of 0 states none.
      const { code, retryAfterMs = 0, status, resolution } = error;
      const isShort = retryAfterMs <= longestPauseMs;
      // It holds for other calls as well: a short one, and also a long one of the service. A long one of a proxy may be that of
      // one vehicle.
      if (retryAfterMs && (isShort || code === '429')) closeGate(call, retryAfterMs);
      // A rate limit that says when it ends is waited for until the deadline; it uses up no retry.
      if (!maxRetries || !retryAfterMs || status !== 429) retries -= 1;
      const delayMs = retryAfterMs || backoffMs(call);
      const isInTime = isShort && clock.now() + delayMs < call.deadlineAt;
      // "No data" is temporary too, but nothing that seconds change.
      if (resolution !== 'retry' || retries < 0 || !isInTime) throw error;
      report(call, 'onRetry', { ...error, delayMs }, error);
      // A stated delay is waited for at the gate.
      if (!retryAfterMs && delayMs > 0) await pause(call, delayMs);
    }
  }
}

const isTokenRejected = ({ resolution, status }: VehicleDataError) => resolution === 'refresh-token' || status === 401;

/** "Full jitter": a random part of a pause that doubles each time, from half a second to eight. */
const backoffMs = ({ clock, attempt }: Call) => clock.random() * Math.min(8_000, 250 * 2 ** attempt);

/** Gets the token for the next attempt. @throws the error of the call where it cannot be sent again. */
async function renewToken(call: Call, rejected: string, error: VehicleDataError): Promise<void> {
  const renewal = askToken(call, rejected);
  renewal.catch(() => undefined);
  // Where the call may have taken effect all the same, the new token is for those that follow.
  if (call.sent) throw error;
  call.token = await renewal;
  if (call.token === rejected || call.signal.aborted) throw error;
}
